public import LocalAuthCore

/// How an evaluation would begin if it began now.
public struct Preflight: Sendable {
  /// One factor of the policy, in the state the policy would find it.
  public struct FactorState: Sendable {
    /// The factor.
    public var factor: Factor
    /// Why it cannot be asked for; nil if it can.
    public var hindrance: Outcome?
    /// Tries left before a lock; nil if it cannot be asked for or there is no lock.
    public var attemptsLeft: UInt32?
  }

  /// The result with which the evaluation would begin.
  public var result: EvaluationResult
  /// Whether the device has a sensor.
  public var hasSensor: Bool
  /// A token that changes with the enrolled set; nil without fingers.
  public var domainState: [UInt8]?
  /// The policy's factors.
  public var factors: [FactorState]
}

extension Engine {
  /// Predicts how an evaluation by `caller` would begin, without prompting.
  public func canEvaluate(
    policy name: String,
    device deviceName: String?,
    allowsSimulated: Bool,
    caller: Caller
  ) throws(EngineError) -> Preflight {
    let device = try device(named: deviceName, of: caller)
    let policy = try policy(named: name)
    let policyProfile = try policy.lockout.map { name throws(EngineError) in
      try lockoutProfile(named: name, for: policy.name)
    }
    let machine = device.current(clock.now())
    let now = device.now(clock.now())
    let conditions = machine.conditions(
      for: policy,
      and: policyProfile,
      from: caller.origin,
      allowsSimulated: allowsSimulated,
      at: now
    )
    let attemptsLeft = machine.attemptsLeft(and: policyProfile, from: caller.origin, at: now)
    let result = EvaluationResult(
      id: EvaluationID(high: 0, low: 0),
      outcome: outcome(of: policy, under: conditions, on: device, allowsSimulated),
      policy: policy.name,
      device: device.identity.name,
      method: nil,
      finger: nil,
      attempts: 0,
      attemptsLeft: attemptsLeft,
      isSimulated: device.record.isSimulated,
      scriptEventsLeft: 0
    )
    return Preflight(
      result: result,
      hasSensor: device.hasSensor,
      domainState: domainState(of: device),
      factors: policy.requirement.factors.factors.map { factor in
        let left: UInt32? =
          switch factor {
          case .biometry: attemptsLeft
          case .possession: machine.possessionsLeft(and: policyProfile, at: now)
          case .passcode, .applicationPassword, .companion:
            machine.passcodesLeft(from: caller.origin, at: now)
          }
        var state = Preflight.FactorState(factor, under: conditions, attemptsLeft: left)
        if factor == .passcode, state.hindrance == nil, let obstacle = passcodeObstacle(of: device)
        {
          (state.hindrance, state.attemptsLeft) = (obstacle, nil)
        }
        return state
      }
    )
  }

  private func outcome(
    of policy: Policy,
    under conditions: Conditions,
    on device: LiveDevice,
    _ allowsSimulated: Bool
  ) -> Outcome {
    if let failure = device.machine.failure { return Outcome(failure) }
    if device.record.isSimulated, !allowsSimulated { return Outcome(.simulatedNotAllowed) }
    let rules = EvaluationMachine.Rules(
      policy: policy,
      profile: device.machine.rules.lockout,
      isInteractive: true
    )
    if let outcome = EvaluationMachine.preflight(rules, conditions: conditions) { return outcome }
    guard let obstacle = passcodeObstacle(of: device) else { return .success }
    var without = conditions
    without.passcode = .throttled(retryAfter: nil)
    // Only a policy that cannot do without the passcode ends for this reason.
    return EvaluationMachine.preflight(rules, conditions: without) == nil ? .success : obstacle
  }
}

extension Preflight.FactorState {
  fileprivate init(_ factor: Factor, under conditions: Conditions, attemptsLeft: UInt32?) {
    self.factor = factor
    hindrance = conditions.outcome(of: factor)
    self.attemptsLeft = hindrance == nil ? attemptsLeft : nil
  }
}
