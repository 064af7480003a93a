import CLocalAuthLinux
import Glibc

extension FileDescriptor {
  /// Makes reads and writes return at once.
  public borrowing func setNonBlocking() throws(SystemError) {
    _ = try SystemError.check(la_socket_set_nonblocking(rawValue), "fcntl")
  }

  /// Ends a connection for both sides, although the descriptor stays open.
  public borrowing func shutDown() { _ = shutdown(rawValue, Int32(SHUT_RDWR)) }

  /// Writes all of `bytes` to a socket whose peer keeps up; EAGAIN when it does not.
  @unsafe
  public borrowing func writeAll(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      // SAFETY: `sent` lies inside the buffer, which the caller keeps in place.
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

  /// What a non-blocking descriptor has to give now, up to `limit` bytes; empty at its end.
  public borrowing func readAvailable(limit: Int) throws(SystemError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      // SAFETY: the buffer has `limit` bytes for the call.
      let got = unsafe read(rawValue, buffer.baseAddress, limit)
      failure = got < 0 ? errno : 0
      count = max(0, got)
    }
    guard failure == 0 else { throw SystemError("read", code: failure) }
    return bytes
  }
}
