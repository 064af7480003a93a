public import LocalAuthCore

/// Why an evaluation did not succeed.
///
/// Each case is a row of the outcome table (``outcome``), with the code that Apple's `LAError` has
/// for it. No case holds a secret.
public enum AuthError: Error, Hashable, Sendable {
  /// Too many misses or wrong passcodes in this evaluation.
  case authenticationFailed
  /// The person said no.
  case userCancel
  /// The person chose the fallback, which is the program's own to show.
  case userFallback
  /// A person is needed and must not or cannot be asked.
  case notInteractive
  /// Nobody answered in time.
  case timeout
  /// The system ended it: the device was locked, the service stopped, the terminal went away.
  case systemCancel
  /// The program ended it: its task was cancelled, or its context invalidated or let go.
  case appCancel
  /// Too many requests wait for the device.
  case busy
  /// The context was invalidated before.
  case invalidContext
  /// Fingers are locked: until the passcode, or for so long.
  case biometryLockout(retryAfter: Duration?)
  /// Passcodes are throttled for so long, or for good.
  case passcodeThrottled(retryAfter: Duration?)
  /// What the person has is refused: until the passcode, or for so long.
  case authenticatorLockout(retryAfter: Duration?)
  /// No finger is enrolled.
  case biometryNotEnrolled
  /// There is no usable sensor.
  case biometryNotAvailable
  /// The sensor was disconnected.
  case biometryDisconnected
  /// No authenticator that is asked for is connected.
  case authenticatorNotAvailable
  /// The sensor gave up; what it said.
  case sensorError(String)
  /// No passcode is set.
  case passcodeNotSet
  /// The device is simulated and was chosen by the environment alone.
  case simulatedNotAllowed
  /// That is not permitted; why.
  case notPermitted(String)
  /// The policy, the device or the configuration cannot be used; why.
  case badConfiguration(String)
  /// The request makes no sense, such as one without a reason; what is wrong.
  case usage(String)
  /// There is no service to ask; what to do.
  case unreachable(String)
  /// The service's answer was not understood; what is wrong with it.
  case protocolError(String)
  /// Something inside failed, and nothing was allowed; what.
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

  /// The code that Apple's `LAError` has for it; nil where it has none.
  public var laErrorCode: Int32? { outcome.laError }

  /// When another attempt may be made; nil where time alone does not help.
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
