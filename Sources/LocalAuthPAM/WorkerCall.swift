import CLocalAuthLinux
import Glibc
import LocalAuthCore
import LocalAuthSecret
import LocalAuthWire

/// One accepted connection of the daemon, which carries one call.
final class WorkerCall {
  let descriptor: Int32

  /// How long a call may take to arrive, in milliseconds.
  static let arrivalMax: Int64 = 2000

  /// Takes over a socket that does not block.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Receives the frame of the call, without its NUL, into wiped memory, because it may hold a
  /// password.
  ///
  /// Nil if it is too long, is followed by something, does not arrive in time, or if `other` has
  /// something to say first.
  func receive(unlessHeardFrom other: WorkerCall?) -> Secret? {
    var frame = Secret(capacity: Arming.wordSizeMax + 1)
    let end = Self.now() + Self.arrivalMax
    let isWhole = unsafe frame.withUnsafeMutableBytes { bytes, count in
      while unsafe fill(bytes, &count) {
        if let size = unsafe Self.frameSize(UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
          defer { count -= 1 }
          return size == count - 1
        }
        guard count < bytes.count, wait(until: end, unlessHeardFrom: other) else { return false }
      }
      return false
    }
    guard isWhole else { return nil }
    return frame
  }

  /// Whether the daemon sent something more, or closed the connection.
  var hasNews: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: the entry lives for the call, which does not wait.
    return unsafe poll(&entry, 1, 0) != 0
  }

  /// Replies; false if the daemon has closed the connection, or does not read.
  @discardableResult
  func reply(_ parameters: some WireObject, continues: Bool = false) -> Bool {
    var frame: [UInt8] = []
    guard (try? IncomingReply.write(parameters, continues: continues, to: &frame)) != nil else {
      return false
    }
    return send(frame)
  }

  /// Ends the call with an error.
  @discardableResult
  func refuse(_ error: String, _ message: String? = nil) -> Bool {
    var parameters = ServiceMessages.ErrorParameters()
    parameters.message = message
    var frame: [UInt8] = []
    guard (try? IncomingReply.write(error: error, parameters, to: &frame)) != nil else {
      return false
    }
    return send(frame)
  }

  private func send(_ frame: [UInt8]) -> Bool {
    // SAFETY: the array lives for the call. A frame is far smaller than the socket's buffer.
    unsafe frame.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe la_send(descriptor, start, bytes.count) == bytes.count
    }
  }

  /// Reads what is there; false at the end of the stream.
  @unsafe
  private func fill(_ bytes: UnsafeMutableRawBufferPointer, _ count: inout Int) -> Bool {
    // SAFETY: the rest of the buffer begins at `count`.
    let got = unsafe recv(
      descriptor,
      bytes.baseAddress?.advanced(by: count),
      bytes.count - count,
      Int32(MSG_DONTWAIT)
    )
    if got > 0 { count += got }
    return got > 0 || got < 0 && (errno == EAGAIN || errno == EINTR)
  }

  /// Where the first NUL is; nil if there is none yet.
  @unsafe
  private static func frameSize(_ bytes: UnsafeRawBufferPointer) -> Int? {
    // SAFETY: the search stays in the buffer.
    guard let start = bytes.baseAddress, let end = unsafe memchr(start, 0, bytes.count) else {
      return nil
    }
    return unsafe UnsafeRawPointer(end) - start
  }

  private func wait(until end: Int64, unlessHeardFrom other: WorkerCall?) -> Bool {
    let left = end - Self.now()
    guard left > 0 else { return false }
    let events = Int16(POLLIN)
    // A negative descriptor is not waited for.
    var entries = [
      pollfd(fd: descriptor, events: events, revents: 0),
      pollfd(fd: other?.descriptor ?? -1, events: events, revents: 0),
    ]
    // SAFETY: the array's storage is valid for the call and has two entries.
    let ready = unsafe poll(&entries, 2, Int32(left))
    return entries[1].revents == 0 && (ready >= 0 || errno == EINTR)
  }

  /// Milliseconds of a clock that only advances.
  private static func now() -> Int64 {
    var time = timespec()
    // SAFETY: the pointer is valid for the call; the clock exists on every Linux.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
