/// What a file describes; the raw value is the folder that it lies in.
public enum PolicyKind: String, CaseIterable, Hashable, Sendable {
  case policy
  case lockout
  case passcodeDelay = "passcode-delay"
  case sensor

  /// The kind of the file at `path` by the folder that it lies in; a policy in any other.
  public init(ofFileAt path: String) {
    let folder = path.split(separator: "/").dropLast().last.map(String.init)
    self = folder.flatMap(Self.init(rawValue:)) ?? .policy
  }

  /// The kind in words.
  public var words: String {
    switch self {
    case .policy: "policy"
    case .lockout: "lockout profile"
    case .passcodeDelay: "passcode delay table"
    case .sensor: "sensor profile"
    }
  }
}

/// Where a policy, profile or table comes from, with the path of its file.
public enum PolicyOrigin: Hashable, Sendable {
  /// Part of LocalAuth; the path is relative to `policies/` in its source.
  case shipped(String)
  /// From the administrator's directory.
  case system(String)
  /// From a user's own directory.
  case user(String)

  /// The path of the file.
  public var path: String {
    switch self {
    case .shipped(let path), .system(let path), .user(let path): path
    }
  }

  /// `shipped`, `system` or `user`.
  public var word: String {
    switch self {
    case .shipped: "shipped"
    case .system: "system"
    case .user: "user"
    }
  }
}

/// The files of one directory of policies, as its reader found them.
///
/// What could not be read is said, never left out: a policy that an administrator replaced by an
/// unreadable file must not fall back to the shipped one.
public struct PolicyDirectory: Hashable, Sendable {
  /// One file.
  public struct File: Hashable, Sendable {
    /// The bytes of a file, or why there are none.
    public enum Contents: Hashable, Sendable {
      case bytes([UInt8])
      case unreadable(String)
    }

    /// The path below the directory, with slashes: `policy/NAME.json`.
    public var path: String
    /// What is in it; reading one byte more than ``PolicyFile/sizeLimit`` is enough.
    public var contents: Contents

    /// The file at `path`.
    public init(path: String, contents: Contents) {
      self.path = path
      self.contents = contents
    }
  }

  /// The directory's own path, for messages.
  public var path: String
  /// Its files, of all folders.
  public var files: [File]
  /// Why the directory or one of its folders could not be listed; nil when it could or is absent.
  public var failure: String?

  /// The directory at `path`.
  public init(path: String, files: [File] = [], failure: String? = nil) {
    self.path = path
    self.files = files
    self.failure = failure
  }
}
