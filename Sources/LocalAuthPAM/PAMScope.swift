import LocalAuthWire

/// What a worker of root's does for a daemon that has fewer rights.
///
/// Service and folder name code that runs as root, so the daemon does not choose them: a daemon that
/// somebody else has taken over can try passwords and nothing more.
public struct PAMScope: Sendable, Equatable {
  /// The one service.
  public let service: String
  /// The folder that it is described in; nil for the system's.
  public let configurationDirectory: String?

  /// The scope of one service.
  public init(service: String, configurationDirectory: String?) {
    self.service = service
    self.configurationDirectory = configurationDirectory
  }

  func contains(_ request: PAMRequest) -> Bool {
    request.service == service && request.configurationDirectory == configurationDirectory
  }
}
