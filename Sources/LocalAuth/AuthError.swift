public import LocalAuthCore

/// Why an evaluation did not succeed.
///
/// Each case is a row of the outcome table (``outcome``), with the corresponding code of Apple's
/// `LAError`. No case holds a secret.
public enum AuthError: Error, Hashable, Sendable {
  /// Too many misses or wrong passcodes in this evaluation.
  case authenticationFailed
  /// The person cancelled.
  case userCancel
  /// The person chose the fallback, which the program has to present.
  case userFallback
  /// A person is needed but must not or cannot be asked.
  case notInteractive
  /// The evaluation timed out.
  case timeout
  /// The system ended it: the device was locked, the service stopped, or the terminal went away.
  case systemCancel
  /// The program ended it: its task was cancelled, or its context invalidated or released.
  case appCancel
  /// Too many requests are waiting for the device.
  case busy
  /// The context had been invalidated.
  case invalidContext
  /// Fingers are locked for `retryAfter`, or until the passcode is proven if it is nil.
  case biometryLockout(retryAfter: Duration?)
  /// Passcodes are throttled for `retryAfter`, or permanently if it is nil.
  case passcodeThrottled(retryAfter: Duration?)
  /// Authenticators that the person holds are locked for `retryAfter`, or until the passcode is
  /// proven if it is nil.
  case authenticatorLockout(retryAfter: Duration?)
  /// No finger is enrolled.
  case biometryNotEnrolled
  /// There is no usable sensor.
  case biometryNotAvailable
  /// The sensor was disconnected.
  case biometryDisconnected
  /// None of the requested authenticators is connected.
  case authenticatorNotAvailable
  /// The sensor failed; holds its message.
  case sensorError(String)
  /// No passcode is set.
  case passcodeNotSet
  /// The device is simulated and only the environment chose it.
  case simulatedNotAllowed
  /// The request is not permitted; holds the reason.
  case notPermitted(String)
  /// The policy, the device or the configuration is unusable; holds the reason.
  case badConfiguration(String)
  /// The request is invalid, for example without a reason; holds what is wrong.
  case usage(String)
  /// The service is unreachable; holds what to do about it.
  case unreachable(String)
  /// The service's answer is invalid; holds what is wrong with it.
  case protocolError(String)
  /// An internal failure, which allowed nothing; holds what failed.
  case internalError(String)
}

extension AuthError {
  /// The row of the outcome table.
  public var outcome: OutcomeCode {
    switch self {
    case .authenticationFailed: .authenticationFailed
    case .userCancel: .userCancel
    case .userFallback: .userFallback
    case .notInteractive: .notInteractive
    case .timeout: .timeout
    case .systemCancel: .systemCancel
    case .appCancel: .appCancel
    case .busy: .busy
    case .invalidContext: .invalidContext
    case .biometryLockout: .biometryLockout
    case .passcodeThrottled: .passcodeThrottled
    case .authenticatorLockout: .authenticatorLockout
    case .authenticatorNotAvailable: .authenticatorNotAvailable
    case .biometryNotEnrolled: .biometryNotEnrolled
    case .biometryNotAvailable: .biometryNotAvailable
    case .biometryDisconnected: .biometryDisconnected
    case .sensorError: .sensorError
    case .passcodeNotSet: .passcodeNotSet
    case .simulatedNotAllowed: .simulatedNotAllowed
    case .notPermitted: .notPermitted
    case .badConfiguration: .badConfiguration
    case .usage: .usage
    case .unreachable: .unreachable
    case .protocolError, .internalError: .internalError
    }
  }

  /// The corresponding code of Apple's `LAError`; nil if there is none.
  public var laErrorCode: Int32? { outcome.laError }

  /// The time until another attempt may be made; nil if waiting does not help.
  public var retryAfter: Duration? {
    switch self {
    case .biometryLockout(let retryAfter), .passcodeThrottled(let retryAfter),
      .authenticatorLockout(let retryAfter):
      retryAfter
    case .authenticationFailed, .userCancel, .userFallback, .notInteractive, .timeout,
      .systemCancel, .appCancel, .busy, .invalidContext, .biometryNotEnrolled,
      .biometryNotAvailable, .biometryDisconnected, .authenticatorNotAvailable, .sensorError,
      .passcodeNotSet, .simulatedNotAllowed, .notPermitted, .badConfiguration, .usage, .unreachable,
      .protocolError, .internalError:
      nil
    }
  }

  /// What happened, in one line.
  public var message: String {
    switch self {
    case .sensorError(let text), .notPermitted(let text), .badConfiguration(let text),
      .usage(let text), .unreachable(let text), .protocolError(let text), .internalError(let text):
      text.isEmpty ? outcome.sentence : text
    case .authenticationFailed, .userCancel, .userFallback, .notInteractive, .timeout,
      .systemCancel, .appCancel, .busy, .invalidContext, .biometryLockout, .passcodeThrottled,
      .authenticatorLockout, .biometryNotEnrolled, .biometryNotAvailable, .biometryDisconnected,
      .authenticatorNotAvailable, .passcodeNotSet, .simulatedNotAllowed:
      outcome.sentence
    }
  }
}

extension AuthError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }
}
