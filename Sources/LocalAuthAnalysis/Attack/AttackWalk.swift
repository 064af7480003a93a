import LocalAuthCore

/// An attacker at a device, on the machines of the daemon: which attempt is possible when.
///
/// They begin evaluations as often as they like, wait for every refusal that time ends, and stop when what they
/// can do is closed to them.
struct AttackWalk {
  enum Step {
    /// An attempt is being judged that was begun at ``AttackWalk/now``.
    case attempt(Factor)
    /// The policy was met.
    case succeeded
    /// Time is up, or everything is closed.
    case stopped
  }

  /// What decides how the walk goes on.
  struct State: Hashable {
    fileprivate var device: DeviceAttempts
    fileprivate var evaluation: EvaluationMachine
    fileprivate var now: Int64
    fileprivate var guesses: UInt32
    fileprivate var attemptsBefore: UInt32
  }

  /// Where it stands, among walks of as many attempts.
  var state: State {
    State(
      device: facts.attempts,
      evaluation: evaluation,
      now: now,
      guesses: guesses,
      attemptsBefore: attemptsBefore
    )
  }

  /// Nanoseconds since the attack began.
  private(set) var now: Int64 = 0
  private(set) var fingers: UInt32 = 0
  private(set) var guesses: UInt32 = 0
  private let attack: Attack
  private var facts: DeviceFacts
  private var evaluation: EvaluationMachine
  /// The attempts before the evaluation that is under way.
  private var attemptsBefore: UInt32 = 0

  init(_ plan: borrowing PolicyCase, _ attack: Attack) {
    self.attack = attack
    facts = plan.device(hasFinger: plan.prints > 0, at: .virtual(0))
    facts.attempts.freshness.matched(at: .virtual(0))
    evaluation = EvaluationMachine(rules: plan.evaluationRules)
  }

  /// The first attempt.
  mutating func begin(_ plan: borrowing PolicyCase) -> Step {
    let requirement = plan.policy.requirement
    let means: FactorSet = attack.attacker.guesses ? [.biometry, .passcode] : .biometry
    guard requirement.isReachable(from: Proven(), with: means),
      attack.attacker.prefersFinger || requirement.factors.contains(.passcode)
    else { return .stopped }
    return evaluate(plan)
  }

  /// The attempt that was begun is judged; what comes next.
  mutating func judged(_ factor: Factor, succeeds: Bool, _ plan: borrowing PolicyCase) -> Step {
    now += (factor == .biometry ? attack.presenting : attack.typing).wholeNanoseconds
    let verdict: Verdict = succeeds ? .proven(finger: .rightIndex, generation: 0) : .miss
    let moment = Moment.virtual(now)
    facts.attempts.settle(factor, verdict, wasSubmitted: true, under: plan.rules, at: moment)
    let conditions = plan.conditions(of: facts, at: .virtual(now))
    return go(evaluation.judged(factor, verdict, conditions: conditions), conditions, plan)
  }

  private mutating func evaluate(_ plan: borrowing PolicyCase) -> Step {
    guard fingers + guesses < Attack.attemptsMax else { return .stopped }
    attemptsBefore = fingers + guesses
    evaluation = EvaluationMachine(rules: evaluation.rules)
    let conditions = plan.conditions(of: facts, at: .virtual(now))
    return go(evaluation.begin(conditions: conditions), conditions, plan)
  }

  private mutating func go(
    _ action: EvaluationMachine.Action,
    _ conditions: Conditions,
    _ plan: borrowing PolicyCase
  ) -> Step {
    switch action {
    case .enqueue: return go(evaluation.armed(conditions: conditions), conditions, plan)
    case .present(let live): return choose(live, conditions, plan)
    case .finish where evaluation.outcome == .success: return .succeeded
    case .finish: return wait(conditions, plan)
    case .redeem, .attempt, .ignore: return .stopped
    }
  }

  private mutating func choose(
    _ live: FactorSet,
    _ conditions: Conditions,
    _ plan: borrowing PolicyCase
  ) -> Step {
    let canType = attack.attacker.guesses && live.contains(.passcode)
    let canTouch = live.contains(.biometry)
    if canTouch, attack.attacker.prefersFinger || !canType {
      if attack.attacker.guesses, !attack.attacker.prefersFinger, evaluation.offersFallback,
        evaluation.canSkipBiometry(conditions: conditions)
      {
        return go(evaluation.fallback(conditions: conditions), conditions, plan)
      }
      return offer(.biometry, conditions, plan)
    }
    return canType ? offer(.passcode, conditions, plan) : wait(conditions, plan)
  }

  private mutating func offer(
    _ factor: Factor,
    _ conditions: Conditions,
    _ plan: borrowing PolicyCase
  ) -> Step {
    guard now <= attack.time.wholeNanoseconds,
      fingers + guesses < Attack.attemptsMax,
      case .attempt = evaluation.offered(factor, conditions: conditions),
      case .charged = facts.attempts.charge(factor, under: plan.rules, at: .virtual(now))
    else { return .stopped }
    if factor == .biometry { fingers += 1 } else { guesses += 1 }
    return .attempt(factor)
  }

  /// Waits for the refusal that ends first, and begins again; what was open and led nowhere is not tried again.
  private mutating func wait(_ conditions: Conditions, _ plan: borrowing PolicyCase) -> Step {
    var waits: [Duration] = []
    switch conditions.biometry {
    case .usable: waits.append(.zero)
    case .lockedOut(let time?): waits.append(time)
    case .lockedOut(nil), .passcodeRequired, .notAvailable, .disconnected, .notEnrolled,
      .needsPasscodeSet:
      break
    }
    if attack.attacker.guesses {
      switch conditions.passcode {
      case .usable: waits.append(.zero)
      case .throttled(let time?): waits.append(time)
      case .throttled(nil), .notSet: break
      }
    }
    let wasInVain = fingers + guesses == attemptsBefore
    guard let shortest = waits.filter({ $0 > .zero || !wasInVain }).min() else { return .stopped }
    now += shortest.wholeNanoseconds
    guard now <= attack.time.wholeNanoseconds else { return .stopped }
    return evaluate(plan)
  }
}
