import Glibc

/// A directory that only this user can write to, held open so that it cannot be replaced.
public struct PrivateDirectory: ~Copyable, Sendable {
  /// The path, without a trailing slash.
  public let path: String
  let descriptor: FileDescriptor

  /// Opens a directory and checks that it belongs to this user and that nobody else may write to
  /// it.
  ///
  /// - Parameters:
  ///   - path: an absolute path; its last component must not be a symbolic link.
  ///   - creating: whether to create it, and missing directories above it, with mode 0700.
  /// - Throws: ``PrivateDirectoryError``.
  public init(opening path: String, creating: Bool = true) throws(PrivateDirectoryError) {
    let path = withoutTrailingSlashes(path)
    var opened = PrivateDirectory.open(path)
    if opened < 0, errno == ENOENT, creating {
      try PrivateDirectory.create(path)
      opened = PrivateDirectory.open(path)
    }
    guard opened >= 0 else { throw PrivateDirectory.failure("open", at: path) }
    let descriptor = FileDescriptor(owning: opened)
    try PrivateDirectory.check(descriptor.rawValue, at: path)
    self.path = path
    self.descriptor = descriptor
  }

  /// The path of a file in it, for a library that opens by path.
  public func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

  /// Whether an entry of that name exists; a symbolic link counts, even a dangling one.
  public func holds(_ name: String) -> Bool {
    // SAFETY: the string is a C string for the length of the call.
    unsafe faccessat(descriptor.rawValue, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Lends `body` a new directory, which must be empty again when that returns.
  public static func withTemporary<Result: ~Copyable>(
    _ body: (borrowing PrivateDirectory) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    var template = Array("/tmp/localauth-XXXXXX".utf8CString)
    // SAFETY: the template is a C string that mkdtemp modifies in place.
    guard unsafe mkdtemp(&template) != nil else {
      throw SystemError("mkdtemp", code: errno, subject: "/tmp")
    }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // SAFETY: the path is a C string for the length of the call.
    defer { _ = unsafe rmdir(path) }
    let directory: PrivateDirectory
    do throws(PrivateDirectoryError) {
      directory = try PrivateDirectory(opening: path, creating: false)
    } catch {
      throw SystemError("open", code: EACCES, subject: "\(error)")
    }
    return try body(directory)
  }

  /// Makes a directory, and missing ones above it, that every user can list and enter.
  ///
  /// - Returns: whether it was made; one that exists stays as it is.
  /// - Throws: ``PrivateDirectoryError``.
  public static func createForAll(_ path: String) throws(PrivateDirectoryError) -> Bool {
    let path = withoutTrailingSlashes(path)
    // SAFETY: here and below, the path is a C string for the length of the call.
    if unsafe mkdir(path, 0o755) != 0 {
      if errno == EEXIST { return false }
      let parent = directory(ofPath: path)
      guard errno == ENOENT, parent != path else { throw failure("mkdir", at: path) }
      _ = try createForAll(parent)
      guard unsafe mkdir(path, 0o755) == 0 else { throw failure("mkdir", at: path) }
    }
    // The mask for new files may have closed it.
    try PrivateDirectory(opening: path, creating: false).openForAll()
    return true
  }

  /// Lets every user list and enter the directory; nobody else may write to it.
  public borrowing func openForAll() throws(PrivateDirectoryError) {
    guard fchmod(descriptor.rawValue, 0o755) == 0 else {
      throw Self.failure("fchmod", at: path)
    }
  }

  /// Whether every user can enter the directory.
  public var isOpenForAll: Bool {
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    return unsafe fstat(descriptor.rawValue, &status) == 0 && status.st_mode & 0o001 != 0
  }

  /// Makes its entries durable: a created or renamed file survives a power cut.
  func synchronize() throws(SystemError) {
    guard fsync(descriptor.rawValue) == 0 else { throw SystemError("fsync", code: errno) }
  }

  private static func open(_ path: String) -> Int32 {
    // SAFETY: the string is a C string for the length of the call.
    unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  private static func create(_ path: String) throws(PrivateDirectoryError) {
    // SAFETY: the string is a C string for the length of the call.
    if unsafe mkdir(path, 0o700) != 0 {
      if errno == EEXIST { return }
      let parent = directory(ofPath: path)
      guard errno == ENOENT, parent != path else { throw failure("mkdir", at: path) }
      try create(parent)
      guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw failure("mkdir", at: path)
      }
    }
    try synchronizeParent(of: path)
  }

  /// Without this, a power cut could remove a new state directory and the strikes counted in it.
  private static func synchronizeParent(of path: String) throws(PrivateDirectoryError) {
    do throws(SystemError) { try FileDescriptor.synchronizeParent(of: path) } catch {
      throw failure(error.call, code: error.code, at: directory(ofPath: path))
    }
  }

  private static func check(_ descriptor: Int32, at path: String) throws(PrivateDirectoryError) {
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("fstat", at: path) }
    guard status.st_uid == geteuid() else {
      throw .foreignOwner(path: path, uid: status.st_uid)
    }
    guard status.st_mode & 0o022 == 0 else {
      throw .writableByOthers(path: path, mode: status.st_mode & 0o7777)
    }
  }

  private static func failure(
    _ call: String,
    code: Int32 = errno,
    at path: String
  ) -> PrivateDirectoryError {
    // A symbolic link as the last component fails with ELOOP or ENOTDIR.
    if code == ENOTDIR || code == ELOOP { return .notDirectory(path: path) }
    return .system(SystemError(call, code: code, subject: path))
  }
}

/// Why a directory cannot be used as a private one.
public enum PrivateDirectoryError: Error, CustomStringConvertible {
  /// It is a file or a symbolic link.
  case notDirectory(path: String)
  /// It belongs to another user.
  case foreignOwner(path: String, uid: UInt32)
  /// Its group or others may write to it.
  case writableByOthers(path: String, mode: UInt32)
  /// A system call failed.
  case system(SystemError)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .notDirectory(let path):
      "\(path) is not a directory (symbolic links are not followed): name the directory itself"
    case .foreignOwner(let path, let uid):
      "\(path) belongs to user \(uid): use a directory of your own, or correct its owner"
    case .writableByOthers(let path, let mode):
      "\(path) has mode \(String(mode, radix: 8)), so that others can change what is in it: "
        // One with the sticky bit is everybody's on purpose, as /tmp is.
        + (mode & 0o1000 == 0 ? "run chmod 700 \(path)" : "use a directory of your own")
    case .system(let error):
      "\(error.subject ?? "the directory") cannot be \(error.call == "mkdir" ? "made" : "used"): "
        + "\(error.reason)"
    }
  }
}
