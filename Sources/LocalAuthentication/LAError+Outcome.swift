import Foundation
import LocalAuth

extension LAError {
  /// The error for a context's error, with its message.
  init(_ error: AuthError) { self.init(_nsError: NSError(error)) }
}

extension LAError.Code {
  /// What happened, in one sentence: the outcome table's if it has one.
  var sentence: String {
    switch self {
    case .authenticationFailed: OutcomeCode.authenticationFailed.sentence
    case .userCancel: OutcomeCode.userCancel.sentence
    case .userFallback: OutcomeCode.userFallback.sentence
    case .systemCancel: OutcomeCode.systemCancel.sentence
    case .passcodeNotSet: OutcomeCode.passcodeNotSet.sentence
    case .biometryNotAvailable: OutcomeCode.biometryNotAvailable.sentence
    case .biometryNotEnrolled: OutcomeCode.biometryNotEnrolled.sentence
    case .biometryLockout: OutcomeCode.biometryLockout.sentence
    case .appCancel: OutcomeCode.appCancel.sentence
    case .invalidContext: OutcomeCode.invalidContext.sentence
    case .companionNotAvailable: "No paired device is nearby."
    case .biometryNotPaired: "The sensor is not paired."
    case .biometryDisconnected: OutcomeCode.biometryDisconnected.sentence
    case .invalidDimensions: "The view is too small."
    case .notInteractive: OutcomeCode.notInteractive.sentence
    }
  }
}
