import LocalAuthClient
public import LocalAuthCore
public import LocalAuthKeychain
import LocalAuthWire

/// Why a keychain call did not succeed.
///
/// Each case has Apple's ``status`` and a row of the outcome table (``outcome``), which keeps apart
/// what Apple's status alone does not. No case holds a secret.
///
/// A call that ended with ``AuthError/appCancel``, or that the service never answered, may still have
/// changed something: look before you repeat it.
public enum KeychainFailure: Error, Hashable, Sendable {
  /// No item matches.
  case itemNotFound
  /// An item with the same group, account, service and so on exists already.
  case duplicateItem
  /// The device is locked, and the item's protection keeps it shut until somebody unlocks it.
  case locked
  /// The access group is not open to this program; which.
  case accessGroupNotAllowed(String)
  /// What the item asks for was not proven, or cannot be; why.
  case authentication(AuthError)
  /// The keychain cannot do that: a value that makes no sense, data that is too large, a disk that is
  /// full; Apple's status and what is wrong.
  case refused(KeychainStatus, String)
  /// The item's data is not what was asked for, or a value cannot become data; what was expected.
  case undecodable(String)
  /// The service gave no answer that counts; why.
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
  /// The failure of an error of a context's or of a client's.
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

  /// Why a request has no answer.
  init(_ error: ClientError) {
    if case .requestTooLong = error {
      self = .refused(.dataTooLarge, "\(error)")
    } else {
      self.init(AuthError(error))
    }
  }

  /// What an answer that is no success means; nil for a success.
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

  /// Runs `body` and turns what a client has to report into a failure.
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
  /// The same for a caller who asked only for proof.
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
