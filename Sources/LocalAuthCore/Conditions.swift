/// Whether a finger can be asked for now.
public enum BiometryCondition: Hashable, Sendable {
  case usable
  case notAvailable
  case disconnected
  /// The sensor is there and cannot be asked now.
  case hindered(SensorHindrance)
  case notEnrolled
  /// Locked for this long, or until the passcode is proven if nil.
  case lockedOut(retryAfter: Duration?)
  /// The passcode has not been used for too long, or not since the boot.
  case passcodeRequired
  /// The lockout profile requires a passcode, and none is set.
  case needsPasscodeSet

  /// The outcome of a request that fails for this reason alone; nil if usable.
  public var outcome: Outcome? {
    switch self {
    case .usable: nil
    case .notAvailable: Outcome(.biometryNotAvailable)
    case .disconnected: Outcome(.biometryDisconnected)
    case .hindered(let hindrance): Outcome(.biometryNotAvailable, detail: hindrance.sentence)
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
  /// Refused for this long, or for good if nil.
  case throttled(retryAfter: Duration?)

  /// The outcome of a request that fails for this reason alone; nil if usable.
  public var outcome: Outcome? {
    switch self {
    case .usable: nil
    case .notSet: Outcome(.passcodeNotSet)
    case .throttled(let retryAfter): Outcome(.passcodeThrottled, retryAfter: retryAfter)
    }
  }
}

/// Whether a possession authenticator can be asked now.
public enum PossessionCondition: Hashable, Sendable {
  case usable
  /// None is connected.
  case notAvailable
  /// Refused for this long, or until the passcode is proven if nil.
  case lockedOut(retryAfter: Duration?)
  /// Another program judges than when the passcode was last proven: a new judge is a new way in.
  case passcodeRequired

  /// The outcome of a request that fails for this reason alone; nil if usable.
  public var outcome: Outcome? {
    switch self {
    case .usable: nil
    case .passcodeRequired:
      Outcome(
        .authenticatorLockout,
        detail: "The passcode is needed first: the authenticators of this machine changed."
      )
    case .notAvailable: Outcome(.authenticatorNotAvailable)
    case .lockedOut(let retryAfter): Outcome(.authenticatorLockout, retryAfter: retryAfter)
    }
  }
}

/// The facts about a device that decide an evaluation, read anew at every event.
public struct Conditions: Hashable, Sendable {
  /// Whether a finger can be asked for.
  public var biometry: BiometryCondition { didSet { updateSets() } }
  /// Whether the passcode can be asked for.
  public var passcode: PasscodeCondition { didSet { updateSets() } }
  /// Whether a possession factor can be asked for.
  public var possession: PossessionCondition { didSet { updateSets() } }
  /// The generation of the enrolled set whose device unlock stands in for a touch; nil if none
  /// does.
  public var reusableUnlock: UInt64?
  /// What was proven by the grant that answers the request; nil without one.
  public var granted: Proven?
  // These two are stored, because each event reads them several times.
  @usableFromInline var usableFactors: FactorSet
  /// The factors that are refused because the passcode comes first.
  @usableFromInline var needingPasscode: FactorSet

  /// The conditions.
  @inlinable
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
    usableFactors = []
    needingPasscode = []
    updateSets()
  }

  /// The factors that can be asked for.
  @inlinable public var usable: FactorSet { usableFactors }

  /// The outcome of a request that fails for `factor` alone; nil if it is usable, or comes with the request and is judged by
  /// what it opens.
  public func outcome(of factor: Factor) -> Outcome? {
    switch factor {
    case .biometry: biometry.outcome
    case .passcode: passcode.outcome
    case .possession: possession.outcome
    case .applicationPassword, .companion: nil
    }
  }

  /// Works out both sets from the conditions of the factors.
  @inlinable
  mutating func updateSets() {
    usableFactors = []
    needingPasscode = []
    switch biometry {
    case .usable: usableFactors.insert(Factor.biometry.alone)
    case .passcodeRequired: needingPasscode.insert(Factor.biometry.alone)
    case .notAvailable, .disconnected, .hindered, .notEnrolled, .lockedOut, .needsPasscodeSet: break
    }
    if case .usable = passcode { usableFactors.insert(Factor.passcode.alone) }
    switch possession {
    case .usable: usableFactors.insert(Factor.possession.alone)
    case .passcodeRequired: needingPasscode.insert(Factor.possession.alone)
    case .notAvailable, .lockedOut: break
    }
  }
}
