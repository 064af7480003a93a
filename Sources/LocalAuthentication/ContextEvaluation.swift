import Foundation
import LocalAuth
import LocalAuthCore
import LocalAuthKeychain

/// Apple's policies, mapped to those of a context; policies with paired devices exist only here.
extension AuthContext {
  /// The error that prevents a policy from being met now; nil if there is none.
  func refusal(of policy: LAPolicy) -> LAError? {
    guard !isInvalid else { return LAError(.invalidContext) }
    switch policy {
    case .deviceOwnerAuthenticationWithBiometrics: return refusal(of: .biometrics)
    case .deviceOwnerAuthentication: return refusal(of: .deviceOwner)
    case .deviceOwnerAuthenticationWithCompanion: return LAError(.companionNotAvailable)
    case .deviceOwnerAuthenticationWithBiometricsOrCompanion:
      let refusal = refusal(of: .biometrics)
      switch refusal?.code {
      // Without a sensor, only a companion could have met the policy.
      case .biometryNotAvailable, .biometryDisconnected: return LAError(.companionNotAvailable)
      case .none, .authenticationFailed, .userCancel, .userFallback, .systemCancel,
        .passcodeNotSet, .biometryNotEnrolled, .biometryLockout, .appCancel, .invalidContext,
        .companionNotAvailable, .biometryNotPaired, .invalidDimensions, .notInteractive:
        return refusal
      }
    case .deviceOwnerAuthenticationWithWristDetection:
      return refusal(of: .passcode) ?? LAError(.companionNotAvailable)
    }
  }

  private func refusal(of policy: PolicyName) -> LAError? {
    do throws(AuthError) {
      try canEvaluate(policy)
      return nil
    } catch {
      return LAError(error)
    }
  }

  /// Evaluates a policy and calls `reply` once, on a dedicated thread.
  func evaluate(
    _ policy: LAPolicy,
    _ reason: String,
    reply: @escaping @Sendable (ContextResult) -> Void
  ) {
    switch policy {
    case .deviceOwnerAuthenticationWithBiometrics: evaluate(.biometrics, reason, reply)
    case .deviceOwnerAuthentication: evaluate(.deviceOwner, reason, reply)
    case .deviceOwnerAuthenticationWithCompanion,
      .deviceOwnerAuthenticationWithBiometricsOrCompanion,
      .deviceOwnerAuthenticationWithWristDetection:
      // On another thread, because the check blocks.
      Self.onOwnThread { [self] in
        if let refusal = refusal(of: policy) { return reply(.failure(refusal)) }
        evaluate(.biometrics, reason, reply)
      }
    }
  }

  private func evaluate(
    _ policy: PolicyName,
    _ reason: String,
    _ reply: @escaping @Sendable (ContextResult) -> Void
  ) {
    do throws(AuthError) {
      try begin(policy, reason: reason) { reply($0.map { _ in () }.mapError { LAError($0) }) }
    } catch {
      Self.onOwnThread { [error] in reply(.failure(LAError(error))) }
    }
  }

  /// Obtains the proof that an access control requires and calls `reply` once, on a dedicated
  /// thread.
  func evaluate(
    _ accessControl: AccessControl,
    _ use: AccessControlUse,
    _ reason: String,
    reply: @escaping @Sendable (ContextResult) -> Void
  ) {
    if !isInvalid, accessControl.isWithoutCompanionClosed(to: use) {
      return Self.onOwnThread { reply(.failure(LAError(.companionNotAvailable))) }
    }
    do throws(AuthError) {
      try begin(accessControl, for: use, reason: reason) {
        reply($0.map { _ in () }.mapError { LAError($0) })
      }
    } catch {
      Self.onOwnThread { [error] in reply(.failure(LAError(error))) }
    }
  }
}

/// The result of an evaluation.
typealias ContextResult = Result<Void, LAError>

extension ContextResult {
  /// Passes the result to an Apple callback: an error if and only if there was no success.
  func tell(_ reply: (Bool, (any Error)?) -> Void) {
    switch self {
    case .success: reply(true, nil)
    case .failure(let error): reply(false, error._nsError)
    }
  }
}

extension AccessControl {
  /// Whether the proof it requires for `use` is impossible without a paired device.
  fileprivate func isWithoutCompanionClosed(to use: AccessControlUse) -> Bool {
    let rest: FactorSet = [.biometry, .passcode, .applicationPassword]
    return use.operations.contains { operation in
      guard case .requires(let requirement) = rule(for: operation, at: 0) else { return false }
      return requirement.progress(from: Proven(factors: []), with: rest)
        == .blocked(by: .companion)
    }
  }
}

extension AccessControlUse {
  init(_ operation: LAAccessControlOperation) {
    switch operation {
    case .createItem: self = .createItem
    case .useItem: self = .useItem
    case .createKey: self = .createKey
    case .useKeySign: self = .useKeySign
    case .useKeyDecrypt: self = .useKeyDecrypt
    case .useKeyKeyExchange: self = .useKeyKeyExchange
    }
  }
}

extension LABiometryType {
  /// Apple's value for a kind of biometry.
  init(_ type: BiometryType) {
    switch type {
    case .none: self = .none
    case .fingerprint: self = .touchID
    }
  }
}
