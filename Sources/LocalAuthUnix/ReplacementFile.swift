import CLocalAuthLinux
import Glibc

/// A file that has its name only once it is complete, in place of one that was there.
///
/// Until then it has no name at all, so nothing is left of it if this process dies. A file that
/// replaces another has a name of its own, `.NAME.PID.new`, for the moment between two system calls,
/// and where the file system knows no files without names, from the beginning: that may be left.
public final class ReplacementFile {
  /// The descriptor to write to.
  public var descriptor: Int32 { file.rawValue }
  private let path: String
  private let directory: FileDescriptor
  private let name: String
  private let file: FileDescriptor
  /// The name that it has for the time being.
  private var temporary: String?

  /// Begins a file that will be at `path`, of a mode that the mask for new files reduces.
  ///
  /// - Throws: `SystemError`; EISDIR or EINVAL if something other than a regular file is there.
  public init(at path: String, mode: UInt32 = 0o600) throws(SystemError) {
    self.path = path
    let slash = path.lastIndex(of: "/")
    name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let parent = slash.map { String(path[...$0]) } ?? "."
    guard !name.isEmpty else { throw SystemError("open", code: EISDIR, subject: path) }
    // SAFETY: the string is a C string for the length of the call.
    let opened = unsafe open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw SystemError("open", code: errno, subject: parent) }
    directory = FileDescriptor(owning: opened)
    try Self.check(name, in: opened, path)
    let temporary = ".\(name).\(getpid()).new"
    var created = la_unnamed_file(opened, mode)
    if created < 0 {
      // SAFETY: the string is a C string for the length of the call.
      created = unsafe openat(opened, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      self.temporary = created < 0 ? nil : temporary
    }
    guard created >= 0 else { throw SystemError("open", code: errno, subject: path) }
    file = FileDescriptor(owning: created)
  }

  deinit {
    guard let temporary else { return }
    // SAFETY: the string is a C string for the length of the call.
    unsafe unlinkat(directory.rawValue, temporary, 0)
  }

  /// Makes the content durable.
  public func flush() throws(SystemError) {
    guard fsync(file.rawValue) == 0 else { throw failed("fsync") }
  }

  /// Gives the file its name, and makes it durable.
  ///
  /// - Parameter replacing: Whether it may take the place of a file that is there.
  /// - Throws: `SystemError`; EEXIST if a file is there that is not to be replaced.
  public func publish(replacing: Bool = true) throws(SystemError) {
    try flush()
    if temporary == nil || !replacing {
      guard try !link(as: name) else { return try synchronize() }
      guard replacing else { throw SystemError("linkat", code: EEXIST, subject: path) }
      // A link replaces nothing, so it gets a name beside the one it takes.
      let beside = ".\(name).\(getpid()).new"
      guard try link(as: beside) else { throw SystemError("linkat", code: EEXIST, subject: path) }
      temporary = beside
    }
    // SAFETY: the strings are C strings for the length of the call.
    guard let temporary,
      unsafe renameat(directory.rawValue, temporary, directory.rawValue, name) == 0
    else { throw failed("renameat") }
    self.temporary = nil
    try synchronize()
  }

  /// Names the file; false if there is one of that name.
  private func link(as name: String) throws(SystemError) -> Bool {
    let source = "/proc/self/fd/\(file.rawValue)"
    // SAFETY: the strings are C strings for the length of the call.
    if unsafe linkat(AT_FDCWD, source, directory.rawValue, name, AT_SYMLINK_FOLLOW) == 0 {
      return true
    }
    guard errno == EEXIST else { throw failed("linkat") }
    return false
  }

  private func synchronize() throws(SystemError) {
    guard fsync(directory.rawValue) == 0 else { throw failed("fsync") }
  }

  private func failed(_ call: String) -> SystemError {
    SystemError(call, code: errno, subject: path)
  }

  /// Throws if there is something that is no regular file: a pipe or a device is not replaced.
  private static func check(
    _ name: String,
    in directory: Int32,
    _ path: String
  ) throws(SystemError) {
    var status = stat()
    // SAFETY: string and pointer are valid for the call.
    guard unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      guard errno == ENOENT else { throw SystemError("stat", code: errno, subject: path) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      throw SystemError("open", code: isDirectory ? EISDIR : EINVAL, subject: path)
    }
  }
}
