import LocalAuthClient
public import LocalAuthCore
public import LocalAuthKeychain
import LocalAuthWire

/// The error of a keychain call.
///
/// Each case has Apple's ``status`` and a row of the outcome table (``outcome``), which
/// distinguishes cases that share a status. No case holds a secret.
///
/// A call that ended with ``AuthError/appCancel``, or that the service never answered, may still
/// have changed items: check before repeating it.
public enum KeychainFailure: Error, Hashable, Sendable {
  /// No item matches.
  case itemNotFound
  /// An item with the same group, account, service and so on exists already.
  case duplicateItem
  /// The item's protection keeps it locked until the device is unlocked.
  case locked
  /// The access group is not open to this program; holds the message.
  case accessGroupNotAllowed(String)
  /// The proof that the item requires was not given or cannot be given; holds the reason.
  case authentication(AuthError)
  /// The keychain cannot do that, for example because a value is invalid, data is too large or the
  /// disk is full; holds Apple's status and the reason.
  case refused(KeychainStatus, String)
  /// The item's data is not of the requested type, or a value cannot be encoded; holds what was
  /// expected.
  case undecodable(String)
  /// The service gave no valid answer; holds the reason.
  case service(AuthError)

  /// Apple's status.
  public var status: KeychainStatus {
    switch self {
    case .itemNotFound: .itemNotFound
    case .duplicateItem: .duplicateItem
    case .locked: .interactionNotAllowed
    case .accessGroupNotAllowed: .missingEntitlement
    case .authentication(let error), .service(let error): KeychainStatus(error.outcome)
    case .refused(let status, _): status
    case .undecodable: .decode
    }
  }

  /// The row of the outcome table.
  public var outcome: OutcomeCode {
    switch self {
    case .itemNotFound: .itemNotFound
    case .duplicateItem: .duplicateItem
    case .locked: .itemLocked
    case .accessGroupNotAllowed: .accessGroupNotAllowed
    case .authentication(let error), .service(let error): error.outcome
    case .refused, .undecodable: .keychainError
    }
  }

  /// The status that `authctl` exits with.
  public var exit: Int32 { outcome.exit }

  /// What happened, in one line.
  public var message: String {
    switch self {
    case .itemNotFound, .duplicateItem, .locked: outcome.sentence
    case .accessGroupNotAllowed(let text), .refused(_, let text): text
    case .authentication(let error), .service(let error): error.message
    case .undecodable(let what): "The item's data is not \(what)."
    }
  }
}

extension KeychainFailure: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }
}

extension KeychainFailure {
  /// The failure for an error of a context or a client.
  init(_ error: AuthError) {
    switch error {
    case .unreachable, .protocolError, .internalError, .badConfiguration: self = .service(error)
    case .usage(let text): self = .refused(.param, text)
    case .authenticationFailed, .userCancel, .userFallback, .notInteractive, .timeout,
      .systemCancel, .appCancel, .busy, .invalidContext, .biometryLockout, .passcodeThrottled,
      .authenticatorLockout, .biometryNotEnrolled, .biometryNotAvailable, .biometryDisconnected,
      .authenticatorNotAvailable, .sensorError, .passcodeNotSet, .simulatedNotAllowed,
      .notPermitted:
      self = .authentication(error)
    }
  }

  /// The failure for a request without an answer.
  init(_ error: ClientError) {
    if case .requestTooLong = error {
      self = .refused(.dataTooLarge, "\(error)")
    } else {
      self.init(AuthError(error))
    }
  }

  /// The failure for an unsuccessful answer; nil for a success.
  init?(_ answer: RemoteAnswer) {
    switch answer.outcome {
    case .success: return nil
    case .itemNotFound: self = .itemNotFound
    case .duplicateItem: self = .duplicateItem
    case .itemLocked: self = .locked
    case .accessGroupNotAllowed: self = .accessGroupNotAllowed(answer.message)
    case .keychainError: self = .refused(answer.status, answer.message)
    case .authenticationFailed, .usage, .userCancel, .userFallback, .notInteractive, .timeout,
      .systemCancel, .appCancel, .busy, .invalidContext, .biometryLockout, .passcodeThrottled,
      .authenticatorLockout, .biometryNotEnrolled, .biometryNotAvailable, .biometryDisconnected,
      .authenticatorNotAvailable, .sensorError, .passcodeNotSet, .scriptEventsLeftOver,
      .unreachable, .internalError, .simulatedNotAllowed,
      .notPermitted, .badConfiguration:
      let retryAfter = answer.evaluation?.retryAfterSeconds.map { Duration.seconds($0) }
      guard let error = AuthError(answer.outcome, message: answer.message, retryAfter: retryAfter)
      else { return nil }
      self.init(error)
    }
  }

  /// Runs `body` and translates client errors to this type.
  static func translating<Result: ~Copyable>(
    _ body: () throws(ClientError) -> Result
  ) throws(KeychainFailure) -> Result {
    do throws(ClientError) {
      return try body()
    } catch {
      throw KeychainFailure(error)
    }
  }
}

extension AuthError {
  /// The error for a failed keychain call that only asked for proof.
  init(_ failure: KeychainFailure) {
    switch failure {
    case .authentication(let error), .service(let error): self = error
    case .refused(.param, let text): self = .usage(text)
    case .locked: self = .notPermitted(failure.message)
    case .itemNotFound, .duplicateItem, .accessGroupNotAllowed, .refused, .undecodable:
      self = .internalError(failure.message)
    }
  }
}
