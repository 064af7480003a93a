public import LocalAuthCore
public import LocalAuthSensor

/// The subject of a simulation or solution: a policy on a device with a sensor, and its users.
public struct PolicyCase: Hashable, Sendable {
  /// The policy.
  public var policy: Policy
  /// The lockout profiles of the device and the policy, and the passcode delays.
  public var rules: DeviceAttempts.Rules
  /// The sensor and its population.
  public var sensor: SensorModel
  /// The number of prints each person enrols, which an impostor's finger is compared with.
  public var prints: UInt32
  /// The habits of the people.
  public var habits: Habits

  /// Creates a case from its parts.
  public init(
    policy: Policy,
    rules: DeviceAttempts.Rules,
    sensor: SensorModel,
    prints: UInt32 = 1,
    habits: Habits = Habits()
  ) {
    self.policy = policy
    self.rules = rules
    self.sensor = sensor
    self.prints = prints
    self.habits = habits
  }

  /// Whether a finger alone can meet the policy, so that a passcode is only a fallback.
  public var isFingerEnough: Bool {
    policy.requirement.isMet(by: Proven(factors: .biometry, biometryGeneration: 0))
  }

  /// Whether the policy asks for a finger at all.
  public var asksForFinger: Bool { policy.requirement.factors.contains(.biometry) }

  /// The rules for one evaluation.
  var evaluationRules: EvaluationMachine.Rules {
    EvaluationMachine.Rules(
      policy: policy,
      profile: rules.lockout,
      and: rules.policyLockout,
      isInteractive: true
    )
  }

  /// Returns the conditions on a device in the state `facts`.
  @inline(__always)
  func conditions(of facts: DeviceFacts, at now: Moment) -> Conditions {
    facts.conditions(for: policy, under: rules, at: now)
  }

  /// Returns a device just set up: a passcode proven at `now`, and fingers if `hasFinger`.
  func device(hasFinger: Bool, at now: Moment) -> DeviceFacts {
    var record = DeviceRecord(identity: .init(owner: 0, name: "simulated"), isSimulated: true)
    record.passcode = .device
    record.attempts.freshness.passcodeUsed(at: now)
    if hasFinger { record.enrolment.fingers = [.rightIndex] }
    return DeviceFacts(record, sensor: .ready(.strong), isDistrusted: false)
  }
}

extension Moment {
  /// Returns a moment on the virtual clock of simulations and solutions, which run within a single
  /// boot.
  static func virtual(_ nanoseconds: Int64) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: nanoseconds),
      bootID: BootIdentifier(high: 0, low: 1),
      wall: WallInstant(milliseconds: nanoseconds / 1_000_000)
    )
  }
}
