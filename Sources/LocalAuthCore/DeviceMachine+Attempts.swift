/// The order of effects: charge in memory, commit, judge only what is durable, settle, commit, report.
extension DeviceMachine {
  // MARK: Events

  /// The judge answered.
  public mutating func judged(_ charge: DurableCharge, _ verdict: Verdict, at now: Moment) {
    let verdict = dated(heard(verdict, on: charge.attempt), of: charge.attempt.factor)
    step(charge.attempt, at: now) { $0.judged(verdict) }
  }

  /// The judge did not begin, and certainly looked at nothing that was submitted: the charge is given
  /// back.
  public mutating func turnedAway(_ charge: DurableCharge, _ outcome: Outcome, at now: Moment) {
    guard self[charge.attempt]?.machine.isJudging ?? false else { return }
    self[charge.attempt]?.wasSubmitted = false
    judged(charge, .unjudged(outcome), at: now)
  }

  /// What counts of a verdict by a judge that captures by itself: a match that comes although it was
  /// told to stop proves nothing, clears nothing, and stays charged.
  private mutating func heard(_ verdict: Verdict, on attempt: AttemptID) -> Verdict {
    guard case .proven = verdict, let run = self[attempt], run.machine.isJudging,
      run.capturesItself, run.isAborted
    else { return verdict }
    self[attempt]?.wasSubmitted = true
    return .unjudged(Outcome(.systemCancel))
  }

  /// The verdict on a finger by a judge that knows no generations: what is enrolled at it is adopted
  /// before it may say so.
  private func dated(_ verdict: Verdict, of factor: Factor) -> Verdict {
    guard factor == .biometry, case .proven(let finger, nil) = verdict else { return verdict }
    return .proven(finger: finger, generation: record.enrolment.generation)
  }

  /// Settles guesses that were charged on their own; nothing waits for the commit, and losing it
  /// costs attempts at worst.
  public mutating func judged(_ verdicts: [(DurableCharge, Verdict)], at now: Moment) {
    for (charge, verdict) in verdicts {
      guard let run = self[charge.attempt], run.machine.isJudging else { continue }
      applySettlement(run, verdict, at: now)
      dismiss(charge.attempt.owner)
    }
    if !verdicts.isEmpty { commit(.housekeeping, .ordinary, at: now) }
  }

  /// The account's machine refused the charge or could not store the settlement.
  public mutating func refusedByAccount(_ id: AttemptID, _ outcome: Outcome, at now: Moment) {
    // The attempt ignores whichever of the two it does not wait for.
    step(id, at: now) { $0.chargeFailed(outcome) }
    step(id, at: now) { $0.settleFailed(outcome) }
  }

  /// A conversation asks a question.
  public mutating func asked(_ attempt: AttemptID, at now: Moment) {
    self[attempt]?.isAsking = true
    if !giveWay(at: now) { showAnew(attempt.owner, at: now) }
  }

  /// An authenticator that judges by itself has something to judge, so its attempt is no longer
  /// refunded.
  public mutating func submitted(_ attempt: AttemptID) { self[attempt]?.wasSubmitted = true }

  /// Answers a conversation; false if it asked for nothing.
  mutating func respond(_ id: AttemptID, at now: Moment) -> Bool {
    guard let attempt = self[id], attempt.isAsking else { return false }
    self[id]?.isAsking = false
    self[id]?.wasSubmitted = true
    showAnew(id.owner, at: now)
    if isCountedElsewhere(attempt.guess) {
      emit(.respondWithAccount(id))
    } else if attempt.wasSubmitted {
      whenStorageWorks(.answer(id), at: now)
    } else {
      // The conversation's charge covers its first answer; each further answer costs one more.
      emit(.respond(id))
    }
    return true
  }

  // MARK: Decisions

  mutating func offer(
    _ factor: Factor,
    wasSubmitted: Bool,
    _ id: EvaluationID,
    at now: Moment
  ) -> Bool {
    guard let index = index(of: id) else { return false }
    let conditions = conditions(ofEvaluation: index, at: now)
    let action = evaluations[index].machine.offered(factor, conditions: conditions)
    guard case .attempt = action else { return false }
    let request = evaluations[index].shared
    let authenticator = authenticator(of: factor, for: request.value.policy)
    evaluations[index][factor] = AttemptRun(
      at: Guess(factor, from: request.value.origin),
      wasSubmitted: wasSubmitted,
      isSimulated: authenticator?.isSimulated ?? record.isSimulated,
      reportsPresence: authenticator?.reportsPresence ?? true,
      capturesItself: !wasSubmitted && factor != .passcode
    )
    step(AttemptID(id, factor), at: now) { $0.begin() }
    return true
  }

  /// Applies an event to the attempt and performs the resulting action.
  mutating func step(
    _ id: AttemptID,
    at now: Moment,
    _ event: (inout Attempt) -> Attempt.Action
  ) {
    guard var machine = self[id]?.machine else { return }
    let action = event(&machine)
    self[id]?.machine = machine
    switch action {
    case .charge: whenStorageWorks(.charge(id), at: now)
    case .judge: judge(id, at: now)
    case .settle(let verdict): settle(id, verdict, at: now)
    case .report(let verdict): report(id, verdict, at: now)
    case .ignore: break
    }
  }

  /// Counts an attempt as failed and makes that durable.
  mutating func charge(_ id: AttemptID, at now: Moment) {
    guard let guess = self[id]?.guess else { return }
    guard !isCountedElsewhere(guess) else {
      return commit(.charge(id), .ordinary, begun(id.owner), at: now)
    }
    if let refusal = hindrance(id, at: now) ?? count(id, guess, at: now) {
      return step(id, at: now) { $0.chargeFailed(refusal) }
    }
    commit(.charge(id), .guarded, begun(id.owner), at: now)
  }

  /// Why the attempt may no longer be charged: conditions may have changed while the storage
  /// failed.
  private func hindrance(_ id: AttemptID, at now: Moment) -> Outcome? {
    guard id.factor != .passcode, let index = index(of: id.owner) else { return nil }
    return conditions(ofEvaluation: index, at: now).outcome(of: id.factor)
  }

  private mutating func count(_ id: AttemptID, _ guess: Guess, at now: Moment) -> Outcome? {
    let rules = rules(for: guess, and: self[evaluation: id.owner]?.request.policyLockout)
    let charge = record.charge(guess, under: rules, at: now, beside: heldItems)
    guard charge == .charged else { return charge.refusal(of: guess.factor) }
    // Where time forgets failures, nobody can tell whose it forgot.
    let left: Tally.Refund = rules.areForgetful(of: guess.factor) ? .nothing : .failure
    let owner = record.identity.owner
    eachAttempt { $0.followed(by: guess, of: owner, leaving: left) }
    self[id]?.refund = .all
    return nil
  }

  /// The items at which acts are guessing.
  private var heldItems: Set<UInt128> {
    var held: Set<UInt128> = []
    for act in acts {
      if case .item(let item)? = act.attempt?.guess { held.insert(item) }
    }
    return held
  }

  /// The charge is durable; if not, it is refunded and nothing is judged.
  mutating func charged(_ id: AttemptID, isDurable: Bool, at now: Moment) {
    guard !isDurable else { return step(id, at: now) { $0.charged() } }
    refund(id)
    let refusal = unwritable
    step(id, at: now) { $0.chargeFailed(refusal) }
  }

  /// Asks the judge; once the evaluation is over or the attempt broken off, only a passcode that was
  /// submitted is still judged.
  private mutating func judge(_ id: AttemptID, at now: Moment) {
    guard let run = self[id] else { return }
    let isOver = index(of: id.owner).map { evaluations[$0].machine.outcome != nil } ?? false
    guard !isOver && !run.isAborted || run.wasSubmitted && id.factor == .passcode else {
      return step(id, at: now) { $0.judged(.unjudged(Outcome(.systemCancel))) }
    }
    // An authenticator that does not report presence may have something to judge from now on.
    if !run.reportsPresence { self[id]?.wasSubmitted = true }
    emit(.judge(DurableCharge(id)))
  }

  /// Whether another device counts the guess, since an account's password is counted in one place.
  func isCountedElsewhere(_ guess: Guess) -> Bool {
    if case .passcode = guess { account != nil } else { false }
  }

  /// Charges one more answer of a conversation, or a stack of modules that each ask would judge
  /// several guesses for one charge.
  mutating func chargeAnswer(_ id: AttemptID, at now: Moment) {
    guard let guess = self[id]?.guess else { return }
    guard count(id, guess, at: now) == nil else { return emit(.abort(id)) }
    commit(.answer(id), .guarded, begun(id.owner), at: now)
  }

  mutating func answerCharged(_ id: AttemptID, isDurable: Bool) {
    if !isDurable { refund(id) }
    emit(isDurable ? .respond(id) : .abort(id))
  }

  /// Refunds the last charge: it could not be made durable, so nothing was judged.
  private mutating func refund(_ id: AttemptID) {
    guard let run = self[id] else { return }
    record.refund(run.guess, run.refund, under: rules(for: run.guess))
    self[id]?.refund = .nothing
  }

  private mutating func settle(_ id: AttemptID, _ verdict: Verdict, at now: Moment) {
    guard let run = self[id] else { return }
    // A proven passcode ends distrust, which takes a new sequence that agrees with its mirror.
    let kind: CommitKind = isDistrusted ? .guarded : .ordinary
    applySettlement(run, verdict, at: now)
    self[id]?.refund = .nothing
    commit(.settle(id), kind, judged(id, verdict, at: now), at: now)
  }

  private mutating func applySettlement(_ run: AttemptRun, _ verdict: Verdict, at now: Moment) {
    record.settle(
      run.guess,
      verdict,
      refunding: run.refund(after: verdict),
      under: rules(for: run.guess),
      at: now,
      beside: heldItems
    )
    if case .proven = verdict { proven(run.guess) }
    if case .touch = run.guess, record.attempts.isLockedOut(under: rules) {
      emit(.revokeFingers)
    }
  }

  private mutating func proven(_ guess: Guess) {
    if case .passcode = guess { return passcodeWasProven() }
    let owner = record.identity.owner
    eachAttempt { $0.cleared(by: guess, of: owner) }
  }

  /// Ends distrust and makes every earlier charge final, after a passcode was proven or set.
  mutating func passcodeWasProven() {
    isDistrusted = false
    record.programs = programs
    emit(.passcodeProven)
    everythingCounted()
  }

  /// Makes the earlier charges of every factor final: the counts were cleared since, so a refund
  /// would take back another charge.
  mutating func everythingCounted() { eachAttempt { $0.refund = .nothing } }

  /// The attempts that would be given back if they ended now.
  var unanswered: [AttemptRun] {
    var found: [AttemptRun] = []
    func note(_ attempt: AttemptRun?) {
      if let attempt, !attempt.wasSubmitted, attempt.refund != .nothing { found.append(attempt) }
    }
    // Every evaluation asks, so nothing is copied or allocated where nothing is under way.
    for index in evaluations.indices {
      note(evaluations[index].finger)
      note(evaluations[index].passcode)
      note(evaluations[index].possession)
    }
    for index in acts.indices { note(acts[index].attempt) }
    return found
  }

  /// Changes every attempt under way.
  mutating func eachAttempt(_ body: (inout AttemptRun) -> Void) {
    func change(_ attempt: inout AttemptRun?) {
      guard var known = attempt else { return }
      body(&known)
      attempt = known
    }
    for index in evaluations.indices {
      change(&evaluations[index].finger)
      change(&evaluations[index].passcode)
      change(&evaluations[index].possession)
    }
    for index in acts.indices { change(&acts[index].attempt) }
  }

  /// The settlement is durable; if not, the verdict does not count.
  mutating func settled(_ id: AttemptID, isDurable: Bool, at now: Moment) {
    let refusal = unwritable
    step(id, at: now) { isDurable ? $0.settled() : $0.settleFailed(refusal) }
  }

  private mutating func report(_ id: AttemptID, _ verdict: Verdict, at now: Moment) {
    guard let index = index(of: id.owner) else { return reportAct(id.owner, verdict) }
    if case .proven(let finger, _) = verdict { noteProof(index, id.factor, finger, at: now) }
    var machine = evaluations[index].machine
    let action = apply(verdict, of: id.factor, to: &machine, index, at: now)
    evaluations[index].machine = machine
    evaluations[index][id.factor] = nil
    // Emitted first, because what follows may begin another attempt of the same name.
    emit(.reported(id, verdict))
    if case .present = action, verdict == .miss { emit(.miss(id.owner, id.factor)) }
    perform(action, id.owner, at: now)
    leaveIfSettled(id.owner, at: now)
  }

  private mutating func noteProof(
    _ index: Int,
    _ factor: Factor,
    _ finger: Finger?,
    at now: Moment
  ) {
    if let finger { evaluations[index].matched = finger }
    guard let attempt = evaluations[index][factor], !attempt.isAborted else { return }
    if attempt.isSimulated { evaluations[index].isSimulated = true }
    guard evaluations[index].provenAt == nil else { return }
    evaluations[index].provenAt = now
    evaluations[index].isForgotten = attempt.isForgotten
  }

  /// Applies a verdict to `machine`, that of the evaluation with this index or a copy.
  ///
  /// A judge that refuses without having asked anything would refuse again at once, so its verdict
  /// ends the use of its factor in this evaluation.
  private func apply(
    _ verdict: Verdict,
    of factor: Factor,
    to machine: inout EvaluationMachine,
    _ index: Int,
    at now: Moment
  ) -> EvaluationMachine.Action {
    let conditions = conditions(ofEvaluation: index, at: now)
    let attempt = evaluations[index][factor]
    if attempt?.isAborted ?? false {
      return machine.withdrawn(factor, conditions: conditions)
    }
    let wasAsked = factor == .biometry || attempt?.wasSubmitted ?? true
    let action = machine.judged(factor, verdict, conditions: conditions)
    guard case .present = action, verdict == .miss, !wasAsked else { return action }
    return machine.faulted(factor, Outcome(.authenticationFailed), conditions: conditions)
  }

  // MARK: Audit lines

  /// The audit line to write with a charge; nil if the evaluation is over.
  private func begun(_ owner: EvaluationID) -> Audit? {
    guard let index = index(of: owner) else { return Audit(verdict: nil, outcome: nil) }
    guard evaluations[index].machine.outcome == nil else { return nil }
    return audit(index, nil, nil, evaluations[index].machine)
  }

  /// The audit line of a verdict with the outcome it leads to, for the same commit.
  private mutating func judged(_ id: AttemptID, _ verdict: Verdict, at now: Moment) -> Audit? {
    guard let index = index(of: id.owner) else { return Audit(verdict: verdict, outcome: nil) }
    guard evaluations[index].machine.outcome == nil else { return nil }
    var copy = evaluations[index].machine
    _ = apply(verdict, of: id.factor, to: &copy, index, at: now)
    if let outcome = copy.outcome { evaluations[index].auditedOutcome = outcome }
    return audit(index, verdict, copy.outcome, copy)
  }

  /// The audit line of an evaluation whose state is, or is about to be, `machine`.
  func audit(
    _ index: Int,
    _ verdict: Verdict?,
    _ outcome: Outcome?,
    _ machine: EvaluationMachine
  ) -> Audit {
    Audit(
      verdict: verdict,
      outcome: outcome,
      evaluation: machine,
      redeemed: evaluations[index].redeemed
    )
  }
}
