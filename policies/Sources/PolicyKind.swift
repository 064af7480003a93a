/// The kind of a file; the raw value is the folder that contains it.
public enum PolicyKind: String, CaseIterable, Hashable, Sendable {
  case policy
  case lockout
  case passcodeDelay = "passcode-delay"
  case sensor

  /// Derives the kind of the file at `path` from its folder; any other folder means a policy.
  public init(ofFileAt path: String) {
    self = Self(folderOfFileAt: path) ?? .policy
  }

  /// Reads the kind from the folder of the file at `path`; nil if the folder names none.
  public init?(folderOfFileAt path: String) {
    guard let folder = path.split(separator: "/").dropLast().last else { return nil }
    self.init(rawValue: String(folder))
  }

  /// The kind in words, for messages.
  public var words: String {
    switch self {
    case .policy: "policy"
    case .lockout: "lockout profile"
    case .passcodeDelay: "passcode delay table"
    case .sensor: "sensor profile"
    }
  }
}

/// The origin of a policy, profile or table, with the path of its file.
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

/// The files of one policy directory, as its reader found them.
///
/// Read failures are reported, never skipped: if an administrator's file is unreadable, the shipped
/// policy that it replaces must not come back.
public struct PolicyDirectory: Hashable, Sendable {
  /// One file.
  public struct File: Hashable, Sendable {
    /// The bytes of a file, or the reason it could not be read.
    public enum Contents: Hashable, Sendable {
      case bytes([UInt8])
      case unreadable(String)
    }

    /// The path below the directory, with slashes: `policy/NAME.json`.
    public var path: String
    /// The contents; one byte more than ``PolicyFile/sizeLimit`` is enough.
    public var contents: Contents

    /// Creates the file at `path`.
    public init(path: String, contents: Contents) {
      self.path = path
      self.contents = contents
    }
  }

  /// The directory's own path, for messages.
  public var path: String
  /// Its files, from all folders.
  public var files: [File]
  /// Why the directory or one of its folders could not be listed; nil if it could be, or is absent.
  public var failure: String?

  /// Creates the directory at `path`.
  public init(path: String, files: [File] = [], failure: String? = nil) {
    self.path = path
    self.files = files
    self.failure = failure
  }
}
