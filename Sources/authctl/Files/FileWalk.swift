import Glibc
import LocalAuthCore
import LocalAuthUnix

/// The regular files that operands name, those in directories too if that is asked for.
struct FileWalk {
  private(set) var files: [String] = []
  /// How many symbolic links, sockets and the like were left alone.
  private(set) var skipped = 0

  /// Finds the files; a directory is one only with `isRecursive`.
  init(_ paths: [String], isRecursive: Bool) throws(Failure) {
    for path in paths {
      guard isRecursive, Self.type(of: path) == S_IFDIR else {
        files.append(path)
        continue
      }
      try enter(path)
    }
  }

  private mutating func enter(_ directory: String) throws(Failure) {
    for name in try Self.names(in: directory) {
      let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
      switch Self.type(of: path) {
      case S_IFREG: files.append(path)
      case S_IFDIR: try enter(path)
      // Such as a name that is no UTF-8, which fails by itself: it is no reason to say that all is done.
      case nil: files.append(path)
      default: skipped += 1
      }
    }
  }

  private static func type(of path: String) -> mode_t? {
    var status = stat()
    // SAFETY: the string and the pointer are valid for the call.
    return unsafe lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The names in a directory in which nobody else can put something in another's place.
  private static func names(in path: String) throws(Failure) -> [String] {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { throw Failure(.usage, errno: errno, "\(path) cannot be read") }
    let directory = FileDescriptor(owning: opened)
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(opened, &status) == 0 else {
      throw Failure(.internalError, errno: errno, "\(path) cannot be read")
    }
    let isOpenToOthers = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
    guard status.st_uid == geteuid(), !isOpenToOthers else {
      throw Failure(.notPermitted, "Others can exchange what is in \(path): name the files.")
    }
    var names: [String] = []
    do throws(SystemError) {
      try directory.forEachName { name in
        names.append(name)
        return true
      }
    } catch { throw Failure(.internalError, errno: error.code, "\(path) cannot be read") }
    return names.sorted()
  }
}
