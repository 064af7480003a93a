import Glibc
import LocalAuthSecret
import LocalAuthSync
import LocalAuthUnix

/// A connection to a process that is connected to a hub: messages behind their sizes.
final class HubChannel {
  /// The most bytes that wait to be written; whoever does not read so much is given up.
  private static let queuedMax = 4 * HubFrame.messageMax

  private let loop: EventLoop
  private let onMessage: ([UInt8]) -> Void
  private let onEnd: () -> Void
  private var socket: FileDescriptor?
  private let descriptor: Int32
  private var child: ChildProcess?
  private var input = HubFrameBuffer()
  private var output: [UInt8] = []
  private var written = 0
  private var isWaitingToWrite = false

  /// Starts the process, or has it started.
  ///
  /// - Parameters:
  ///   - source: Where it runs.
  ///   - loop: The loop.
  ///   - onMessage: Gets each message.
  ///   - onEnd: Called once if the process ends, or sends what is no message; never after ``close()``.
  /// - Throws: the error of the call that failed.
  init(
    _ source: HubSource,
    on loop: EventLoop,
    onMessage: @escaping ([UInt8]) -> Void,
    onEnd: @escaping () -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.onMessage = onMessage
    self.onEnd = onEnd
    switch source {
    case .none: throw SystemError("connect", code: ENOENT, subject: "localauth-sync")
    case .program(let path):
      let pair = try SocketPair()
      var request = SpawnRequest(
        executable: path,
        descriptors: [.null, .null, .null, .duplicate(of: pair.theirs.rawValue)]
      )
      request.diesWithParent = true
      child = try ChildProcess.spawn(request)
      let ours = pair.takeOurs()
      descriptor = ours.rawValue
      socket = consume ours
    case .socket(let path):
      do throws(ConnectError) {
        let ours = try ClientSocket.descriptor(connectedTo: path, trusting: .root)
        descriptor = ours.rawValue
        socket = consume ours
      } catch {
        throw SystemError("connect", code: ECONNREFUSED, subject: path)
      }
    }
    guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemError("fcntl", code: errno)
    }
    try loop.add(descriptor, interest: .readable) { [weak self] ready in self?.handle(ready) }
  }

  deinit { close() }

  /// Ends the connection, with which the process ends.
  func close() {
    guard socket != nil else { return }
    loop.remove(descriptor)
    socket = nil
    child = nil
    output = []
  }

  // MARK: Writing

  /// Sends a message behind its size.
  func send(_ message: [UInt8]) { send(raw: HubFrame.header(message.count) + message) }

  /// Sends a secret behind its size, from wiped memory.
  ///
  /// It is short and goes out behind a short message, so a socket that does not take it at once is given up.
  func send(secret: borrowing Secret) {
    send(raw: HubFrame.header(secret.count))
    // A descriptor that was closed may be another file by now, which must not get the secret.
    guard socket != nil, output.isEmpty else { return fail() }
    // SAFETY: the bytes are lent for the call.
    let count = unsafe secret.withUnsafeBytes { bytes in
      unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    if count != secret.count { fail() }
  }

  private func send(raw bytes: [UInt8]) {
    guard socket != nil else { return }
    guard output.count - written + bytes.count <= Self.queuedMax else { return fail() }
    output += bytes
    flush()
  }

  private func flush() {
    while written < output.count {
      // SAFETY: the rest of the array is lent for the call.
      let count = unsafe output.withUnsafeBytes { bytes in
        unsafe Glibc.send(
          descriptor,
          bytes.baseAddress.map { unsafe $0 + written },
          bytes.count - written,
          Int32(MSG_NOSIGNAL)
        )
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return watch(forWriting: true) }
      guard count > 0 else { return fail() }
      written += count
    }
    output = []
    written = 0
    watch(forWriting: false)
  }

  private func watch(forWriting isWaiting: Bool) {
    guard isWaiting != isWaitingToWrite else { return }
    isWaitingToWrite = isWaiting
    try? loop.modify(descriptor, interest: isWaiting ? [.readable, .writable] : .readable)
  }

  // MARK: Reading

  private func handle(_ ready: Readiness) {
    if ready.contains(.writable) { flush() }
    guard !ready.isDisjoint(with: [.readable, .hungUp, .failed]), socket != nil else { return }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    // SAFETY: the array is lent for the call.
    let count = unsafe chunk.withUnsafeMutableBytes { bytes in
      unsafe read(descriptor, bytes.baseAddress, bytes.count)
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { return fail() }
    input.append(chunk.prefix(count))
    deliver()
  }

  private func deliver() {
    do throws(HubFrameBuffer.Malformed) {
      while socket != nil, let message = try input.next() { onMessage(message) }
    } catch { fail() }
  }

  private func fail() {
    guard socket != nil else { return }
    close()
    loop.onNextTurn { [onEnd] in onEnd() }
  }
}
