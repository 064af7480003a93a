import LocalAuthCore

/// One login of one person, played on the daemon's state machines: the person's next step, and its
/// result.
///
/// | event    | evaluating                | opening                | ended |
/// |----------|---------------------------|------------------------|-------|
/// | begin    | finger, passcode, ended   | -                      | -     |
/// | finger   | finger, passcode, ended   | -                      | -     |
/// | passcode | finger, passcode, ended   | begins again or types  | -     |
/// | waited   | begins again              | types                  | -     |
///
/// People present a finger as long as one is asked for, then type the passcode if it is asked for
/// or offered as a fallback. When an evaluation ends without success, they wait if the refusal is
/// short; open the device with the passcode if that re-enables fingers, with as many tries as the
/// policy allows for a passcode; and begin again a few times.
struct Login {
  /// The next step of a login.
  enum Step: Hashable, Sendable {
    case finger
    case passcode
    case wait(Duration)
    case ended
  }

  enum Mode: Hashable, Sendable {
    /// The policy is being evaluated.
    case evaluating
    /// The passcode is being entered to open the device, which refuses fingers until then.
    case opening
  }

  /// The progress of a login.
  struct Progress: Hashable, Sendable {
    var result = Result()
    fileprivate(set) var mode = Mode.evaluating
    fileprivate(set) var evaluationsLeft: UInt32 = 0
    fileprivate(set) var isFirst = true
    /// Wrong passcodes in a row while opening the device.
    fileprivate(set) var wrongOpenings: UInt32 = 0

    /// Returns the part of the progress that determines the rest of the login and its result.
    ///
    /// It drops counts that only end a login which takes too long.
    func essence(patience: UInt32?) -> Progress {
      var essence = self
      essence.result.fingers = min(1, result.fingers)
      essence.result.passcodes = min(1, result.passcodes)
      essence.result.misses = min(patience ?? 0, result.misses)
      essence.result.lockouts = 0
      return essence
    }
  }

  /// The result of a login so far.
  struct Result: Hashable, Sendable {
    /// The number of fingers judged.
    var fingers: UInt32 = 0
    /// The number of passcodes typed.
    var passcodes: UInt32 = 0
    /// The number of fingers that missed.
    var misses: UInt32 = 0
    /// Whether a finger matched.
    var isMatched = false
    /// Whether the first evaluation judged a finger.
    var isTransaction = false
    /// Whether the first evaluation judged fingers and matched none.
    var isRejected = false
    /// The number of misses that caused a lockout.
    var lockouts: UInt32 = 0
    /// Whether the policy has been met.
    var isAccepted = false
  }

  /// The state of the device.
  private(set) var facts: DeviceFacts
  private(set) var evaluation: EvaluationMachine
  private(set) var progress = Progress()

  /// The result so far.
  var result: Result { progress.result }

  /// Creates a login that has not begun, of a person at a device.
  init(_ facts: DeviceFacts, under rules: EvaluationMachine.Rules) {
    self.facts = facts
    evaluation = EvaluationMachine(rules: rules)
  }

  /// Begins a login on the same device.
  mutating func begin(_ plan: borrowing PolicyCase, at now: Moment) -> Step {
    progress = Progress()
    progress.evaluationsLeft = plan.habits.evaluations
    return evaluate(plan, at: now)
  }

  /// Reports the verdict on the finger; returns the next step.
  mutating func finger(matches: Bool, _ plan: borrowing PolicyCase, at now: Moment) -> Step {
    let verdict: Verdict = matches ? .proven(finger: .rightIndex, generation: 0) : .miss
    facts.attempts.settle(.biometry, verdict, wasSubmitted: true, under: plan.rules, at: now)
    progress.result.fingers += 1
    if matches { progress.result.isMatched = true } else { progress.result.misses += 1 }
    let conditions = conditions(plan, at: now)
    if !matches, case .lockedOut = conditions.biometry { progress.result.lockouts += 1 }
    return go(
      evaluation.judged(.biometry, verdict, conditions: conditions),
      conditions,
      plan,
      at: now
    )
  }

  /// Reports the verdict on the passcode; returns the next step.
  mutating func passcode(isRight: Bool, _ plan: borrowing PolicyCase, at now: Moment) -> Step {
    let verdict: Verdict = isRight ? .proven(finger: nil, generation: nil) : .miss
    facts.attempts.settle(.passcode, verdict, wasSubmitted: true, under: plan.rules, at: now)
    progress.result.passcodes += 1
    switch progress.mode {
    case .evaluating:
      let conditions = conditions(plan, at: now)
      return go(
        evaluation.judged(.passcode, verdict, conditions: conditions),
        conditions,
        plan,
        at: now
      )
    case .opening:
      guard !isRight else {
        progress.mode = .evaluating
        progress.wrongOpenings = 0
        return evaluate(plan, at: now)
      }
      progress.wrongOpenings += 1
      return progress.wrongOpenings < plan.policy.passcodeTries ? open(plan, at: now) : ended()
    }
  }

  /// Reports the end of a wait; returns the next step.
  mutating func waited(_ plan: borrowing PolicyCase, at now: Moment) -> Step {
    switch progress.mode {
    case .evaluating: evaluate(plan, at: now)
    case .opening: open(plan, at: now)
    }
  }

  // MARK: Decisions

  // Not inlined and mutating, because the facts are copied otherwise.
  @inline(never)
  private mutating func conditions(_ plan: borrowing PolicyCase, at now: Moment) -> Conditions {
    plan.conditions(of: facts, at: now)
  }

  private mutating func evaluate(_ plan: borrowing PolicyCase, at now: Moment) -> Step {
    evaluation.renew()
    let conditions = conditions(plan, at: now)
    return go(evaluation.begin(conditions: conditions), conditions, plan, at: now)
  }

  private mutating func go(
    _ action: EvaluationMachine.Action,
    _ conditions: Conditions,
    _ plan: borrowing PolicyCase,
    at now: Moment
  ) -> Step {
    switch action {
    case .enqueue:
      return go(evaluation.armed(conditions: conditions), conditions, plan, at: now)
    case .present(let live): return choose(live, conditions, plan, at: now)
    case .finish: return finished(plan, at: now)
    case .redeem:
      return go(evaluation.notRedeemed(conditions: conditions), conditions, plan, at: now)
    case .attempt, .ignore: return ended()
    }
  }

  @inline(__always)  // It runs at every prompt.
  private mutating func choose(
    _ live: FactorSet,
    _ conditions: Conditions,
    _ plan: borrowing PolicyCase,
    at now: Moment
  ) -> Step {
    let isTired = plan.habits.patience.map { result.misses >= $0 } ?? false
    if isTired, live.contains(.biometry), !live.contains(.passcode), evaluation.offersFallback,
      evaluation.canSkipBiometry(conditions: conditions)
    {
      return go(evaluation.fallback(conditions: conditions), conditions, plan, at: now)
    }
    if live.contains(.biometry), !(isTired && live.contains(.passcode)) {
      return offer(.biometry, conditions, plan, at: now)
    }
    return live.contains(.passcode) ? offer(.passcode, conditions, plan, at: now) : ended()
  }

  /// Charges an attempt, as the device does before anything is judged.
  private mutating func offer(
    _ factor: Factor,
    _ conditions: Conditions,
    _ plan: borrowing PolicyCase,
    at now: Moment
  ) -> Step {
    guard result.fingers < Habits.attemptsMax, result.passcodes < Habits.attemptsMax,
      case .attempt = evaluation.offered(factor, conditions: conditions),
      case .charged = facts.attempts.charge(factor, under: plan.rules, at: now)
    else { return ended() }
    return factor == .biometry ? .finger : .passcode
  }

  private mutating func finished(_ plan: borrowing PolicyCase, at now: Moment) -> Step {
    noteFirst()
    let outcome = evaluation.outcome
    guard outcome?.code != .success else {
      progress.result.isAccepted = true
      return ended()
    }
    progress.evaluationsLeft -= min(1, progress.evaluationsLeft)
    guard progress.evaluationsLeft > 0 else { return ended() }
    switch outcome?.code {
    case .authenticationFailed: return evaluate(plan, at: now)
    case .biometryLockout, .passcodeThrottled:
      if let wait = outcome?.retryAfter, wait <= plan.habits.longestWait { return .wait(wait) }
      return outcome?.code == .biometryLockout ? open(plan, at: now) : ended()
    default: return ended()
    }
  }

  /// Enters the passcode to open the device, which re-enables fingers.
  private mutating func open(_ plan: borrowing PolicyCase, at now: Moment) -> Step {
    progress.mode = .opening
    switch facts.passcode(under: plan.rules.delays, at: now) {
    case .usable: break
    case .throttled(let wait?): return wait <= plan.habits.longestWait ? .wait(wait) : ended()
    case .throttled(nil), .notSet: return ended()
    }
    guard result.passcodes < Habits.attemptsMax,
      case .charged = facts.attempts.charge(.passcode, under: plan.rules, at: now)
    else { return ended() }
    return .passcode
  }

  private mutating func ended() -> Step {
    noteFirst()
    return .ended
  }

  /// Records at the end of the first evaluation whether a finger was judged, and whether the person
  /// was refused.
  private mutating func noteFirst() {
    guard progress.isFirst else { return }
    progress.isFirst = false
    progress.result.isTransaction = result.fingers > 0
    progress.result.isRejected = result.isTransaction && !result.isMatched
  }
}
