package import Glibc

/// A name in a directory that is held open.
///
/// Whoever can rename a directory above changes where the path leads; the entry stays where it was.
public final class DirectoryEntry: Sendable {
  /// The path that named it, for messages.
  public let path: String
  let name: String
  let parent: FileDescriptor

  /// Opens the directory of `path`; the name itself need not be there.
  ///
  /// - Throws: `SystemError`; EISDIR for a path that ends with a slash.
  public init(_ path: String) throws(SystemError) {
    self.path = path
    name = lastName(ofPath: path)
    let directory = LocalAuthUnix.directory(ofPath: path)
    guard !name.isEmpty else { throw SystemError("open", code: EISDIR, subject: path) }
    // SAFETY: the string is a C string for the length of the call.
    let opened = unsafe Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw SystemError("open", code: errno, subject: directory) }
    parent = FileDescriptor(owning: opened)
  }

  /// The directory's descriptor, which lives as long as this.
  var directory: Int32 { parent.rawValue }

  /// Opens the file with these flags, and these permissions if they have it made; -1 with `errno` if that fails.
  public func open(_ flags: Int32, mode: UInt32 = 0) -> Int32 {
    // SAFETY: the string is a C string for the length of the call.
    unsafe openat(directory, name, flags, mode)
  }

  /// Opens the file whose name has `suffix` behind the entry's; -1 with `errno` if that fails.
  package func open(withSuffix suffix: String, _ flags: Int32) -> Int32 {
    // SAFETY: the string is a C string for the length of the call.
    unsafe openat(directory, name + suffix, flags)
  }

  /// Whether names can be given in the directory; false with `errno` if not.
  package var isWritable: Bool {
    // SAFETY: the string is a C string for the call.
    unsafe faccessat(directory, ".", W_OK | X_OK, AT_EACCESS) == 0
  }

  /// What is there now under the name and `suffix`, a symbolic link itself; nil with `errno` if nothing can be looked at.
  package func status(withSuffix suffix: String = "") -> stat? {
    var status = stat()
    // SAFETY: string and structure are valid for the call.
    let looked = unsafe fstatat(directory, name + suffix, &status, AT_SYMLINK_NOFOLLOW)
    return looked == 0 ? status : nil
  }
}
