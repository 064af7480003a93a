import Foundation
import LocalAuthentication

/// Asks for a finger before it lets somebody through, and says what to tell them otherwise.
struct BiometricGate {
  /// What became of it, as an app's screens know it.
  enum Outcome: Equatable {
    case open
    case canceled
    case wantsPassword
    case interrupted
    case setPasscodeFirst
    case noSensor
    case enrollFirst
    case lockedOut
    case abandoned
    case needsNewContext
    case notRecognized
    case nobodyToAsk
    case other(Int)
  }

  var context = LAContext()
  var policy = LAPolicy.deviceOwnerAuthenticationWithBiometrics
  var reason = "Open the diary"

  /// What can be told without asking anybody.
  var availability: Outcome {
    var error: NSError?
    return context.canEvaluatePolicy(policy, error: &error) ? .open : Self.outcome(error)
  }

  /// By callback, as apps did before there were tasks.
  func pass(_ done: @escaping @Sendable (Outcome) -> Void) {
    var error: NSError?
    guard context.canEvaluatePolicy(policy, error: &error) else { return done(Self.outcome(error)) }
    context.evaluatePolicy(policy, localizedReason: reason) { success, error in
      done(success ? .open : Self.outcome(error))
    }
  }

  /// In a task.
  func pass() async -> Outcome {
    do {
      return try await context.evaluatePolicy(policy, localizedReason: reason)
        ? .open : .notRecognized
    } catch {
      return Self.outcome(error)
    }
  }

  private static func outcome(_ error: (any Error)?) -> Outcome {
    guard let error = error as? LAError else { return .other(0) }
    switch error.code {
    case .userCancel: return .canceled
    case .userFallback: return .wantsPassword
    case .systemCancel: return .interrupted
    case .passcodeNotSet: return .setPasscodeFirst
    case .biometryNotAvailable: return .noSensor
    case .biometryNotEnrolled: return .enrollFirst
    case .biometryLockout: return .lockedOut
    case .appCancel: return .abandoned
    case .invalidContext: return .needsNewContext
    case .authenticationFailed: return .notRecognized
    case .notInteractive: return .nobodyToAsk
    default: return .other(error.code.rawValue)
    }
  }
}
