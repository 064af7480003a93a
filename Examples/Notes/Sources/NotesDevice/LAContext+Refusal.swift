import Foundation
import LocalAuthentication
import NotesCore
import Security

extension LAContext {
  /// Asks for what `access` demands; nil once it is proven.
  func refusal(of access: SecAccessControl, _ reason: String) -> LoginAnswer? {
    let asked = DispatchSemaphore(value: 0)
    let answer = Answer()
    evaluateAccessControl(access, operation: .useItem, localizedReason: reason) { _, error in
      answer.error = error
      asked.signal()
    }
    asked.wait()
    guard let error = answer.error else { return nil }
    // What has no code of Apple's counts as a miss there.
    guard (error as NSError).code != LAError.Code.authenticationFailed.rawValue else {
      return .missed
    }
    switch (error as? LAError)?.code {
    case .userFallback: return .fallback
    case .userCancel, .systemCancel, .appCancel: return .canceled
    case .biometryLockout: return .lockedOut
    default: return .failed(error.localizedDescription)
    }
  }

  /// Written on the reply's thread before it signals, read after that.
  private final class Answer: @unchecked Sendable {
    var error: (any Error)?
  }
}
