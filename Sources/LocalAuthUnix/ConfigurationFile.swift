/// Reads a small configuration file, after checking who could have written it.
public enum ConfigurationFile {
  /// Reads the regular file at `path`; nil if it does not exist.
  ///
  /// Returns at most `sizeLimit` + 1 bytes; the extra byte shows that the file is larger. The file
  /// and every directory above it must belong to root, or outside of `/etc` to root or this
  /// process's user, and be writable by the owner only. A sticky directory such as `/tmp` may be
  /// above it.
  public static func read(
    _ path: String,
    sizeLimit: Int
  ) throws(ConfigurationFileError) -> [UInt8]? {
    guard let file = try ConfigurationPath.find(path) else { return nil }
    return try file.bytes(limit: sizeLimit)
  }

  /// Checks the file or directory at `path` as ``read(_:sizeLimit:)`` does, without reading it.
  ///
  /// - Returns: whether it exists.
  /// - Throws: ``ConfigurationFileError``, if others could have written it.
  public static func check(_ path: String) throws(ConfigurationFileError) -> Bool {
    try ConfigurationPath.find(path) != nil
  }
}

/// Why a configuration file was not read.
public enum ConfigurationFileError: Error, Hashable, CustomStringConvertible {
  /// It is not a regular file, but a directory, a pipe or the like.
  case notRegular(path: String)
  /// It should be a directory and is not.
  case notDirectory(path: String)
  /// It belongs to `user`, who is neither root nor `expected` (0 if only root may own it).
  case owner(path: String, user: UInt32, expected: UInt32)
  /// Users other than the owner may write to it.
  case writable(path: String)
  /// It lies in a directory that others can write to.
  case shared(path: String)
  /// A symbolic link on the path points to nothing.
  case leadsNowhere(path: String)
  /// A directory holds more files than the limit.
  case tooMany(path: String, limit: Int)
  /// A system call failed.
  case system(SystemError)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .notRegular(let path): "\(path) is not a regular file"
    case .notDirectory(let path): "\(path) is not a directory"
    case .owner(let path, let user, let expected):
      "\(path) belongs to user \(user); it must belong to root"
        + (expected == 0 ? "" : " or user \(expected)")
    case .writable(let path): "others can write to \(path); run chmod go-w on it"
    case .shared(let path):
      "\(path) lies in a directory that everybody can write to; move it into one of its own"
    case .leadsNowhere(let path):
      "\(path) leads over a symbolic link to nothing; remove the link, or make what it names"
    case .tooMany(let path, let limit): "\(path) holds more than \(limit) files; take some away"
    case .system(let error): "\(error)"
    }
  }
}
