import Glibc

/// An append-only file with one owner.
///
/// Appended bytes survive the end of the process but not a power cut: nothing is synced.
public struct AppendFile: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  /// The size before an append that failed, while what it left could not be cut off.
  private var sizeBefore: Int?

  /// Opens the file `name` in `directory`, creating it with mode 0600 if it does not exist.
  ///
  /// - Throws: ``DurableFileError``, also when the file is not a regular file private to this user.
  public init(
    opening name: String,
    in directory: borrowing PrivateDirectory
  ) throws(DurableFileError) {
    let flags = O_RDWR | O_APPEND | O_CREAT
    guard let opened = try DurableFile.open(name, in: directory, flags, mode: 0o600) else {
      throw .system(SystemError("openat", code: ENOENT, subject: name))
    }
    _ = try DurableFile.checkedSize(of: opened.rawValue, name)
    descriptor = opened
  }

  /// Reads the whole file `name`; nil if it does not exist.
  ///
  /// - Throws: ``DurableFileError``, also when the file is not a regular file private to this user.
  public static func contents(
    of name: String,
    in directory: borrowing PrivateDirectory
  ) throws(DurableFileError) -> [UInt8]? {
    guard let opened = try DurableFile.open(name, in: directory, O_RDONLY) else { return nil }
    _ = try DurableFile.checkedSize(of: opened.rawValue, name)
    do throws(SystemError) {
      return try AppendFile(opened).contents()
    } catch {
      throw .system(error)
    }
  }

  private init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  /// Reads the whole file.
  public func contents() throws(SystemError) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      // SAFETY: the array's storage is valid for the call and `count` bytes long.
      let count = unsafe pread(descriptor.rawValue, &chunk, chunk.count, off_t(all.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("pread", code: errno) }
      guard count > 0 else { return all }
      all += chunk[..<count]
    }
  }

  /// Appends all of `bytes`, or nothing.
  ///
  /// What a failed append left is cut off: at once, or else before the next append.
  ///
  /// - Throws: ``SystemError``, for example when the disk is full.
  public mutating func append(_ bytes: [UInt8]) throws(SystemError) {
    try cutOff()
    let size = try size()
    do throws(SystemError) {
      try write(bytes)
    } catch {
      sizeBefore = size
      try? cutOff()
      throw error
    }
  }

  private func write(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the slice's storage is valid in the closure.
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor.rawValue, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  private mutating func cutOff() throws(SystemError) {
    guard let sizeBefore else { return }
    try truncate(to: sizeBefore)
    self.sizeBefore = nil
  }

  private func size() throws(SystemError) -> Int {
    // Nothing else goes by the offset: writes append, and reads name their own.
    let size = lseek(descriptor.rawValue, 0, SEEK_END)
    guard size >= 0 else { throw SystemError("lseek", code: errno) }
    return Int(size)
  }

  /// Cuts the file off after its first `size` bytes.
  public func truncate(to size: Int) throws(SystemError) {
    guard ftruncate(descriptor.rawValue, off_t(size)) == 0 else {
      throw SystemError("ftruncate", code: errno)
    }
  }

  /// Renames a file in `directory`, replacing a file that has the new name.
  ///
  /// - Returns: whether there was such a file.
  @discardableResult
  public static func rename(
    _ name: String,
    to other: String,
    in directory: borrowing PrivateDirectory
  ) throws(SystemError) -> Bool {
    let number = directory.descriptor.rawValue
    // SAFETY: the strings are C strings for the length of the call.
    guard unsafe renameat(number, name, number, other) != 0 else { return true }
    guard errno == ENOENT else { throw SystemError("renameat", code: errno, subject: name) }
    return false
  }
}
