import Glibc

/// One small file of configuration that is read once, and believed for who can write it.
public enum ConfigurationFile {
  /// The bytes of the regular file at `path`, at most one more than `sizeLimit`, which tells that it
  /// is larger; nil when there is none.
  ///
  /// It must belong to root or to this process's user, and nobody else may write to it.
  public static func read(
    _ path: String,
    sizeLimit: Int
  ) throws(ConfigurationFileError) -> [UInt8]? {
    // SAFETY: the path is a C string for the call.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw .system(SystemError("open", code: errno, subject: path))
      }
      return nil
    }
    let file = FileDescriptor(owning: number)
    try check(number, path)
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while bytes.count <= sizeLimit {
        let chunk = try file.readAvailable(limit: sizeLimit + 1 - bytes.count)
        if chunk.isEmpty { break }
        bytes += chunk
      }
    } catch {
      throw .system(error)
    }
    return bytes
  }

  private static func check(_ number: Int32, _ path: String) throws(ConfigurationFileError) {
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    guard unsafe fstat(number, &status) == 0 else {
      throw .system(SystemError("fstat", code: errno, subject: path))
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard status.st_uid == 0 || status.st_uid == geteuid() else { throw .owner(status.st_uid) }
    guard status.st_mode & 0o022 == 0 else { throw .writable }
  }
}

/// Why a file of configuration is not read.
public enum ConfigurationFileError: Error, Hashable, CustomStringConvertible {
  /// It is a directory, a pipe or the like.
  case notRegular
  /// It belongs to a user who is neither root nor ours.
  case owner(UInt32)
  /// Others may write to it.
  case writable
  /// It could not be read.
  case system(SystemError)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .notRegular: "it is not a regular file"
    case .owner(let user): "it belongs to user \(user); run chown root on it"
    case .writable: "others can write to it; run chmod go-w on it"
    case .system(let error): "\(error)"
    }
  }
}
