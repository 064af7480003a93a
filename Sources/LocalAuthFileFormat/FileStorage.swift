import Glibc
import LocalAuthSecret

/// The bytes of a file, as system calls read and write them.
protocol FileStorage: AnyObject {
  /// The bytes of the file.
  func size() throws(ProtectedFileError) -> Int
  /// Reads from `offset` until the buffer is full or the file ends; returns how many.
  @unsafe
  func read(
    _ buffer: UnsafeMutableRawBufferPointer,
    at offset: Int
  ) throws(ProtectedFileError) -> Int
  /// Writes all of the buffer at `offset`.
  @unsafe
  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(ProtectedFileError)
  /// Makes the file as long as that.
  func truncate(to size: Int) throws(ProtectedFileError)
  /// Waits until all of it is on the disk.
  func synchronize() throws(ProtectedFileError)
  /// Lets other programs have the file.
  func unlock()
}

extension FileStorage {
  /// Returns `count` bytes from `offset`, or as many as there are.
  func bytes(_ count: Int, at offset: Int) throws(ProtectedFileError) -> [UInt8] {
    var room = Secret(capacity: count)
    try unsafe room.withUnsafeMutableBytes { (room, used) throws(ProtectedFileError) in
      used = try unsafe read(room, at: offset)
    }
    // SAFETY: the bytes are copied within the call.
    return unsafe room.withUnsafeBytes { unsafe Array($0) }
  }

  /// Writes `bytes` at `offset`.
  func write(_ bytes: [UInt8], at offset: Int) throws(ProtectedFileError) {
    try unsafe Secret(copying: bytes).withUnsafeBytes { (bytes) throws(ProtectedFileError) in
      try unsafe write(bytes, at: offset)
    }
  }
}

/// An open file.
final class DescriptorStorage: FileStorage {
  private let descriptor: Int32

  /// Takes ownership of `descriptor` to look at the file, which stays as unlocked as it is: it may be a lock of
  /// somebody else's.
  init(lookingAt descriptor: Int32) { self.descriptor = descriptor }

  /// Takes ownership of `descriptor`, and locks the file against other programs: for one writer or for
  /// many readers.
  convenience init(owning descriptor: Int32, isWritable: Bool) throws(ProtectedFileError) {
    self.init(lookingAt: descriptor)
    guard flock(descriptor, (isWritable ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? .busy : .system(call: "flock", code: errno)
    }
  }

  deinit { close(descriptor) }

  func size() throws(ProtectedFileError) -> Int {
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw failed("fstat") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notProtected }
    return Int(status.st_size)
  }

  @unsafe
  func read(
    _ buffer: UnsafeMutableRawBufferPointer,
    at offset: Int
  ) throws(ProtectedFileError) -> Int {
    var total = 0
    while total < buffer.count {
      // SAFETY: the rest of the buffer is written.
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[total...])
      let count = unsafe pread(descriptor, rest.baseAddress, rest.count, offset + total)
      if count == 0 { break }
      guard count > 0 || errno == EINTR else { throw failed("pread") }
      total += max(count, 0)
    }
    return total
  }

  @unsafe
  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(ProtectedFileError) {
    var total = 0
    while total < buffer.count {
      // SAFETY: the rest of the buffer is read.
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[total...])
      let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + total)
      guard count > 0 || errno == EINTR else { throw failed("pwrite") }
      total += max(count, 0)
    }
  }

  func truncate(to size: Int) throws(ProtectedFileError) {
    guard ftruncate(descriptor, size) == 0 else { throw failed("ftruncate") }
  }

  func synchronize() throws(ProtectedFileError) {
    guard fsync(descriptor) == 0 else { throw failed("fsync") }
  }

  /// Closing alone does not: a process that is forked by another thread has the file a moment longer.
  func unlock() { flock(descriptor, LOCK_UN) }

  private func failed(_ call: String) -> ProtectedFileError { .system(call: call, code: errno) }
}
