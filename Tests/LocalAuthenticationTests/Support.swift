import LocalAuthTestKit
import LocalAuthentication

extension TestDevice {
  /// A device that counts misses as Apple's do.
  static func apple(
    _ fingers: [Finger] = [.rightIndex],
    passcode: String? = "1234"
  ) throws -> TestDevice {
    try TestDevice(fingers: fingers, passcode: passcode, lockout: .apple)
  }

  /// A context as code that knows nothing of test devices makes it.
  func laContext() -> LAContext { use { LAContext() } }

  /// Locks the fingers by misses.
  func lockFingers() async throws {
    for script in ["miss,miss,miss", "miss,miss"] {
      try sensor.script(script)
      _ = await laContext().code(of: .deviceOwnerAuthenticationWithBiometrics)
    }
  }
}

extension LAContext {
  /// The number of the error that an evaluation ends with; 0 for a success.
  func code(of policy: LAPolicy, reason: String = "test") async -> Int {
    await withCheckedContinuation { continuation in
      evaluatePolicy(policy, localizedReason: reason) { success, error in
        let code = error.map { ($0 as NSError).code } ?? 0
        continuation.resume(returning: success == (code == 0) ? code : .min)
      }
    }
  }

  /// The same for an access control.
  func code(
    of accessControl: SecAccessControl,
    _ operation: LAAccessControlOperation = .useItem
  ) async -> Int {
    await withCheckedContinuation { continuation in
      evaluateAccessControl(accessControl, operation: operation, localizedReason: "test") {
        success,
        error in
        let code = error.map { ($0 as NSError).code } ?? 0
        continuation.resume(returning: success == (code == 0) ? code : .min)
      }
    }
  }

  /// The number of the error that the preflight gives; 0 where it gives none.
  func preflight(_ policy: LAPolicy) -> Int {
    var error: NSError? = NSError(domain: "stale", code: 99)
    let canEvaluate = canEvaluatePolicy(policy, error: &error)
    let code = error?.code ?? 0
    return canEvaluate == (code == 0) ? code : .min
  }
}

/// The access control of these flags, for items that open while the device is unlocked.
func accessControl(_ flags: SecAccessControlCreateFlags) -> SecAccessControl? {
  SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
}
