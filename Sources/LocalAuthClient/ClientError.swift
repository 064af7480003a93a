import LocalAuthUnix
public import LocalAuthWire

/// Why a request has no valid answer.
public enum ClientError: Error, Sendable {
  /// There is no daemon to talk to, or it stopped answering; the message says what to do.
  case unreachable(String)
  /// A process of another user serves the socket; nothing was sent to it.
  case foreignServer(uid: UInt32, String)
  /// The request is longer than the daemon accepts; nothing was sent.
  case requestTooLong(limit: Int)
  /// The answer does not follow the protocol; the string says how.
  case protocolError(String)
  /// The daemon answered with this error.
  case remote(name: String, ServiceMessages.ErrorParameters)
}

extension ClientError {
  /// Whether an answer to a prompt came too late: the prompt was replaced or has ended.
  public var isPromptGone: Bool { isRemote(".PromptNotFound") }

  /// Whether the daemon requires the passcode.
  public var isPasscodeRequired: Bool { isRemote(".PasscodeRequired") }

  /// Whether no prompt was there for a touch.
  public var isNotArmed: Bool { isRemote(".NotArmed") }

  private func isRemote(_ suffix: String) -> Bool {
    if case .remote(let name, _) = self { name.hasSuffix(suffix) } else { false }
  }
}

extension ClientError: CustomStringConvertible {
  /// One line that says what to do.
  public var description: String {
    switch self {
    case .unreachable(let message), .foreignServer(_, let message): message
    case .requestTooLong(let limit):
      "the request is longer than the \(limit) bytes that the daemon takes: say less at a time"
    case .protocolError(let what):
      "the daemon's answer was not understood (\(what)): it may be of another version; restart it"
    case .remote(let name, let parameters): parameters.message ?? "the daemon answered \(name)"
    }
  }
}

extension ClientError {
  init(_ error: ClientSocketError) { self = .unreachable("\(error)") }

  init(_ error: ConnectError) {
    switch error {
    case .foreignServer(let uid): self = .foreignServer(uid: uid, "\(error)")
    case .notRunning, .pathTooLong, .timedOut, .system: self = .unreachable("\(error)")
    }
  }

  /// Creates the same error, worded for the system's service if that is the server.
  init(_ error: ConnectError, at path: String, _ server: ClientSocket.TrustedServer) {
    switch (server, error) {
    case (.system, .notRunning):
      self = .unreachable(
        "the system's service does not run at \(path): start it (systemctl start "
          + "localauthd.socket, or localauthd --system as root)"
      )
    case (.system, .foreignServer(let uid)):
      self = .foreignServer(
        uid: uid,
        "\(path) is served by user \(uid), who is neither root nor the account "
          + "\(SystemAccount.service): nothing was sent"
      )
    case (.system, _), (.ownUser, _), (.root, _): self.init(error)
    }
  }

  init(_ error: LaunchError) {
    switch error {
    case .connect(let error): self.init(error)
    case .privilegedProgram, .directory, .unwritable, .log, .noExecutable, .relativeName,
      .installation,
      .untrustedExecutable, .daemonFailed, .notReady, .system:
      self = .unreachable("\(error)")
    }
  }
}
