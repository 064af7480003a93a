/// The order of effects: charge in memory, commit, judge only what is durable, settle, commit, report.
extension DeviceMachine {
  // MARK: Events

  /// The judge answered.
  public mutating func judged(_ charge: DurableCharge, _ verdict: Verdict, at now: Moment) {
    step(charge.attempt, at: now) { $0.judged(verdict) }
  }

  /// Guesses that were charged by themselves have their verdicts: nobody waits for it, and its loss costs attempts.
  public mutating func judged(_ verdicts: [(DurableCharge, Verdict)], at now: Moment) {
    for (charge, verdict) in verdicts {
      guard let run = self[charge.attempt], run.machine.isJudging else { continue }
      applySettlement(run, verdict, at: now)
      dismiss(charge.attempt.owner)
    }
    if !verdicts.isEmpty { commit(.housekeeping, .ordinary, at: now) }
  }

  /// The account did not count the attempt, or could not store what it came to.
  public mutating func refusedByAccount(_ id: AttemptID, _ outcome: Outcome, at now: Moment) {
    // Of the two the attempt ignores the one that it does not wait for.
    step(id, at: now) { $0.chargeFailed(outcome) }
    step(id, at: now) { $0.settleFailed(outcome) }
  }

  /// A conversation asks for something.
  public mutating func asked(_ attempt: AttemptID, at now: Moment) {
    self[attempt]?.isAsking = true
    showAnew(attempt.owner, at: now)
  }

  /// What judges by itself has something to judge: from now on its attempt is not given back.
  public mutating func submitted(_ attempt: AttemptID) { self[attempt]?.wasSubmitted = true }

  /// A conversation gets its answer; false when it asked for none.
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
      // The first answer is what the conversation was charged for, any other costs more.
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
    let conditions = conditions(of: evaluations[index], at: now)
    let action = evaluations[index].machine.offered(factor, conditions: conditions)
    guard case .attempt = action else { return false }
    let origin = evaluations[index].request.origin
    evaluations[index][factor] = AttemptRun(
      at: Guess(factor, from: origin),
      wasSubmitted: wasSubmitted,
      isSimulated: isSimulated(factor)
    )
    step(AttemptID(id, factor), at: now) { $0.begin() }
    return true
  }

  /// Lets the attempt meet an event and does what it asks for.
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
    counted(guess.factor)
    self[id]?.isLastCount = true
    commit(.charge(id), .guarded, begun(id.owner), at: now)
  }

  /// Why it may not be charged after all: the storage may have taken its time to work again.
  private func hindrance(_ id: AttemptID, at now: Moment) -> Outcome? {
    guard let index = index(of: id.owner) else { return nil }
    switch id.factor {
    case .biometry: return conditions(of: evaluations[index], at: now).biometry.outcome
    case .possession: return conditions(of: evaluations[index], at: now).possession.outcome
    case .passcode, .applicationPassword, .companion: return nil
    }
  }

  private mutating func count(_ id: AttemptID, _ guess: Guess, at now: Moment) -> Outcome? {
    let rules = rules(for: guess, and: self[evaluation: id.owner]?.request.policyLockout)
    return record.charge(guess, under: rules, at: now).refusal(of: guess.factor)
  }

  /// The charge is durable, or is not: then nothing is judged for it.
  mutating func charged(_ id: AttemptID, isDurable: Bool, at now: Moment) {
    guard !isDurable else { return step(id, at: now) { $0.charged() } }
    refund(id)
    let refusal = unwritable
    step(id, at: now) { $0.chargeFailed(refusal) }
  }

  /// Asks the judge, unless the evaluation is over: then nobody captured or asked what would be judged.
  private mutating func judge(_ id: AttemptID, at now: Moment) {
    guard let run = self[id] else { return }
    let isOver = index(of: id.owner).map { evaluations[$0].machine.outcome != nil } ?? false
    guard !isOver || run.wasSubmitted && id.factor == .passcode else {
      return step(id, at: now) { $0.judged(.unjudged(Outcome(.systemCancel))) }
    }
    // What does not say when it has something to judge may have it from now on.
    if let authenticator = authenticator(of: id.factor), !authenticator.reportsPresence {
      self[id]?.wasSubmitted = true
    }
    emit(.judge(DurableCharge(id)))
  }

  /// Whether another device counts the guess: an account's password is counted in one place.
  func isCountedElsewhere(_ guess: Guess) -> Bool {
    if case .passcode = guess { account != nil } else { false }
  }

  /// Counts one more answer of a conversation: without it a stack of modules that each ask would judge
  /// several guesses for one charge.
  mutating func chargeAnswer(_ id: AttemptID, at now: Moment) {
    guard let guess = self[id]?.guess else { return }
    guard count(id, guess, at: now) == nil else { return emit(.abort(id)) }
    counted(guess.factor)
    self[id]?.isLastCount = true
    commit(.answer(id), .guarded, begun(id.owner), at: now)
  }

  mutating func answerCharged(_ id: AttemptID, isDurable: Bool) {
    if !isDurable { refund(id) }
    emit(isDurable ? .respond(id) : .abort(id))
  }

  /// Takes the last charge back: it could not be made durable, and so nothing was judged.
  private mutating func refund(_ id: AttemptID) {
    guard let run = self[id], run.isLastCount else { return }
    record.refund(run.guess, under: rules(for: run.guess))
  }

  private mutating func settle(_ id: AttemptID, _ verdict: Verdict, at now: Moment) {
    guard let run = self[id] else { return }
    // A proven passcode ends distrust, which takes a new sequence that agrees with its mirror.
    let kind: CommitKind = isDistrusted ? .guarded : .ordinary
    applySettlement(run, verdict, at: now)
    commit(.settle(id), kind, judged(id, verdict, at: now), at: now)
  }

  private mutating func applySettlement(_ run: AttemptRun, _ verdict: Verdict, at now: Moment) {
    record.settle(
      run.guess,
      verdict,
      isRefundable: !run.wasSubmitted && run.isLastCount,
      under: rules(for: run.guess),
      at: now
    )
    if case .proven = verdict { proven(run.guess) }
    if case .touch = run.guess, record.attempts.isLockedOut(under: rules, at: now) {
      emit(.revokeFingers)
    }
  }

  private mutating func proven(_ guess: Guess) {
    counted(guess.factor)
    if case .passcode = guess { passcodeWasProven() }
  }

  /// A passcode that was proven or set ends distrust and every count.
  mutating func passcodeWasProven() {
    isDistrusted = false
    emit(.passcodeProven)
    everythingCounted()
  }

  /// No earlier charge of any factor can be given back.
  mutating func everythingCounted() {
    for factor in [Factor.passcode, .biometry, .possession] { counted(factor) }
  }

  /// A count was added to or cleared: no earlier charge can be given back, for it would be another's.
  mutating func counted(_ factor: Factor) {
    switch factor {
    case .biometry, .possession:
      for index in evaluations.indices { evaluations[index][factor]?.isLastCount = false }
    case .passcode, .applicationPassword, .companion:
      for index in evaluations.indices { evaluations[index].passcode?.isLastCount = false }
      for index in acts.indices { acts[index].attempt?.isLastCount = false }
    }
  }

  /// The settlement is durable, or is not: then the verdict does not count.
  mutating func settled(_ id: AttemptID, isDurable: Bool, at now: Moment) {
    let refusal = unwritable
    step(id, at: now) { isDurable ? $0.settled() : $0.settleFailed(refusal) }
  }

  private mutating func report(_ id: AttemptID, _ verdict: Verdict, at now: Moment) {
    guard let index = index(of: id.owner) else { return reportAct(id.owner, verdict) }
    if case .proven(let finger, _) = verdict { noteProof(index, id.factor, finger, at: now) }
    var machine = evaluations[index].machine
    let action = apply(verdict, of: id.factor, to: &machine, evaluations[index], at: now)
    evaluations[index].machine = machine
    evaluations[index][id.factor] = nil
    // First: what follows may begin another attempt of the same name.
    emit(.reported(id, verdict))
    if case .present = action, verdict == .miss { emit(.miss(id.owner, id.factor)) }
    perform(action, id.owner, at: now)
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

  /// Lets `machine`, which may be a copy, meet a verdict.
  ///
  /// A judge that refuses without having asked anything would refuse again at once, so its word
  /// ends the use of its factor in this evaluation.
  private func apply(
    _ verdict: Verdict,
    of factor: Factor,
    to machine: inout EvaluationMachine,
    _ run: EvaluationRun,
    at now: Moment
  ) -> EvaluationMachine.Action {
    let conditions = conditions(of: run, at: now)
    if run[factor]?.isAborted ?? false {
      return machine.withdrawn(factor, conditions: conditions)
    }
    let wasAsked = factor == .biometry || run[factor]?.wasSubmitted ?? true
    let action = machine.judged(factor, verdict, conditions: conditions)
    guard case .present = action, verdict == .miss, !wasAsked else { return action }
    return machine.faulted(factor, Outcome(.authenticationFailed), conditions: conditions)
  }

  // MARK: Audit lines

  /// The audit line as it is when something begins to be judged.
  private func begun(_ owner: EvaluationID) -> Audit? {
    guard let index = index(of: owner) else { return Audit(verdict: nil, outcome: nil) }
    guard evaluations[index].machine.outcome == nil else { return nil }
    return audit(index, nil, nil, evaluations[index].machine)
  }

  /// The audit line of a verdict, with the outcome that it will lead to, in the same commit.
  private mutating func judged(_ id: AttemptID, _ verdict: Verdict, at now: Moment) -> Audit? {
    guard let index = index(of: id.owner) else { return Audit(verdict: verdict, outcome: nil) }
    guard evaluations[index].machine.outcome == nil else { return nil }
    var copy = evaluations[index].machine
    _ = apply(verdict, of: id.factor, to: &copy, evaluations[index], at: now)
    if let outcome = copy.outcome { evaluations[index].auditedOutcome = outcome }
    return audit(index, verdict, copy.outcome, copy)
  }

  /// What the line of an evaluation says, which `machine` is or is to be.
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
