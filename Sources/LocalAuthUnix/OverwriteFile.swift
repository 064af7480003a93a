import Glibc

/// A fixed-size record, overwritten in place, and durable once ``sync()`` returns.
///
/// The file's blocks are allocated when it is created, so that an overwrite is one synced write
/// without a change of metadata. A checksum detects a torn, short or absent record; it does not
/// protect against tampering by a user who can write to the directory.
public struct OverwriteFile: ~Copyable, Sendable {
  /// The largest record, in bytes: with its checksum it fits one 512-byte sector, which disks write
  /// whole.
  public static let largestRecord = 504

  /// The record size, in bytes.
  public let recordSize: Int
  private let descriptor: FileDescriptor
  private let name: String
  private let isReadOnly: Bool

  /// Opens the file `name` in `directory`, creating it if it does not exist.
  ///
  /// A read-only file is opened as well, but ``write(_:)`` then fails.
  ///
  /// - Parameters:
  ///   - name: a file name, not a path.
  ///   - directory: the directory of the file.
  ///   - recordSize: 1 to ``largestRecord`` bytes.
  /// - Throws: ``DurableFileError``, also when the file is not a regular file private to this user.
  public init(
    opening name: String,
    in directory: borrowing PrivateDirectory,
    recordSize: Int
  ) throws(DurableFileError) {
    precondition((1...OverwriteFile.largestRecord).contains(recordSize))
    let size = recordSize + OverwriteFile.checksumSize
    var opened = try OverwriteFile.open(name, in: directory)
    if opened == nil {
      try OverwriteFile.allocate(name, in: directory, size: size)
      opened = try OverwriteFile.open(name, in: directory)
    }
    guard let descriptor = opened else {
      throw .system(SystemError("openat", code: ENOENT))
    }
    _ = try DurableFile.checkedSize(of: descriptor.rawValue, name)
    isReadOnly = fcntl(descriptor.rawValue, F_GETFL) & O_ACCMODE == O_RDONLY
    self.recordSize = recordSize
    self.descriptor = descriptor
    self.name = name
  }

  /// Opens the file `name` in `directory`; nil if it does not exist.
  ///
  /// Parameters and errors are those of ``init(opening:in:recordSize:)``.
  public init?(
    existing name: String,
    in directory: borrowing PrivateDirectory,
    recordSize: Int
  ) throws(DurableFileError) {
    guard try OverwriteFile.open(name, in: directory) != nil else { return nil }
    try self.init(opening: name, in: directory, recordSize: recordSize)
  }

  /// Reads the record into `buffer`, which must hold ``recordSize`` bytes.
  ///
  /// Returns false if there is no valid record: none was written yet, or the file is torn, short or
  /// too long.
  /// - Throws: ``DurableFileError``, if the file cannot be read. Treat both as a reason to refuse.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(DurableFileError) -> Bool {
    precondition(buffer.count == recordSize)
    let size = try DurableFile.checkedSize(of: descriptor.rawValue, name)
    guard size == recordSize + OverwriteFile.checksumSize else { return false }
    // SAFETY: the allocation has `size` bytes, and everything below stays inside it.
    let count = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { whole in
      let count = unsafe pread(descriptor.rawValue, whole.baseAddress, size, 0)
      guard count == size else { return count }
      let record = unsafe UnsafeRawBufferPointer(rebasing: whole[..<recordSize])
      let stored = unsafe whole.loadUnaligned(fromByteOffset: recordSize, as: UInt64.self)
      guard stored == (unsafe OverwriteFile.checksum(of: record)) else { return 0 }
      unsafe buffer.copyMemory(from: record)
      return count
    }
    guard count >= 0 else { throw .system(SystemError("pread", code: errno)) }
    return count == size
  }

  /// Overwrites the record with ``recordSize`` bytes.
  ///
  /// Every later reader sees them, even if this process ends at once; only ``sync()`` preserves
  /// them through a power cut.
  /// - Throws: the error of `pwrite`; the record may then be the old one, the new one or neither.
  public func write(_ record: UnsafeRawBufferPointer) throws(SystemError) {
    precondition(record.count == recordSize)
    guard !isReadOnly else { throw SystemError("pwrite", code: EROFS, subject: name) }
    let size = recordSize + OverwriteFile.checksumSize
    // SAFETY: the allocation has `size` bytes, and everything below stays inside it.
    let wrote = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { whole in
      unsafe whole.copyMemory(from: record)
      let sum = unsafe OverwriteFile.checksum(of: record)
      unsafe whole.storeBytes(of: sum, toByteOffset: recordSize, as: UInt64.self)
      return unsafe pwrite(descriptor.rawValue, whole.baseAddress, size, 0)
    }
    guard wrote == size else {
      throw SystemError("pwrite", code: wrote < 0 ? errno : EIO)
    }
  }

  /// Makes the last write durable.
  ///
  /// - Throws: the error of `fdatasync`; the record must then be written again.
  public func sync() throws(SystemError) {
    guard fdatasync(descriptor.rawValue) == 0 else { throw SystemError("fdatasync", code: errno) }
  }

  private static let checksumSize = 8

  private static func open(
    _ name: String,
    in directory: borrowing PrivateDirectory
  ) throws(DurableFileError) -> FileDescriptor? {
    do throws(DurableFileError) {
      return try DurableFile.open(name, in: directory, O_RDWR)
    } catch {
      guard case .system(let failure) = error, failure.forbidsWriting else { throw error }
      guard let opened = try DurableFile.open(name, in: directory, O_RDONLY) else { throw error }
      return opened
    }
  }

  private static func allocate(
    _ name: String,
    in directory: borrowing PrivateDirectory,
    size: Int
  ) throws(DurableFileError) {
    let zeros = [UInt8](repeating: 0, count: size)
    var failure: DurableFileError?
    // SAFETY: the bytes are the array's own, valid inside the closure.
    unsafe zeros.withUnsafeBytes { bytes in
      do throws(DurableFileError) {
        try unsafe DurableFile.create(name, in: directory, contents: bytes)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// 64-bit FNV-1a; zeros have a nonzero checksum, so a new file holds no valid record.
  private static func checksum(of record: UnsafeRawBufferPointer) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    // SAFETY: the iteration stays inside the buffer.
    for index in 0..<record.count {
      sum = unsafe (sum ^ UInt64(record[index])) &* 0x100_0000_01b3
    }
    return sum
  }
}
