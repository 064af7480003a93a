import LocalAuthCore
import LocalAuthSensor

@testable import LocalAuthAnalysis

/// An attacker who tries in an order that is assumed: a finger as long as one is asked for, or a
/// passcode as long as one can be typed.
///
/// They begin evaluations without limit, wait for every refusal that ends with time, and stop when
/// every factor they can use is closed.
struct FixedAttack {
  enum Step {
    /// An attempt begun at ``FixedAttack/now`` is being judged.
    case attempt(Factor)
    /// The policy has been met.
    case succeeded
    /// Time is up, or every factor is closed.
    case stopped
  }

  /// The time since the attack began, in nanoseconds.
  private(set) var now: Int64 = 0
  private(set) var fingers: UInt32 = 0
  private(set) var guesses: UInt32 = 0
  private let attack: Attack
  private let prefersFinger: Bool
  private var facts: DeviceFacts
  private var evaluation: EvaluationMachine
  /// The number of attempts before the current evaluation.
  private var attemptsBefore: UInt32 = 0

  init(_ plan: PolicyCase, _ attack: Attack, prefersFinger: Bool) {
    self.attack = attack
    self.prefersFinger = prefersFinger
    facts = plan.device(hasFinger: plan.prints > 0, at: .virtual(0))
    facts.attempts.freshness.matched(at: .virtual(0))
    evaluation = EvaluationMachine(rules: plan.evaluationRules)
  }

  /// Begins the attack; returns the first step.
  mutating func begin(_ plan: PolicyCase) -> Step {
    let requirement = plan.policy.requirement
    let means: FactorSet = attack.attacker.types ? [.biometry, .passcode] : .biometry
    guard requirement.isReachable(from: Proven(), with: means),
      prefersFinger || requirement.factors.contains(.passcode)
    else { return .stopped }
    return evaluate(plan)
  }

  /// Reports the verdict on the current attempt; returns the next step.
  mutating func judged(_ factor: Factor, succeeds: Bool, _ plan: PolicyCase) -> Step {
    now += (factor == .biometry ? attack.presenting : attack.typing).wholeNanoseconds
    let verdict: Verdict = succeeds ? .proven(finger: .rightIndex, generation: 0) : .miss
    let moment = Moment.virtual(now)
    facts.attempts.settle(factor, verdict, wasSubmitted: true, under: plan.rules, at: moment)
    let conditions = plan.conditions(of: facts, at: .virtual(now))
    return go(evaluation.judged(factor, verdict, conditions: conditions), conditions, plan)
  }

  private mutating func evaluate(_ plan: PolicyCase) -> Step {
    guard fingers + guesses < 100_000 else { return .stopped }
    attemptsBefore = fingers + guesses
    evaluation = EvaluationMachine(rules: evaluation.rules)
    let conditions = plan.conditions(of: facts, at: .virtual(now))
    return go(evaluation.begin(conditions: conditions), conditions, plan)
  }

  private mutating func go(
    _ action: EvaluationMachine.Action,
    _ conditions: Conditions,
    _ plan: PolicyCase
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
    _ plan: PolicyCase
  ) -> Step {
    let canType = attack.attacker.types && live.contains(.passcode)
    let canTouch = live.contains(.biometry)
    if canTouch, prefersFinger || !canType {
      if attack.attacker.types, !prefersFinger, evaluation.offersFallback,
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
    _ plan: PolicyCase
  ) -> Step {
    guard now <= attack.time.wholeNanoseconds,
      fingers + guesses < 100_000,
      case .attempt = evaluation.offered(factor, conditions: conditions),
      case .charged = facts.attempts.charge(factor, under: plan.rules, at: .virtual(now))
    else { return .stopped }
    if factor == .biometry { fingers += 1 } else { guesses += 1 }
    return .attempt(factor)
  }

  /// Waits for the first refusal to end and evaluates again.
  ///
  /// A factor that was usable but gave no attempt is not tried again without a wait.
  private mutating func wait(_ conditions: Conditions, _ plan: PolicyCase) -> Step {
    var waits: [Duration] = []
    switch conditions.biometry {
    case .usable: waits.append(.zero)
    case .lockedOut(let time?): waits.append(time)
    case .lockedOut(nil), .passcodeRequired, .notAvailable, .disconnected, .hindered,
      .notEnrolled, .needsPasscodeSet:
      break
    }
    if attack.attacker.types {
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

  /// The chance that the attack succeeds if every touch is as likely to match as the first, and no
  /// passcode is tried twice.
  static func success(_ plan: PolicyCase, _ attack: Attack, prefersFinger: Bool) -> Double {
    var walk = FixedAttack(plan, attack, prefersFinger: prefersFinger)
    let step = walk.begin(plan)
    return walk.success(from: step, plan, wrong: 0, knows: false)
  }

  private func success(
    from step: Step,
    _ plan: PolicyCase,
    wrong: UInt64,
    knows: Bool
  ) -> Double {
    let factor: Factor
    switch step {
    case .succeeded: return 1
    case .stopped: return 0
    case .attempt(let tried): factor = tried
    }
    let isGuess = factor == .passcode
    let right = knows ? 1 : attack.passcodes.chance(after: wrong)
    let chance = isGuess ? right : attack.rates(plan)[0].match
    var (hit, miss, success) = (self, self, 0.0)
    if chance > 0 {
      let next = hit.judged(factor, succeeds: true, plan)
      success = chance * hit.success(from: next, plan, wrong: wrong, knows: knows || isGuess)
    }
    guard chance < 1 else { return success }
    let next = miss.judged(factor, succeeds: false, plan)
    let others = miss.success(from: next, plan, wrong: wrong + (isGuess ? 1 : 0), knows: knows)
    return success + (1 - chance) * others
  }
}
