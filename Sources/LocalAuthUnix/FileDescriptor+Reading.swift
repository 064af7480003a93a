import Glibc

extension FileDescriptor {
  /// Reads this file from `offset` until `buffer` is full or the file ends; returns how many bytes.
  ///
  /// - Throws: the error of `pread`.
  @unsafe
  package borrowing func read(
    _ buffer: UnsafeMutableRawBufferPointer,
    at offset: Int
  ) throws(SystemError) -> Int {
    var total = 0
    while total < buffer.count {
      // SAFETY: the rest of the buffer is written.
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[total...])
      let count = unsafe pread(rawValue, rest.baseAddress, rest.count, offset + total)
      if count == 0 { break }
      guard count > 0 || errno == EINTR else { throw SystemError("pread", code: errno) }
      total += max(count, 0)
    }
    return total
  }
}
