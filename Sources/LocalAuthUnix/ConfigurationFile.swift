/// One small file of configuration that is read once, and believed for who can write it.
public enum ConfigurationFile {
  /// The bytes of the regular file at `path`, at most one more than `sizeLimit`, which tells that it
  /// is larger; nil when there is none.
  ///
  /// It and every directory above it must belong to root, or outside of `/etc` to this process's
  /// user, and nobody else may write to them; a sticky directory such as `/tmp` may lie above.
  public static func read(
    _ path: String,
    sizeLimit: Int
  ) throws(ConfigurationFileError) -> [UInt8]? {
    guard let file = try ConfigurationPath.find(path) else { return nil }
    return try file.bytes(limit: sizeLimit)
  }
}

/// Why configuration is not read.
public enum ConfigurationFileError: Error, Hashable, CustomStringConvertible {
  /// It is a directory, a pipe or the like.
  case notRegular(path: String)
  /// What should hold files is none.
  case notDirectory(path: String)
  /// It belongs to `user`, who is neither root nor `expected`; that is 0 where root alone counts.
  case owner(path: String, user: UInt32, expected: UInt32)
  /// Others may write to it.
  case writable(path: String)
  /// It lies in a directory that everybody may put things into.
  case shared(path: String)
  /// A symbolic link on the way leads to nothing.
  case leadsNowhere(path: String)
  /// A directory holds more files than anybody writes.
  case tooMany(path: String, limit: Int)
  /// It could not be read.
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
