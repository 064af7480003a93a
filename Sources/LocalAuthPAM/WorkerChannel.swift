import Glibc
import LocalAuthSecret
public import LocalAuthWire

/// The worker's end of the socket to the daemon; it blocks and transfers whole frames.
final class WorkerChannel {
  private let descriptor: Int32

  /// Uses a connected socket and closes it on deinit.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    // Modules start programs, which must not inherit the socket; and the loop needs blocking calls.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
  }

  deinit {
    close(descriptor)
  }

  /// Receives the body of the next frame into wiped memory, because it may hold a password.
  func receive() throws(WorkerEnding) -> Secret {
    var length: UInt32 = 0
    // SAFETY: any bytes are a valid integer.
    unsafe try withUnsafeMutableBytes(of: &length) { bytes throws(WorkerEnding) in
      unsafe try fill(bytes)
    }
    let size: Int
    do { size = try WorkerMessage.bodySize(length: UInt32(littleEndian: length)) } catch {
      throw .malformed(error)
    }
    var body = Secret(capacity: size)
    unsafe try body.withUnsafeMutableBytes { bytes, count throws(WorkerEnding) in
      unsafe try fill(bytes)
      count = size
    }
    return body
  }

  /// Sends one whole message.
  func send(_ reply: WorkerReply) throws(WorkerEnding) {
    let frame = reply.frame
    var sent = 0
    while sent < frame.count {
      let count = unsafe frame.withUnsafeBytes { bytes in
        // SAFETY: `sent` is less than the count, so the rest lies in the array.
        unsafe Glibc.send(
          descriptor,
          bytes.baseAddress?.advanced(by: sent),
          bytes.count - sent,
          Int32(MSG_NOSIGNAL)
        )
      }
      if count > 0 {
        sent += count
      } else if errno != EINTR {
        throw errno == EPIPE || errno == ECONNRESET ? .peerClosed : .failed(errno: errno)
      }
    }
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(WorkerEnding) {
    var filled = 0
    while filled < buffer.count {
      // SAFETY: the rest of the buffer begins at `filled`.
      let count = unsafe read(
        descriptor,
        buffer.baseAddress?.advanced(by: filled),
        buffer.count - filled
      )
      if count > 0 {
        filled += count
      } else if count == 0 || errno == ECONNRESET {
        throw .peerClosed
      } else if errno != EINTR {
        throw .failed(errno: errno)
      }
    }
  }
}

/// Why a worker stops serving a connection.
public enum WorkerEnding: Error, Equatable, Sendable {
  /// The daemon closed its end or is gone.
  case peerClosed
  /// The daemon sent something that is not a message.
  case malformed(WorkerMessageError)
  /// The daemon started a conversation during another one.
  case secondConversation
  /// The socket failed with this error number.
  case failed(errno: Int32)

  /// The exit status of a worker for this ending, by sysexits(3).
  public var exitStatus: Int32 {
    switch self {
    case .peerClosed: EX_OK
    case .malformed, .secondConversation: EX_PROTOCOL
    case .failed: EX_IOERR
    }
  }
}
