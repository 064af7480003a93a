public import LocalAuthCore
public import LocalAuthPolicies

/// Why the engine refused a request or could not carry it out.
public enum EngineError: Error, Hashable, Sendable {
  case policyNotFound(String)
  case policyUnusable(policy: String, message: String)
  case deviceNotFound(String)
  case deviceExists(String)
  case invalidArgument(String)
  case scriptInvalid(String)
  /// The passcode is needed and was not given.
  case passcodeRequired
  /// The operation was refused with this outcome.
  case refused(Outcome)
  /// No prompt with that nonce awaits an answer from that caller.
  case promptNotFound
  /// No prompt was armed for the touch.
  case notArmed
  case noSimulatedSensor
  /// The enrolment ended early; nothing was stored.
  case enrolmentFailed(code: String, message: String)
  case notPermitted(String)
  case limitReached(String)
  /// Something between devices was not done.
  case sync(SyncFailure)
  /// An internal failure; nothing was allowed.
  case internalError(String)
}

extension EngineError {
  /// Why the policy called `name` cannot be evaluated.
  public init(_ error: PolicyError, policy name: String) {
    if case .noSuchName(.policy, name, _) = error.problem {
      self = .policyNotFound(name)
    } else {
      self = .policyUnusable(policy: name, message: "\(error)")
    }
  }
}

extension EngineError {
  /// Durable state cannot be read or written.
  init(_ failure: StorageError) { self = .internalError(Outcome(failure).detail ?? "") }
}

extension EngineError {
  /// The device was removed meanwhile.
  static func gone(_ device: LiveDevice) -> Self { .deviceNotFound(device.identity.name) }

  /// The device's changes could not be made durable.
  static func unwritable(_ device: LiveDevice) -> Self {
    let outcome = device.machine.unwritable
    return .internalError(outcome.detail ?? outcome.code.sentence)
  }
}

extension EngineError {
  /// How an act ended that this refused, as the audit says it.
  var ending: Outcome {
    switch self {
    case .refused(let outcome): outcome
    case .invalidArgument(let text), .scriptInvalid(let text): Outcome(.usage, detail: text)
    case .notPermitted(let text): Outcome(.notPermitted, detail: text)
    case .limitReached(let text): Outcome(.busy, detail: text)
    case .internalError(let text): Outcome(.internalError, detail: text)
    case .policyNotFound, .policyUnusable, .deviceNotFound, .deviceExists:
      Outcome(.badConfiguration)
    case .passcodeRequired: Outcome(.notInteractive)
    case .notArmed, .enrolmentFailed: Outcome(.sensorError)
    case .noSimulatedSensor: Outcome(.notPermitted)
    case .promptNotFound: Outcome(.internalError)
    case .sync(let failure): Outcome(failure.outcome)
    }
  }
}
