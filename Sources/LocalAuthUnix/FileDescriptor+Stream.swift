import CLocalAuthLinux
import Glibc

extension FileDescriptor {
  /// Makes the descriptor non-blocking.
  public borrowing func setNonBlocking() throws(SystemError) {
    _ = try SystemError.check(la_socket_set_nonblocking(rawValue), "fcntl")
  }

  /// Shuts a connection down in both directions; the descriptor stays open.
  public borrowing func shutDown() { _ = shutdown(rawValue, Int32(SHUT_RDWR)) }

  /// Writes all of `bytes` to a socket; throws EAGAIN if a non-blocking one is full.
  @unsafe
  public borrowing func writeAll(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      // SAFETY: `sent` lies inside the buffer, which the caller keeps valid.
      let count = unsafe Glibc.send(
        rawValue,
        bytes.baseAddress.map { unsafe $0 + sent },
        bytes.count - sent,
        Int32(MSG_NOSIGNAL)
      )
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("send", code: errno) }
      sent += count
    }
  }

  /// Reads once, up to `limit` bytes; empty at the end of the file.
  public borrowing func readAvailable(limit: Int) throws(SystemError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      // SAFETY: the buffer holds `limit` bytes for the call.
      let got = unsafe Glibc.read(rawValue, buffer.baseAddress, limit)
      failure = got < 0 ? errno : 0
      count = max(0, got)
    }
    guard failure == 0 else { throw SystemError("read", code: failure) }
    return bytes
  }
}
