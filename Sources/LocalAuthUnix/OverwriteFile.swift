import Glibc

/// One record of a fixed size, overwritten in place, and durable once ``sync()`` returns.
///
/// Its blocks are written when the file is made, so that an overwrite costs one synced write and no
/// change of metadata. A checksum tells a whole record from a torn, short or absent one; it is no
/// protection against somebody who can write to the directory.
public struct OverwriteFile: ~Copyable, Sendable {
  /// The largest record, in bytes: with its checksum it stays inside one 512-byte sector, which
  /// disks write whole.
  public static let largestRecord = 504

  /// How long the record is, in bytes.
  public let recordSize: Int
  private let descriptor: FileDescriptor
  private let name: String
  private let isReadOnly: Bool

  /// Opens the file `name` in `directory`, making it if there is none.
  ///
  /// One that can only be read is opened, and ``write(_:)`` fails.
  ///
  /// - Parameters:
  ///   - name: a file name, not a path.
  ///   - directory: where it is.
  ///   - recordSize: 1 to ``largestRecord`` bytes.
  /// - Throws: ``DurableFileError``, also when the file is not ours alone.
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

  /// Opens the file `name` in `directory`; nil where there is none.
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

  /// Reads the record into `buffer`, which has ``recordSize`` bytes; false when there is no whole
  /// record: none was written yet, or the file is torn, short or too long.
  ///
  /// - Throws: ``DurableFileError``, when the file cannot be read. Either is a reason to refuse.
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

  /// Overwrites the record with ``recordSize`` bytes: every later reader sees them, also when this
  /// process ends at once; only ``sync()`` keeps them through a loss of power.
  ///
  /// - Throws: what the system reports; the record may then be the old one, the new one or neither.
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

  /// Returns when what was written last is on the disk.
  ///
  /// - Throws: what the disk reports; the record must then be written again.
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

  /// FNV-1a in 64 bits; a record of zeros has a sum that is not zero.
  private static func checksum(of record: UnsafeRawBufferPointer) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    // SAFETY: the iteration stays inside the buffer.
    for index in 0..<record.count {
      sum = unsafe (sum ^ UInt64(record[index])) &* 0x100_0000_01b3
    }
    return sum
  }
}
