/// Whether a finger can be asked for now.
public enum BiometryCondition: Hashable, Sendable {
  case usable
  case notAvailable
  case disconnected
  case notEnrolled
  /// Locked for this long, or until the passcode when nil.
  case lockedOut(retryAfter: Duration?)
  /// The passcode was not used for too long, or not since the boot.
  case passcodeRequired
  /// The lockout profile wants a passcode to be set, and none is.
  case needsPasscodeSet

  /// The outcome of a request that fails for this reason alone; nil when usable.
  public var outcome: Outcome? {
    switch self {
    case .usable: nil
    case .notAvailable: Outcome(.biometryNotAvailable)
    case .disconnected: Outcome(.biometryDisconnected)
    case .notEnrolled: Outcome(.biometryNotEnrolled)
    case .lockedOut(let retryAfter): Outcome(.biometryLockout, retryAfter: retryAfter)
    case .passcodeRequired:
      Outcome(.biometryLockout, detail: "The passcode is needed before a finger counts again.")
    case .needsPasscodeSet: Outcome(.passcodeNotSet)
    }
  }
}

/// Whether the passcode can be asked for now.
public enum PasscodeCondition: Hashable, Sendable {
  case usable
  case notSet
  /// Refused for this long, or for good when nil.
  case throttled(retryAfter: Duration?)

  /// The outcome of a request that fails for this reason alone; nil when usable.
  public var outcome: Outcome? {
    switch self {
    case .usable: nil
    case .notSet: Outcome(.passcodeNotSet)
    case .throttled(let retryAfter): Outcome(.passcodeThrottled, retryAfter: retryAfter)
    }
  }
}

/// Whether an authenticator of what a person has can be asked now.
public enum PossessionCondition: Hashable, Sendable {
  case usable
  /// None is connected.
  case notAvailable
  /// Refused for this long, or until the passcode when nil.
  case lockedOut(retryAfter: Duration?)

  /// The outcome of a request that fails for this reason alone; nil when usable.
  public var outcome: Outcome? {
    switch self {
    case .usable: nil
    case .notAvailable: Outcome(.authenticatorNotAvailable)
    case .lockedOut(let retryAfter): Outcome(.authenticatorLockout, retryAfter: retryAfter)
    }
  }
}

/// The facts about a device that an evaluation is decided on, read anew at every event.
public struct Conditions: Hashable, Sendable {
  /// Whether a finger can be asked for.
  public var biometry: BiometryCondition
  /// Whether the passcode can be asked for.
  public var passcode: PasscodeCondition
  /// Whether what the person has can be asked for.
  public var possession: PossessionCondition
  /// Whether a device unlock by finger stands in for a touch, and of which enrolled set.
  public var reusableUnlock: UInt64?
  /// What the grant has proven that answers the request, if one does.
  public var granted: Proven?

  /// The conditions.
  public init(
    biometry: BiometryCondition,
    passcode: PasscodeCondition,
    possession: PossessionCondition = .notAvailable,
    reusableUnlock: UInt64? = nil,
    granted: Proven? = nil
  ) {
    self.biometry = biometry
    self.passcode = passcode
    self.possession = possession
    self.reusableUnlock = reusableUnlock
    self.granted = granted
  }

  /// The factors that can be asked for.
  public var usable: FactorSet {
    var set: FactorSet = []
    if case .usable = biometry { set.insert(.biometry) }
    if case .usable = passcode { set.insert(.passcode) }
    if case .usable = possession { set.insert(.possession) }
    return set
  }
}
