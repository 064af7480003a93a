import Glibc

/// A program's file, by device and inode, at a path that only root can change.
public struct ExecutableFile: Hashable, Sendable {
  private let device: UInt
  private let inode: UInt

  /// Looks up the file at `path`, which must be absolute; nil if it does not exist.
  ///
  /// It must be a regular file that belongs to root and that nobody else may write to, and so must
  /// every directory on the path; otherwise another user could put a different file of root there.
  /// For the same reason the path must contain no symbolic link. The path that a program was
  /// started by does not matter.
  /// - Throws: ``ExecutableFileError``, if the file cannot be used to identify programs.
  public init?(trusted path: String) throws(ExecutableFileError) {
    var directory = ""
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      guard try Self.status(directory.isEmpty ? "/" : directory, S_IFDIR) != nil else { return nil }
      directory += "/" + String(decoding: part, as: UTF8.self)
    }
    guard let status = try Self.status(path, S_IFREG) else { return nil }
    self.init(status)
  }

  /// The file described by `status`.
  init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }

  private static func status(
    _ path: String,
    _ type: mode_t
  ) throws(ExecutableFileError) -> stat? {
    var status = stat()
    // SAFETY: the string and the pointer are valid for the call.
    guard unsafe lstat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw .system(SystemError("lstat", code: errno, subject: path))
      }
      return nil
    }
    guard status.st_mode & S_IFMT != S_IFLNK else { throw .symbolicLink(path: path) }
    guard status.st_mode & S_IFMT == type else { throw .wrongType(path: path) }
    guard status.st_uid == 0 else { throw .owner(path: path, user: status.st_uid) }
    guard status.st_mode & 0o022 == 0 else { throw .writable(path: path) }
    return status
  }
}

/// Why a file cannot be used to identify programs.
public enum ExecutableFileError: Error, Hashable, CustomStringConvertible {
  /// The file, or a directory on the path, is a symbolic link.
  case symbolicLink(path: String)
  /// The file is not a regular file, or part of its path is not a directory.
  case wrongType(path: String)
  /// It does not belong to root.
  case owner(path: String, user: UInt32)
  /// Users other than root may write to it.
  case writable(path: String)
  /// A system call failed.
  case system(SystemError)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .symbolicLink(let path):
      "\(path) is a symbolic link; write the path that realpath(1) prints"
    case .wrongType(let path): "\(path) is not a program's file; name one"
    case .owner(let path, let user):
      "\(path) belongs to user \(user), who could replace it; it must belong to root"
    case .writable(let path): "others than root can write to \(path); run chmod go-w on it"
    case .system(let error): "\(error)"
    }
  }
}
