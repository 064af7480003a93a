import LocalAuthCore

/// An attacker at a device, run on the daemon's state machines, which decide when an attempt is
/// possible.
///
/// The attacker begins evaluations without limit, waits for every refusal that ends with time, and
/// stops when every factor they can use is closed.
struct AttackWalk {
  enum Step {
    /// An attempt begun at ``AttackWalk/now`` is being judged.
    case attempt(Factor)
    /// The policy has been met.
    case succeeded
    /// Time is up, or every factor is closed.
    case stopped
  }

  /// Everything that determines the rest of the walk.
  struct State: Hashable {
    fileprivate var device: DeviceAttempts
    fileprivate var evaluation: EvaluationMachine
    fileprivate var now: Int64
    fileprivate var guesses: UInt32
    fileprivate var attemptsBefore: UInt32
  }

  /// The state; comparable only between walks with the same number of attempts.
  var state: State {
    State(
      device: facts.attempts,
      evaluation: evaluation,
      now: now,
      guesses: guesses,
      attemptsBefore: attemptsBefore
    )
  }

  /// The time since the attack began, in nanoseconds.
  private(set) var now: Int64 = 0
  private(set) var fingers: UInt32 = 0
  private(set) var guesses: UInt32 = 0
  private let attack: Attack
  private var facts: DeviceFacts
  private var evaluation: EvaluationMachine
  /// The number of attempts before the current evaluation.
  private var attemptsBefore: UInt32 = 0

  init(_ plan: borrowing PolicyCase, _ attack: Attack) {
    self.attack = attack
    facts = plan.device(hasFinger: plan.prints > 0, at: .virtual(0))
    facts.attempts.freshness.matched(at: .virtual(0))
    evaluation = EvaluationMachine(rules: plan.evaluationRules)
  }

  /// Begins the attack; returns the first step.
  mutating func begin(_ plan: borrowing PolicyCase) -> Step {
    let requirement = plan.policy.requirement
    let means: FactorSet = attack.attacker.guesses ? [.biometry, .passcode] : .biometry
    guard requirement.isReachable(from: Proven(), with: means),
      attack.attacker.prefersFinger || requirement.factors.contains(.passcode)
    else { return .stopped }
    return evaluate(plan)
  }

  /// Reports the verdict on the current attempt; returns the next step.
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

  /// Waits for the first refusal to end and evaluates again.
  ///
  /// A factor that was usable but gave no attempt is not tried again without a wait.
  private mutating func wait(_ conditions: Conditions, _ plan: borrowing PolicyCase) -> Step {
    var waits: [Duration] = []
    switch conditions.biometry {
    case .usable: waits.append(.zero)
    case .lockedOut(let time?): waits.append(time)
    case .lockedOut(nil), .passcodeRequired, .notAvailable, .disconnected, .hindered,
      .notEnrolled, .needsPasscodeSet:
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
