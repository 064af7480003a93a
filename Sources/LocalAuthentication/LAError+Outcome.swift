import Foundation
import LocalAuth

extension LAError {
  /// The numbers that Apple's framework hands out and has no public names for.
  private enum UnnamedCode {
    static let `internal` = -1000
    static let parameter = -1001
  }

  /// The error of a context's, with what it says; the outcome table knows the code.
  init(_ error: AuthError) {
    var code = error.laErrorCode.map { Int($0) } ?? UnnamedCode.internal
    if case .usage = error { code = UnnamedCode.parameter }
    self.init(
      _nsError: NSError(
        domain: LAErrorDomain,
        code: code,
        userInfo: [NSLocalizedDescriptionKey: error.message]
      )
    )
  }
}

extension LAError.Code {
  /// What happened, in one sentence, which is the outcome table's where it has one.
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
