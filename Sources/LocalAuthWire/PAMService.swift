/// The PAM service that a worker asks: what the daemon says of it on the worker's command line.
public struct PAMService: Hashable, Sendable {
  /// Where libpam looks for service files, in its order.
  public static let standardDirectories = ["/etc/pam.d", "/usr/lib/pam.d"]
  /// The longest name of a service, in bytes.
  public static let nameSizeMax = 64
  /// The longest name of an account, in bytes.
  public static let userSizeMax = 256

  /// The name of the service file: lowercase letters, digits, `_`, `-` and `.`.
  public let name: String
  /// The absolute path of a directory to read service files from instead of `/etc/pam.d`.
  public let directory: String?

  /// The service with this name; nil if it or the directory cannot be one.
  public init?(_ name: String, in directory: String? = nil) {
    // libpam uses the name as part of a path, and folds its letters to lowercase.
    let isPlain = name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
        || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    guard isPlain, !name.hasPrefix("."), Self.isLine(name, of: Self.nameSizeMax) else { return nil }
    if let directory {
      guard directory.hasPrefix("/"), Self.isLine(directory, of: 4095) else { return nil }
    }
    self.name = name
    self.directory = directory
  }

  /// The words that name the service on a command line.
  public var arguments: [String] {
    ["--service", name] + (directory.map { ["--confdir", $0] } ?? [])
  }

  /// Where the service file may be, in libpam's order.
  public var files: [String] {
    (directory.map { [$0] } ?? Self.standardDirectories).map { "\($0)/\(name)" }
  }

  /// What to say where the service file at `path` cannot be read.
  public static func missing(_ path: String) -> String {
    "the PAM service file \(path) is missing or unreadable; localauthd(8) says what belongs there"
  }

  /// Whether `name` can be that of an account.
  public static func isUser(_ name: String) -> Bool { isLine(name, of: userSizeMax) }

  private static func isLine(_ text: String, of limit: Int) -> Bool {
    (1...limit).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in byte >= 0x20 && byte != 0x7F }
  }
}
