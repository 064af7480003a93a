package import LocalAuthClient
import LocalAuthCore
import LocalAuthDialog
import LocalAuthTerminal
import LocalAuthUnix
package import LocalAuthWire

extension AuthError {
  /// The error for an unsuccessful result; nil for a success.
  package init?(_ result: AuthenticationMessages.Result) {
    guard let code = result.code else {
      self = .protocolError("an outcome that nobody knows")
      return
    }
    self.init(
      code,
      message: result.message,
      retryAfter: result.retryAfterSeconds.map { .seconds($0) }
    )
  }

  /// The error for a row of the outcome table; nil for success.
  package init?(_ code: OutcomeCode, message: String, retryAfter: Duration? = nil) {
    switch code {
    case .success: return nil
    case .authenticationFailed: self = .authenticationFailed
    case .userCancel: self = .userCancel
    case .userFallback: self = .userFallback
    case .notInteractive: self = .notInteractive
    case .timeout: self = .timeout
    case .systemCancel: self = .systemCancel
    case .appCancel: self = .appCancel
    case .busy: self = .busy
    case .invalidContext: self = .invalidContext
    case .biometryLockout: self = .biometryLockout(retryAfter: retryAfter)
    case .passcodeThrottled: self = .passcodeThrottled(retryAfter: retryAfter)
    case .authenticatorLockout: self = .authenticatorLockout(retryAfter: retryAfter)
    case .authenticatorNotAvailable: self = .authenticatorNotAvailable
    case .biometryNotEnrolled: self = .biometryNotEnrolled
    case .biometryNotAvailable: self = .biometryNotAvailable
    case .biometryDisconnected: self = .biometryDisconnected
    case .sensorError: self = .sensorError(message)
    case .passcodeNotSet: self = .passcodeNotSet
    case .simulatedNotAllowed: self = .simulatedNotAllowed
    case .notPermitted: self = .notPermitted(message)
    case .badConfiguration: self = .badConfiguration(message)
    case .usage, .scriptEventsLeftOver: self = .usage(message)
    case .unreachable: self = .unreachable(message)
    // No evaluation ends with these; keychain calls report them as ``KeychainFailure``.
    case .itemNotFound, .duplicateItem, .itemLocked, .accessGroupNotAllowed, .keychainError,
      .internalError:
      self = .internalError(message)
    }
  }

  /// The error for a failed exchange with the service.
  package init(_ error: ClientError) {
    switch error {
    case .unreachable, .foreignServer: self = .unreachable("\(error)")
    case .requestTooLong: self = .usage("\(error)")
    case .protocolError: self = .protocolError("\(error)")
    case .remote(let name, let parameters): self.init(remote: name, parameters)
    }
  }

  private init(remote name: String, _ parameters: ServiceMessages.ErrorParameters) {
    let message = parameters.message
    switch name.split(separator: ".").last.map({ String($0) }) ?? "" {
    case "PolicyNotFound":
      self = .badConfiguration("There is no policy '\(parameters.policy ?? "")'.")
    case "PolicyUnusable": self = .badConfiguration(message ?? "The policy cannot be used.")
    case "DeviceNotFound":
      self = .badConfiguration("There is no device '\(parameters.device ?? "")'.")
    case "InvalidArgument", "ScriptInvalid": self = .usage(message ?? "A value cannot be used.")
    case "InvalidParameter":
      self = .usage("The value of '\(parameters.parameter ?? "")' cannot be used.")
    case "NotPermitted": self = .notPermitted(message ?? "")
    case "LimitReached": self = .busy
    case "Internal": self = .internalError(message ?? "")
    case "Refused", "SyncFailed":
      let code = parameters.outcome.flatMap { OutcomeCode(rawValue: $0) } ?? .internalError
      let retryAfter = parameters.retryAfterSeconds.map { Duration.seconds($0) }
      let refusal = AuthError(code, message: message ?? "", retryAfter: retryAfter)
      self = refusal ?? .protocolError("a refusal that is a success")
    default: self = .protocolError("the service answered \(name)")
    }
  }

  /// The error for a daemon whose paths cannot be determined.
  init(_ error: RuntimePathsError) { self = .badConfiguration("\(error)") }

  /// The error for a device choice in the environment that cannot be followed.
  init(_ error: DeviceChoiceError) { self = .badConfiguration("\(error)") }

  /// The error for a dialog that failed.
  init(_ error: DialogError) {
    switch error {
    case .client(let error): self.init(error)
    case .terminal(.noTerminal), .terminal(.promptIsOpen): self = .notInteractive
    case .terminal(.hungUp): self = .systemCancel
    case .terminal(let error): self = .internalError("\(error)")
    }
  }

  /// Runs `body` and translates client errors to this type.
  static func translating<Result: ~Copyable>(
    _ body: () throws(ClientError) -> Result
  ) throws(AuthError) -> Result {
    do throws(ClientError) {
      return try body()
    } catch {
      throw AuthError(error)
    }
  }
}
