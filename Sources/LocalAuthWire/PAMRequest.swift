/// A request to PAM: the account to authenticate, and the service to use.
public struct PAMRequest: Equatable, Sendable {
  /// Where libpam looks for service files, in its order.
  public static let standardDirectories = ["/etc/pam.d", "/usr/lib/pam.d"]

  /// What to say where the service file at `path` cannot be read.
  public static func missing(_ path: String) -> String {
    "the PAM service file \(path) is missing or unreadable; localauthd(8) says what belongs there"
  }

  /// The name of the service file: lowercase letters, digits, `_`, `-` and `.`, at most 64 bytes.
  public let service: String
  /// The account to authenticate, at most 256 bytes.
  public let user: String
  /// The absolute path of a directory to read service files from instead of `/etc/pam.d`.
  public let configurationDirectory: String?
  /// The requesting user (PAM_RUSER).
  public let remoteUser: String?
  /// The requesting user's terminal (PAM_TTY).
  public let terminal: String?

  /// Creates a request after checking each field; none may be empty or hold control characters.
  public init(
    service: String,
    user: String,
    configurationDirectory: String? = nil,
    remoteUser: String? = nil,
    terminal: String? = nil
  ) throws(WorkerMessageError) {
    // libpam uses the service as part of a path, and folds its letters to lowercase.
    let isPlain = service.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
        || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    guard isPlain, !service.hasPrefix(".") else { throw .malformedString }
    if let configurationDirectory {
      guard configurationDirectory.hasPrefix("/") else { throw .malformedString }
    }
    self.service = try Self.checked(service, limit: 64)
    self.user = try Self.checked(user, limit: 256)
    self.configurationDirectory = try Self.checked(configurationDirectory, limit: 4095)
    self.remoteUser = try Self.checked(remoteUser, limit: 256)
    self.terminal = try Self.checked(terminal, limit: 256)
  }

  private static func checked(_ text: String, limit: Int) throws(WorkerMessageError) -> String {
    guard text.utf8.count <= limit else { throw .tooLong }
    let isClean = text.utf8.allSatisfy { byte in byte >= 0x20 && byte != 0x7F }
    guard !text.isEmpty, isClean else { throw .malformedString }
    return text
  }

  private static func checked(_ text: String?, limit: Int) throws(WorkerMessageError) -> String? {
    guard let text else { return nil }
    return try checked(text, limit: limit) as String
  }
}
