public import LocalAuthCore
public import LocalAuthSensor

/// What is simulated and solved: a policy on a device with a sensor, and the people before it.
public struct PolicyCase: Hashable, Sendable {
  /// The policy.
  public var policy: Policy
  /// The lockout profiles of device and policy, and the passcode delays.
  public var rules: DeviceAttempts.Rules
  /// The sensor and its population.
  public var sensor: SensorModel
  /// The prints that each person enrols, and that an impostor's finger is compared with.
  public var prints: UInt32
  /// What people do.
  public var habits: Habits

  /// The case of these parts.
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

  /// Whether the policy can be met by a finger alone, so that a passcode is a fallback.
  public var isFingerEnough: Bool {
    policy.requirement.isMet(by: Proven(factors: .biometry, biometryGeneration: 0))
  }

  /// The rules of an evaluation.
  var evaluationRules: EvaluationMachine.Rules {
    EvaluationMachine.Rules(
      policy: policy,
      profile: rules.lockout,
      and: rules.policyLockout,
      isInteractive: true
    )
  }

  /// The conditions on a device of which `facts` are known.
  func conditions(of facts: DeviceFacts, at now: Moment) -> Conditions {
    facts.conditions(for: policy, under: rules, at: now)
  }

  /// A device that was just set up: a passcode that was proven at `now`, and fingers where `hasFinger`.
  func device(hasFinger: Bool, at now: Moment) -> DeviceFacts {
    var record = DeviceRecord(identity: .init(owner: 0, name: "simulated"), isSimulated: true)
    record.passcode = .device
    record.attempts.freshness.passcodeUsed(at: now)
    if hasFinger { record.enrolment.fingers = [.rightIndex] }
    return DeviceFacts(record, sensor: .ready(.strong), isDistrusted: false)
  }
}

extension Moment {
  /// A moment of the clock that simulations and solutions run on: one boot, which nothing ends.
  static func virtual(_ nanoseconds: Int64) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: nanoseconds),
      bootID: BootIdentifier(high: 0, low: 1),
      wall: WallInstant(milliseconds: nanoseconds / 1_000_000)
    )
  }
}
