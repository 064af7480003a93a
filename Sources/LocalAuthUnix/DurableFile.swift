import Glibc

/// Small files that after a power cut are either complete or absent.
///
/// Reads into memory the caller provides, so a key goes straight into wiped memory. The directory
/// has one owner: concurrent writers of one name are not expected, and one of them gets an error.
public enum DurableFile {
  /// Creates a file with mode 0600.
  ///
  /// - Throws: ``DurableFileError/alreadyExists(name:)``, leaving an existing file unchanged.
  public static func create(
    _ name: String,
    in directory: borrowing PrivateDirectory,
    contents: UnsafeRawBufferPointer
  ) throws(DurableFileError) {
    let temporary = try unsafe writeTemporary(for: name, in: directory, contents: contents)
    // A link fails if the name exists; a rename would replace the file.
    // SAFETY: the strings are C strings for the length of the calls.
    let linked = unsafe linkat(
      directory.descriptor.rawValue,
      temporary,
      directory.descriptor.rawValue,
      name,
      0
    )
    let failure = linked == 0 ? 0 : errno
    unsafe unlinkat(directory.descriptor.rawValue, temporary, 0)
    if failure == EEXIST { throw .alreadyExists(name: name) }
    guard failure == 0 else { throw .system(SystemError("linkat", code: failure, subject: name)) }
    try synchronize(directory)
  }

  /// Creates a file with mode 0600, or atomically replaces an existing one.
  public static func replace(
    _ name: String,
    in directory: borrowing PrivateDirectory,
    contents: UnsafeRawBufferPointer
  ) throws(DurableFileError) {
    let temporary = try unsafe writeTemporary(for: name, in: directory, contents: contents)
    // SAFETY: the strings are C strings for the length of the call.
    let renamed = unsafe renameat(
      directory.descriptor.rawValue,
      temporary,
      directory.descriptor.rawValue,
      name
    )
    guard renamed == 0 else { throw .system(SystemError("renameat", code: errno, subject: name)) }
    try synchronize(directory)
  }

  /// Reads a whole file into `buffer` and returns its length; nil if it does not exist.
  ///
  /// - Throws: ``DurableFileError/tooLarge(name:limit:)`` if it does not fit, and another error if
  ///   it is not a regular file that belongs to this user and is closed to everybody else.
  public static func read(
    _ name: String,
    in directory: borrowing PrivateDirectory,
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(DurableFileError) -> Int? {
    guard let descriptor = try open(name, in: directory, O_RDONLY) else { return nil }
    let size = try checkedSize(of: descriptor.rawValue, name)
    guard size <= buffer.count else { throw .tooLarge(name: name, limit: buffer.count) }
    var count = 0
    while count < size {
      // SAFETY: the target lies inside `buffer`, since `count < size <= buffer.count`.
      let got = unsafe pread(
        descriptor.rawValue,
        buffer.baseAddress.map { unsafe $0 + count },
        size - count,
        off_t(count)
      )
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .system(SystemError("pread", code: errno, subject: name)) }
      if got == 0 { break }
      count += got
    }
    return count
  }

  /// Opens a file without following a symbolic link or blocking on a FIFO; nil if it does not
  /// exist.
  static func open(
    _ name: String,
    in directory: borrowing PrivateDirectory,
    _ flags: Int32,
    mode: mode_t = 0
  ) throws(DurableFileError) -> FileDescriptor? {
    let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    // SAFETY: the string is a C string for the length of the call.
    let opened = unsafe openat(directory.descriptor.rawValue, name, flags, mode)
    if opened >= 0 { return FileDescriptor(owning: opened) }
    if errno == ENOENT { return nil }
    if errno == ELOOP { throw .notRegular(name: name) }
    throw .system(SystemError("openat", code: errno, subject: name))
  }

  /// The size of a file; throws unless it is a regular file of this user, closed to everybody else.
  static func checkedSize(
    of descriptor: Int32,
    _ name: String
  ) throws(DurableFileError) -> Int {
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .system(SystemError("fstat", code: errno))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(name: name) }
    guard status.st_uid == geteuid() else { throw .foreignOwner(name: name, uid: status.st_uid) }
    guard status.st_mode & 0o077 == 0 else {
      throw .openToOthers(name: name, mode: status.st_mode & 0o7777)
    }
    return Int(status.st_size)
  }

  private static func writeTemporary(
    for name: String,
    in directory: borrowing PrivateDirectory,
    contents: UnsafeRawBufferPointer
  ) throws(DurableFileError) -> String {
    let temporary = ".\(name).new"
    // A temporary file left behind by a crash was never linked or renamed, so it is not needed.
    // SAFETY: the string is a C string for the length of the call.
    unsafe unlinkat(directory.descriptor.rawValue, temporary, 0)
    let flags = O_WRONLY | O_CREAT | O_EXCL
    guard let descriptor = try open(temporary, in: directory, flags, mode: 0o600) else {
      throw .system(SystemError("openat", code: ENOENT))
    }
    do throws(SystemError) {
      try unsafe writeAll(contents, to: descriptor.rawValue)
      guard fsync(descriptor.rawValue) == 0 else { throw SystemError("fsync", code: errno) }
    } catch {
      unsafe unlinkat(directory.descriptor.rawValue, temporary, 0)
      throw .system(error)
    }
    return temporary
  }

  private static func synchronize(
    _ directory: borrowing PrivateDirectory
  ) throws(DurableFileError) {
    do throws(SystemError) { try directory.synchronize() } catch { throw .system(error) }
  }
}

/// Writes all of `bytes` at the beginning of a file.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
  var count = 0
  while count < bytes.count {
    // SAFETY: the source lies inside `bytes`, since `count < bytes.count`.
    let wrote = unsafe pwrite(
      descriptor,
      bytes.baseAddress.map { unsafe $0 + count },
      bytes.count - count,
      off_t(count)
    )
    if wrote < 0, errno == EINTR { continue }
    guard wrote > 0 else { throw SystemError("pwrite", code: wrote < 0 ? errno : EIO) }
    count += wrote
  }
}

/// Why a durable file was not read or written.
public enum DurableFileError: Error, CustomStringConvertible {
  /// The file to be created exists already.
  case alreadyExists(name: String)
  /// The file does not fit the caller's buffer.
  case tooLarge(name: String, limit: Int)
  /// It is a symbolic link, a pipe, a directory or a device.
  case notRegular(name: String)
  /// It belongs to another user.
  case foreignOwner(name: String, uid: UInt32)
  /// Its group or others have access to it.
  case openToOthers(name: String, mode: UInt32)
  /// Its contents are not valid for a file of this name.
  case damaged(name: String)
  /// A system call failed.
  case system(SystemError)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .alreadyExists(let name): "\(name) exists already: it is not overwritten"
    case .tooLarge(let name, let limit):
      "\(name) is larger than \(limit) bytes: it is not a file of ours, so move it away"
    case .notRegular(let name): "\(name) is not a regular file: move it away"
    case .foreignOwner(let name, let uid): "\(name) belongs to user \(uid): correct its owner"
    case .openToOthers(let name, let mode):
      "\(name) has mode \(String(mode, radix: 8)), so that others can reach it: "
        + "take its secret for known, or run chmod 600 on it"
    case .damaged(let name):
      "\(name) is damaged: put back a copy of it; it is left as it is"
    case .system(let error): "\(error)"
    }
  }
}
