/// One evaluation of a policy, from the request to its outcome.
///
/// | event       | idle                       | redeeming         | waiting                    | presenting                | finished  |
/// |-------------|----------------------------|-------------------|----------------------------|---------------------------|-----------|
/// | begin       | finish, redeem or enqueue  | `.ignore`         | `.ignore`                  | `.ignore`                 | `.ignore` |
/// | redeemed    | `.ignore`                  | finish            | `.ignore`                  | `.ignore`                 | `.ignore` |
/// | notRedeemed | `.ignore`                  | finish or proceed | `.ignore`                  | `.ignore`                 | `.ignore` |
/// | armed       | `.ignore`                  | `.ignore`         | finish, redeem or present  | `.ignore`                 | `.ignore` |
/// | offered     | `.ignore`                  | `.ignore`         | `.ignore`                  | attempt, if that is live  | `.ignore` |
/// | judged      | `.ignore`                  | `.ignore`         | `.ignore`                  | finish or present         | `.ignore` |
/// | faulted     | `.ignore`                  | `.ignore`         | `.ignore`                  | finish or present         | `.ignore` |
/// | withdrawn   | `.ignore`                  | `.ignore`         | `.ignore`                  | finish or present         | `.ignore` |
/// | collected   | `.ignore`                  | `.ignore`         | `.ignore`                  | finish or present         | `.ignore` |
/// | fallback    | `.ignore`                  | `.ignore`         | `.ignore`                  | finish, present or ignore | `.ignore` |
/// | changed     | `.ignore`                  | `.ignore`         | `.ignore`                  | finish or present         | `.ignore` |
/// | end         | finish                     | finish            | finish                     | finish                    | `.ignore` |
///
/// `success` has these sources only: ``judged(_:_:conditions:)``; at the beginning, a reused unlock
/// or a factor given with the request; ``collected(_:conditions:)``, for a factor that is judged
/// elsewhere; and ``redeemed()``, once the use of a grant is counted. Nothing else can produce it,
/// in any order of events.
public struct EvaluationMachine: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// Where to continue if the grant does not answer after all.
    enum Way: Hashable, Sendable {
      case enqueue
      case present
    }

    case idle
    case redeeming(Proven, otherwise: Way)
    case waiting
    case presenting
    case finished
  }

  /// The rules.
  public let rules: Rules
  /// The outcome, once there is one.
  public private(set) var outcome: Outcome?
  /// What was proven.
  public private(set) var proven = Proven()
  /// Attempts that were judged.
  public private(set) var judgedCount: UInt32 = 0
  /// Misses of the finger.
  public private(set) var misses: UInt32 = 0
  /// Whether a device unlock by finger stood in for a touch.
  public private(set) var isUnlockReused = false
  /// Whether a grant answered.
  public private(set) var isGranted = false
  private(set) var wrongPasscodes: UInt32 = 0
  private(set) var inFlight: FactorSet = []
  /// The factors that this evaluation no longer uses; the reasons follow.
  private(set) var excluded: FactorSet = []
  private var exclusions: [Factor: Outcome] = [:]
  private(set) var otherMisses: UInt32 = 0
  private(set) var state: State = .idle

  /// An evaluation under `rules` that has not begun.
  public init(rules: Rules) {
    self.rules = rules
    proven.factors = rules.given
  }

  /// Resets the evaluation to its beginning, under the same rules.
  ///
  /// A simulation runs hundreds of millions, and copying the rules for each would count references.
  public mutating func renew() {
    proven = Proven(factors: rules.given)
    judgedCount = 0
    misses = 0
    isUnlockReused = false
    isGranted = false
    wrongPasscodes = 0
    inFlight = []
    excluded = []
    if !exclusions.isEmpty { exclusions = [:] }
    otherMisses = 0
    outcome = nil
    state = .idle
  }

  /// Whether the prompt offers the passcode instead of the finger.
  public var offersFallback: Bool {
    state == .presenting && rules.fallback != .forbidden && !excluded.contains(.biometry)
      && misses >= rules.fallbackAfterMisses && !proven.factors.contains(.biometry)
  }

  /// Whether the requirement can still be met without a finger.
  public func canSkipBiometry(conditions: Conditions) -> Bool {
    let without = usable(conditions).subtracting(.biometry)
    return rules.requirement.isReachable(from: proven, with: without)
  }

  // MARK: Events

  /// The request arrived.
  public mutating func begin(conditions: Conditions) -> Action {
    switch state {
    case .idle: break
    case .redeeming, .waiting, .presenting, .finished: return .ignore
    }
    reuse(conditions)
    if !proven.factors.isEmpty, rules.requirement.isMet(by: proven), !rules.isGated(conditions) {
      return finish(.success)
    }
    return redeem(conditions, otherwise: .enqueue) ?? enqueue(conditions)
  }

  /// The use of the grant is counted, and durable if it must be.
  public mutating func redeemed() -> Action {
    switch state {
    case .redeeming(let granted, otherwise: _):
      proven = granted
      isGranted = true
      return finish(.success)
    case .idle, .waiting, .presenting, .finished: return .ignore
    }
  }

  /// The grant ended in the meantime, so the person is asked as usual.
  public mutating func notRedeemed(conditions: Conditions) -> Action {
    switch state {
    case .redeeming(_, otherwise: .enqueue): return enqueue(conditions)
    case .redeeming(_, otherwise: .present): return present(conditions)
    case .idle, .waiting, .presenting, .finished: return .ignore
    }
  }

  /// The arbiter gave it the prompt.
  public mutating func armed(conditions: Conditions) -> Action {
    switch state {
    case .waiting: break
    case .idle, .redeeming, .presenting, .finished: return .ignore
    }
    // A grant for the same may have been made while this evaluation waited.
    return redeem(conditions, otherwise: .present) ?? present(conditions)
  }

  /// A finger lies on the sensor or a passcode was submitted.
  public mutating func offered(_ factor: Factor, conditions: Conditions) -> Action {
    switch state {
    case .presenting: break
    case .idle, .redeeming, .waiting, .finished: return .ignore
    }
    guard askable(conditions).contains(factor.alone), !inFlight.contains(factor.alone) else {
      return .ignore
    }
    inFlight.insert(factor.alone)
    return .attempt(factor)
  }

  /// An attempt at `factor` was judged and settled.
  public mutating func judged(
    _ factor: Factor,
    _ verdict: Verdict,
    conditions: Conditions
  )
    -> Action
  {
    switch state {
    case .presenting: break
    case .idle, .redeeming, .waiting, .finished: return .ignore
    }
    guard inFlight.contains(factor.alone) else { return .ignore }
    inFlight.remove(factor.alone)
    switch verdict {
    case .proven(_, let generation):
      judgedCount += 1
      proven.factors.insert(factor.alone)
      if factor == .biometry { proven.biometryGeneration = generation }
    case .miss:
      judgedCount += 1
      missed(factor)
    case .unjudged(let outcome):
      exclude(factor, because: outcome)
    }
    return proceed(conditions)
  }

  /// An attempt at `factor` was aborted because the prompt is no longer shown; it may begin again.
  public mutating func withdrawn(_ factor: Factor, conditions: Conditions) -> Action {
    switch state {
    case .presenting: break
    case .idle, .redeeming, .waiting, .finished: return .ignore
    }
    guard inFlight.contains(factor.alone) else { return .ignore }
    inFlight.remove(factor.alone)
    return proceed(conditions)
  }

  /// The authenticator of `factor` gave up without an attempt.
  public mutating func faulted(
    _ factor: Factor,
    _ outcome: Outcome,
    conditions: Conditions
  )
    -> Action
  {
    switch state {
    case .presenting: break
    case .idle, .redeeming, .waiting, .finished: return .ignore
    }
    exclude(factor, because: outcome)
    return proceed(conditions)
  }

  /// A factor that is judged by what it opens was given; it counts as proven, and not as an
  /// attempt.
  public mutating func collected(_ factor: Factor, conditions: Conditions) -> Action {
    guard state == .presenting, rules.asked.contains(factor.alone),
      askable(conditions).contains(factor.alone)
    else { return .ignore }
    proven.factors.insert(factor.alone)
    return proceed(conditions)
  }

  /// The person asked for the passcode instead of the finger.
  public mutating func fallback(conditions: Conditions) -> Action {
    switch state {
    case .presenting: break
    case .idle, .redeeming, .waiting, .finished: return .ignore
    }
    guard offersFallback, askable(conditions).contains(.biometry) else { return .ignore }
    exclude(.biometry, because: Outcome(.userFallback))
    return proceed(conditions)
  }

  /// Something about the device changed.
  public mutating func changed(conditions: Conditions) -> Action {
    switch state {
    case .presenting: return proceed(conditions)
    case .idle, .redeeming, .waiting, .finished: return .ignore
    }
  }

  /// Ends the evaluation from outside, as cancelled, timed out or refused; never with a success.
  public mutating func end(_ outcome: Outcome) -> Action {
    precondition(outcome.code != .success, "an evaluation succeeds only by proof")
    switch state {
    case .idle, .redeeming, .waiting, .presenting: return finish(outcome)
    case .finished: return .ignore
    }
  }

  /// The factors that are asked for or being judged under `conditions`.
  public func live(_ conditions: Conditions) -> FactorSet { askable(conditions).union(inFlight) }

  /// Why a request would fail at once under `conditions`, or nil when it could succeed.
  public static func preflight(_ rules: Rules, conditions: Conditions) -> Outcome? {
    EvaluationMachine(rules: rules).refusal(conditions)
  }

  // MARK: Decisions

  private mutating func enqueue(_ conditions: Conditions) -> Action {
    if let refusal = refusal(conditions) { return finish(refusal) }
    guard rules.isInteractive else { return finish(Outcome(.notInteractive)) }
    state = .waiting
    return .enqueue
  }

  private mutating func present(_ conditions: Conditions) -> Action {
    state = .presenting
    if rules.fallback == .forced, isMetByPasscode(conditions) {
      exclude(.biometry, because: Outcome(.userFallback))
    }
    return proceed(conditions)
  }

  /// Whether the passcode instead of a finger meets the requirement, also one that is refused for the moment: whoever has
  /// it refused on purpose must not be asked for a finger.
  private func isMetByPasscode(_ conditions: Conditions) -> Bool {
    guard conditions.passcode != .notSet else { return false }
    let factors = usable(conditions).subtracting(.biometry).union(.passcode)
    return rules.requirement.isReachable(from: proven, with: factors)
  }

  /// Redeems a grant only while the factors that proved it could be asked for: a lockout, or a
  /// finger that needs the passcode first, also bars earlier proofs.
  private mutating func redeem(_ conditions: Conditions, otherwise way: State.Way) -> Action? {
    guard let granted = conditions.granted, granted.factors.isSubset(of: conditions.usable),
      rules.requirement.isMet(by: granted), !rules.isGated(conditions)
    else { return nil }
    state = .redeeming(granted, otherwise: way)
    return .redeem
  }

  private mutating func proceed(_ conditions: Conditions) -> Action {
    let usable = usable(conditions)
    let progress = rules.requirement.progress(from: proven, with: usable.union(inFlight))
    if case .met = progress { return finish(.success) }
    if let refusal = refusal(conditions, progress) { return finish(refusal) }
    if case .open(let next) = progress, rules.presentation == .sequential,
      inFlight.isSubset(of: usable), !passcodeUnblocks(conditions)
    {
      return .present(inFlight.union(next.alone))
    }
    return .present(live(conditions))
  }

  private mutating func finish(_ outcome: Outcome) -> Action {
    self.outcome = outcome
    state = .finished
    return .finish
  }

  private mutating func reuse(_ conditions: Conditions) {
    guard let generation = conditions.reusableUnlock, conditions.biometry == .usable else { return }
    proven.factors.insert(.biometry)
    proven.biometryGeneration = generation
    isUnlockReused = true
  }

  private mutating func missed(_ factor: Factor) {
    switch factor {
    case .biometry:
      misses += 1
      if let limit = rules.missesMax, misses >= limit {
        exclude(.biometry, because: Outcome(.authenticationFailed))
      }
    case .passcode:
      wrongPasscodes += 1
      if wrongPasscodes >= rules.passcodeTries {
        exclude(.passcode, because: Outcome(.authenticationFailed))
      }
    case .possession:
      otherMisses += 1
      if let limit = rules.missesMax, otherMisses >= limit {
        exclude(.possession, because: Outcome(.authenticationFailed))
      }
    case .applicationPassword, .companion: break
    }
  }

  private mutating func exclude(_ factor: Factor, because outcome: Outcome) {
    excluded.insert(factor.alone)
    exclusions[factor] = outcome
  }

  /// The factors this evaluation may still use, including those that are judged by what they open.
  private func usable(_ conditions: Conditions) -> FactorSet {
    conditions.usable.union(rules.asked).subtracting(excluded)
  }

  func askable(_ conditions: Conditions) -> FactorSet {
    let usable = usable(conditions)
    if passcodeUnblocks(conditions) { return .passcode }
    switch rules.presentation {
    case .parallel: return rules.requirement.useful(from: proven, with: usable)
    case .sequential:
      return rules.requirement.next(from: proven, with: usable)?.alone ?? []
    }
  }

  /// Whether a factor is refused only because the passcode comes first, and the requirement asks for
  /// both: the passcode is then asked for first, and the other counts again after it.
  // Inlined, because a call would copy the whole evaluation at every event.
  @inline(__always)
  private func passcodeUnblocks(_ conditions: Conditions) -> Bool {
    let refused = conditions.needingPasscode.subtracting(excluded)
    guard !refused.isEmpty else { return false }
    let usable = usable(conditions)
    return usable.contains(.passcode) && !proven.factors.contains(.passcode)
      && rules.requirement.factors.contains(.passcode)
      && !rules.requirement.isReachable(from: proven, with: usable)
      && rules.requirement.isReachable(from: proven, with: usable.union(refused))
  }

  // Inlined for the same reason.
  @inline(__always)
  private func refusal(_ conditions: Conditions) -> Outcome? {
    let usable = usable(conditions).union(inFlight)
    return refusal(
      conditions,
      rules.requirement.progress(from: proven, with: usable)
    )
  }

  // Inlined for the same reason.
  @inline(__always)
  private func refusal(
    _ conditions: Conditions,
    _ progress: Requirement.Progress
  ) -> Outcome? {
    if rules.isGated(conditions) { return Outcome(.passcodeNotSet) }
    guard case .blocked(let obstacle?) = progress, !passcodeUnblocks(conditions) else {
      return nil
    }
    // A PAM stack that heard of an absent finger would let its next module judge the passcode that is refused here.
    let told = isMetByPasscode(conditions) ? .passcode : obstacle
    return Outcome(conditions.outcome(of: told), or: exclusions[told])
  }
}
