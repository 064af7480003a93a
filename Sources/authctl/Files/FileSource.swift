import Glibc
import LocalAuthCore
import LocalAuthUnix

/// A file of the caller's that a verb reads, and may put another one in the place of.
struct FileSource: ~Copyable {
  let path: String
  /// The permissions, which what takes its place gets.
  let mode: UInt32
  private let file: FileDescriptor
  private let stamp: FileStamp

  /// Opens a regular file; one that is to be replaced has one name and belongs to the caller.
  init(_ path: String, isReplaced: Bool) throws(Failure) {
    let opened = FileDescriptor(owning: try Self.open(path))
    let status = try Self.status(of: opened.rawValue, path, isReplaced: isReplaced)
    guard let found = FileStamp(of: path) else {
      throw Failure(.usage, errno: errno, "\(path) cannot be read")
    }
    self.path = path
    file = opened
    stamp = found
    mode = status.st_mode & 0o777
  }

  private static func open(_ path: String) throws(Failure) -> Int32 {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK)
    guard opened < 0 else { return opened }
    guard errno != ELOOP else {
      throw Failure(.usage, "\(path) is a symbolic link: name the file itself.")
    }
    throw Failure(.usage, errno: errno, "\(path) cannot be opened")
  }

  private static func status(
    of descriptor: Int32,
    _ path: String,
    isReplaced: Bool
  ) throws(Failure) -> stat {
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw Failure(.usage, errno: errno, "\(path) cannot be read")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.usage, "\(path) is no regular file.")
    }
    guard isReplaced else { return status }
    guard status.st_nlink == 1 else {
      let names = "\(path) has \(status.st_nlink) names"
      throw Failure(.usage, "\(names): the others would keep the old content.")
    }
    guard status.st_uid == geteuid() else {
      throw Failure(.notPermitted, "\(path) belongs to another user.")
    }
    return status
  }

  var descriptor: Int32 { file.rawValue }

  /// A descriptor of the file that the caller of this owns.
  func take() -> Int32 { fcntl(file.rawValue, F_DUPFD_CLOEXEC, 0) }

  /// Fails if the file was changed since it was opened, or another one has its name.
  func checkIsUnchanged() throws(Failure) {
    guard FileStamp(of: path) == stamp else {
      throw Failure(.busy, "\(path) was changed while it was read: nothing was done.")
    }
  }
}
