import CLocalAuthLinux
import Glibc

/// A file that has its name only once it is complete, in place of one that was there.
///
/// Until then it has no name at all, so nothing is left of it if this process dies. A file that
/// replaces another has a name of its own, `.NAME.PID.new`, for the moment between two system calls,
/// and where the file system knows no files without names, from the beginning. SIGKILL leaves that, and every
/// signal that ends a program which did not call ``goWithSignals()``.
public final class ReplacementFile {
  /// The descriptor to write to.
  public var descriptor: Int32 { file.rawValue }
  private let entry: DirectoryEntry
  private let file: FileDescriptor
  /// The name that it has for the time being.
  private var temporary: PassingName?
  /// Whether it has its own name, which need not be durable if ``publish(replacing:)`` failed.
  public private(set) var isInPlace = false

  /// Has what is not complete removed before SIGINT, SIGTERM, SIGHUP or SIGQUIT ends this program.
  ///
  /// It is for programs: a library leaves signals to whom it is linked into.
  public static func goWithSignals() { la_drafts_go_with_signals() }

  /// Begins a file that will be at `path`, of a mode that the mask for new files reduces.
  ///
  /// - Throws: `SystemError`; EISDIR or EINVAL if something other than a regular file is there.
  public convenience init(at path: String, mode: UInt32 = 0o600) throws(SystemError) {
    try self.init(at: try DirectoryEntry(path), mode: mode)
  }

  /// Begins a file that will be in a directory that is held open.
  ///
  /// - Throws: `SystemError`, as above.
  public init(at entry: DirectoryEntry, mode: UInt32 = 0o600) throws(SystemError) {
    try Self.check(entry)
    var created = la_unnamed_file(entry.directory, mode)
    if created < 0 {
      let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
      let name = Self.temporaryName(of: entry)
      // SAFETY: the string is a C string for the length of the call.
      created = unsafe openat(entry.directory, name.text, flags, mode)
      temporary = created < 0 ? nil : name
    }
    guard created >= 0 else { throw SystemError("open", code: errno, subject: entry.path) }
    self.entry = entry
    file = FileDescriptor(owning: created)
  }

  /// A long name is cut, because the longest that a directory can have leaves no room for more.
  private static func temporaryName(of entry: DirectoryEntry) -> PassingName {
    let name = String(decoding: entry.name.utf8.prefix(200), as: UTF8.self)
    return PassingName(".\(name).\(getpid()).new", beside: entry)
  }

  deinit {
    guard let temporary else { return }
    // SAFETY: the string is a C string for the length of the call.
    unsafe unlinkat(entry.directory, temporary.text, 0)
  }

  /// Makes the content durable.
  public func flush() throws(SystemError) {
    guard fsync(file.rawValue) == 0 else { throw failed("fsync") }
  }

  /// Gives the file its name, and makes it durable.
  ///
  /// - Parameter replacing: Whether it may take the place of a file that is there.
  /// - Throws: `SystemError`; EEXIST if a file is there that is not to be replaced. What was there is unchanged then, unless
  ///   ``isInPlace`` says that the file has its name all the same, which need not be so after a power failure.
  public func publish(replacing: Bool = true) throws(SystemError) {
    try flush()
    if let temporary {
      try rename(temporary, replacing: replacing)
    } else if try !link(as: entry.name) {
      // A link replaces nothing, so it gets a name beside the one it takes.
      let beside = Self.temporaryName(of: entry)
      guard replacing, try link(as: beside.text) else {
        throw SystemError("linkat", code: EEXIST, subject: entry.path)
      }
      temporary = beside
      try rename(beside, replacing: true)
    }
    try settle()
  }

  private func rename(_ temporary: PassingName, replacing: Bool) throws(SystemError) {
    // SAFETY: the strings are C strings for the length of the call.
    let status = unsafe la_entry_rename(entry.directory, temporary.text, entry.name, !replacing)
    guard status != 0 else {
      self.temporary = nil
      return
    }
    guard !replacing, status == -EINVAL || status == -ENOSYS else {
      throw SystemError("renameat", code: -status, subject: entry.path)
    }
    // Such a file system may know links; the name beside it goes with this object then.
    guard try link(as: entry.name) else {
      throw SystemError("linkat", code: EEXIST, subject: entry.path)
    }
  }

  /// Names the file; false if there is one of that name.
  private func link(as name: String) throws(SystemError) -> Bool {
    let source = "/proc/self/fd/\(file.rawValue)"
    // SAFETY: the strings are C strings for the length of the call.
    if unsafe linkat(AT_FDCWD, source, entry.directory, name, AT_SYMLINK_FOLLOW) == 0 {
      return true
    }
    guard errno == EEXIST else { throw failed("linkat") }
    return false
  }

  private func settle() throws(SystemError) {
    isInPlace = true
    guard fsync(entry.directory) == 0 else { throw failed("fsync") }
  }

  private func failed(_ call: String) -> SystemError {
    SystemError(call, code: errno, subject: entry.path)
  }

  /// Throws if there is something that is no regular file: a pipe or a device is not replaced.
  private static func check(_ entry: DirectoryEntry) throws(SystemError) {
    guard let status = entry.status() else {
      guard errno == ENOENT else { throw SystemError("stat", code: errno, subject: entry.path) }
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      throw SystemError("open", code: isDirectory ? EISDIR : EINVAL, subject: entry.path)
    }
  }
}
