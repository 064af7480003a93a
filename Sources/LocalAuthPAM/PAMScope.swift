import LocalAuthWire

/// What a worker running as root does for a daemon with fewer rights.
///
/// Service and directory name code that runs as root, so the daemon does not choose them: a
/// compromised daemon can try passwords and nothing more.
public struct PAMScope: Sendable, Equatable {
  /// The only service allowed.
  public let service: String
  /// The directory with the service file; nil for the system's directories.
  public let configurationDirectory: String?

  /// Creates the scope of one service.
  public init(service: String, configurationDirectory: String?) {
    self.service = service
    self.configurationDirectory = configurationDirectory
  }

  func contains(_ request: PAMRequest) -> Bool {
    request.service == service && request.configurationDirectory == configurationDirectory
  }
}
