/// Evaluations: from the request to the answer.
extension DeviceMachine {
  // MARK: Events

  /// A program requests an evaluation.
  public mutating func requested(_ request: DeviceRequest, at now: Moment) {
    evaluations.append(EvaluationRun(request))
    whenStorageWorks(.begin(request.id), at: now)
  }

  /// The evaluation is prepared, or ends with `refusal`.
  public mutating func prepared(_ id: EvaluationID, _ refusal: Outcome?, at now: Moment) {
    guard let index = index(of: id), evaluations[index].phase == .preparing else { return }
    evaluations[index].phase = .running
    if let refusal { ended(id, refusal, at: now) } else { begin(id, at: now) }
  }

  /// An agent can ask, or the evaluation ends with `refusal`.
  public mutating func admitted(_ id: EvaluationID, _ refusal: Outcome?, at now: Moment) {
    if let refusal { ended(id, refusal, at: now) } else { queue(id, at: now) }
  }

  /// The prompt is shown, for the first time or again.
  public mutating func shown(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id), evaluations[index].machine.outcome == nil else { return }
    evaluations[index].isHidden = false
    let conditions = conditions(ofEvaluation: index, at: now)
    let action = evaluations[index].machine.armed(conditions: conditions)
    // Changes since the prompt was last shown take effect now.
    perform(
      action == .ignore ? evaluations[index].machine.changed(conditions: conditions) : action,
      id,
      at: now
    )
  }

  /// The prompt is no longer shown.
  public mutating func hidden(_ id: EvaluationID) {
    guard let index = index(of: id) else { return }
    evaluations[index].isHidden = true
    // An authenticator that captures by itself would answer a prompt that is not visible.
    for factor in capturing(index) { abort(factor, of: index) }
    emit(.hide(id))
  }

  /// The keys were opened for an unlock, or it ends with an outcome other than success.
  public mutating func unlocked(_ id: EvaluationID, _ outcome: Outcome, at now: Moment) {
    guard let index = index(of: id), evaluations[index].phase == .unlocking else { return }
    if outcome == .success { noteUnlock(evaluations[index], at: now) }
    finish(id, outcome, at: now)
  }

  /// A factor that is judged by what it opens, such as an application password, was given.
  public mutating func collected(_ id: EvaluationID, _ factor: Factor, at now: Moment) {
    guard let index = index(of: id) else { return }
    let conditions = conditions(ofEvaluation: index, at: now)
    perform(
      evaluations[index].machine.collected(factor, conditions: conditions),
      id,
      at: now
    )
  }

  /// Ends the evaluation from outside: cancelled, timed out or refused.
  public mutating func ended(_ id: EvaluationID, _ outcome: Outcome, at now: Moment) {
    guard let index = index(of: id) else { return }
    perform(evaluations[index].machine.end(outcome), id, at: now)
  }

  /// A finger sample was captured for the evaluation; false if it is not wanted.
  public mutating func touched(_ id: EvaluationID, at now: Moment) -> Bool {
    guard let run = evaluations.first(where: { $0.id == id }), run.finger == nil, !run.isHidden
    else {
      return false
    }
    return offer(.biometry, wasSubmitted: true, id, at: now)
  }

  /// A passcode was typed or the question of the judge of `factor` answered; false if neither was
  /// asked for.
  public mutating func answered(
    _ id: EvaluationID,
    _ factor: Factor = .passcode,
    at now: Moment
  ) -> Bool {
    guard let index = index(of: id), !evaluations[index].isHidden else { return false }
    guard factor == .passcode, evaluations[index].passcode == nil else {
      return respond(AttemptID(id, factor), at: now)
    }
    guard case .device = record.passcode, offer(.passcode, wasSubmitted: true, id, at: now) else {
      return false
    }
    // Shown without a question: its nonce can cancel while the passcode is judged.
    showAnew(id, at: now)
    return true
  }

  /// The person asks for the passcode instead of the finger; false if that is not offered.
  @discardableResult
  public mutating func fellBack(_ id: EvaluationID, at now: Moment) -> Bool {
    guard let index = index(of: id) else { return false }
    let conditions = conditions(ofEvaluation: index, at: now)
    let action = evaluations[index].machine.fallback(conditions: conditions)
    perform(action, id, at: now)
    return action != .ignore
  }

  /// The authenticator of `factor` gave up without an attempt.
  public mutating func faulted(
    _ id: EvaluationID,
    _ factor: Factor,
    _ outcome: Outcome,
    at now: Moment
  ) {
    guard let index = index(of: id) else { return }
    let conditions = conditions(ofEvaluation: index, at: now)
    perform(
      evaluations[index].machine.faulted(factor, outcome, conditions: conditions),
      id,
      at: now
    )
  }

  /// The conditions of the device changed, so the prompt may have to ask for something else.
  public mutating func changed(at now: Moment) {
    guard let index = armedIndex else { return }
    let id = evaluations[index].id
    let conditions = conditions(ofEvaluation: index, at: now)
    perform(evaluations[index].machine.changed(conditions: conditions), id, at: now)
  }

  /// Shows the prompt again, because its nonce is spent.
  public mutating func showAnew(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id), evaluations[index].machine.outcome == nil,
      !evaluations[index].isHidden
    else { return }
    let conditions = conditions(ofEvaluation: index, at: now)
    emit(.show(id, evaluations[index].machine.live(conditions)))
  }

  // MARK: Decisions

  /// The current conditions of the evaluation with this index.
  package func conditions(ofEvaluation index: Int, at now: Moment) -> Conditions {
    let request = evaluations[index].shared
    var conditions = conditions(
      for: request.value.policy,
      and: request.value.policyLockout,
      from: request.value.origin,
      allowsSimulated: request.value.allowsSimulated,
      at: now
    )
    conditions.reusableUnlock = reusableUnlock(for: request.value, at: now)
    conditions.granted = answeringGrant(for: request.value, at: now)?.proven
    return conditions
  }

  mutating func begin(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id) else { return }
    guard !record.isSimulated || evaluations[index].request.allowsSimulated else {
      return ended(id, Outcome(.simulatedNotAllowed), at: now)
    }
    let conditions = conditionsInTheQueue(index, at: now)
    perform(evaluations[index].machine.begin(conditions: conditions), id, at: now)
  }

  /// The conditions of an evaluation that does not have the prompt: those if nobody answers what is open now.
  ///
  /// Once it has the prompt they are what they are.
  private func conditionsInTheQueue(_ index: Int, at now: Moment) -> Conditions {
    let unanswered = unanswered
    guard !unanswered.isEmpty else { return conditions(ofEvaluation: index, at: now) }
    var asIf = self
    for run in unanswered {
      asIf.record.refund(run.guess, run.refund, under: rules(for: run.guess))
    }
    return asIf.conditions(ofEvaluation: index, at: now)
  }

  /// The storage works again, or still fails.
  mutating func reopened(_ id: EvaluationID, isDurable: Bool, at now: Moment) {
    guard let index = index(of: id), evaluations[index].phase == .opening else { return }
    evaluations[index].phase = .preparing
    guard isDurable else { return ended(id, unwritable, at: now) }
    if evaluations[index].request.needsPreparation {
      emit(.prepare(id))
    } else {
      prepared(id, nil, at: now)
    }
  }

  mutating func perform(_ action: EvaluationMachine.Action, _ id: EvaluationID, at now: Moment) {
    switch action {
    case .enqueue: enqueue(id, at: now)
    case .redeem: redeem(id, at: now)
    case .present(let live): present(id, live, at: now)
    case .finish: finish(id, at: now)
    case .attempt, .ignore: break
    }
  }

  private mutating func enqueue(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id) else { return }
    emit(.limit(id))
    if evaluations[index].request.asksAgent { emit(.admit(id)) } else { queue(id, at: now) }
  }

  private mutating func queue(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id), evaluations[index].machine.outcome == nil else { return }
    let request = evaluations[index].shared
    let origin = request.value.origin
    let stranger = origin.isOf(record.identity.owner) ? nil : origin
    switch arbiter.request(id, uid: request.value.uid, from: stranger) {
    case .armed: tookDevice(id, at: now)
    case .waiting(let ahead): if !giveWay(at: now) { emit(.wait(id, ahead: ahead)) }
    case .refused: ended(id, Outcome(.busy), at: now)
    }
  }

  /// Ends a stranger's prompt that the owner waits for; false if there is none, or if something is
  /// being judged there.
  mutating func giveWay(at now: Moment) -> Bool {
    guard arbiter.isOwedToOwner, let index = armedIndex, !evaluations[index].isDeciding else {
      return false
    }
    ended(evaluations[index].id, Self.ownerFirst, at: now)
    return true
  }

  /// Why a stranger's prompt ends when the owner asks for something.
  private static let ownerFirst = Outcome(
    .systemCancel,
    detail: "The owner of the device asks for something, which comes first."
  )

  /// The arbiter gave it the prompt.
  private mutating func tookDevice(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id) else { return }
    if evaluations[index].request.asksAgent { emit(.place(id)) } else { shown(id, at: now) }
  }

  /// Shows the prompt and starts the judges that capture or ask by themselves.
  private mutating func present(_ id: EvaluationID, _ live: FactorSet, at now: Moment) {
    guard !giveWay(at: now) else { return }
    guard let index = index(of: id), !evaluations[index].isHidden else { return }
    emit(.show(id, live))
    stopCapturing(index, at: now)
    for factor in [Factor.passcode, .possession, .biometry]
    where live.contains(factor.alone)
      && judgesByItself(factor, for: evaluations[index].request.policy)
    {
      guard evaluations[index][factor] == nil else { continue }
      _ = offer(factor, wasSubmitted: false, id, at: now)
    }
  }

  /// Stops judges that capture by themselves once they are not wanted, such as after a fallback, or
  /// when the passcode has to come first.
  private mutating func stopCapturing(_ index: Int, at now: Moment) {
    let capturing = self.capturing(index)
    guard !capturing.isEmpty else { return }
    var conditions = conditions(ofEvaluation: index, at: now)
    // Its own charge may be the one that locks.
    if case .lockedOut = conditions.biometry { conditions.biometry = .usable }
    if case .lockedOut = conditions.possession { conditions.possession = .usable }
    let wanted = evaluations[index].machine.askable(conditions)
    for factor in capturing where !wanted.contains(factor.alone) { abort(factor, of: index) }
  }

  /// The factors that judges capture by themselves for the evaluation with this index.
  private func capturing(_ index: Int) -> [Factor] {
    [.possession, .biometry].filter { evaluations[index][$0]?.capturesItself == true }
  }

  private mutating func abort(_ factor: Factor, of index: Int) {
    guard evaluations[index][factor]?.isAborted == false else { return }
    evaluations[index][factor]?.isAborted = true
    emit(.abort(AttemptID(evaluations[index].id, factor)))
  }

  // MARK: The end

  private mutating func finish(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id), let outcome = evaluations[index].machine.outcome else {
      return
    }
    guard outcome == .success, evaluations[index].request.isUnlock else {
      return finish(id, outcome, at: now)
    }
    evaluations[index].phase = .unlocking
    emit(.unlock(id, evaluations[index].machine.proven))
  }

  private mutating func finish(_ id: EvaluationID, _ outcome: Outcome, at now: Moment) {
    guard let index = index(of: id) else { return }
    evaluations[index].phase = .closing
    emit(.over(id, outcome))
    breakOff(index, outcome)
    let isAudited = evaluations[index].auditedOutcome == outcome
    if outcome == .success, remember(evaluations[index], at: now) {
      return commit(.remember(id), .ordinary, isAudited ? nil : ended(index, outcome), at: now)
    }
    leave(id, at: now)
    if isAudited { answer(id, outcome) } else { close(id, outcome) }
  }

  private func ended(_ index: Int, _ outcome: Outcome) -> Audit {
    audit(index, nil, outcome, evaluations[index].machine)
  }

  /// Aborts attempts, except a submitted passcode that lost the race to another factor: it is still
  /// judged, and its success clears its charge.
  private mutating func breakOff(_ index: Int, _ outcome: Outcome) {
    if outcome != .success || evaluations[index].passcode?.wasSubmitted == false {
      abort(.passcode, of: index)
    }
    for factor in capturing(index) { abort(factor, of: index) }
  }

  /// Frees the prompt for the next evaluation that waits, once what was broken off unanswered is given
  /// back: until then the next one would be refused for a charge that is none.
  mutating func leave(_ id: EvaluationID, at now: Moment) {
    if let index = index(of: id), evaluations[index].isUnsettled {
      evaluations[index].phase = .leaving
      return
    }
    switch arbiter.ended(id) {
    case .armed(let next): tookDevice(next, at: now)
    case .unchanged, .idle: break
    }
  }

  /// Frees the prompt that an evaluation kept only for what was broken off.
  mutating func leaveIfSettled(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id), evaluations[index].phase == .leaving else { return }
    leave(id, at: now)
  }

  /// Writes the audit line with the outcome.
  private mutating func close(_ id: EvaluationID, _ outcome: Outcome) {
    guard let index = index(of: id) else { return }
    evaluations[index].auditedOutcome = outcome
    let audit = ended(index, outcome)
    emit(.commit(Commit(purpose: .close(id), record: nil, kind: .ordinary, audit: audit)))
  }

  /// A denial stands whether or not its audit line is durable; a success without one does not
  /// count.
  mutating func closed(_ id: EvaluationID, isDurable: Bool) {
    guard let index = index(of: id), let outcome = evaluations[index].auditedOutcome else { return }
    answer(id, isDurable || outcome != .success ? outcome : Outcome(.internalError))
  }

  mutating func answer(_ id: EvaluationID, _ outcome: Outcome) {
    guard let index = index(of: id) else { return }
    evaluations[index].isAnswered = true
    let run = evaluations[index]
    let answer = Answer(
      outcome: outcome,
      evaluation: run.machine,
      finger: run.matched,
      provenAt: run.provenAt,
      redeemed: run.redeemed,
      isSimulated: record.isSimulated || run.isSimulated
    )
    emit(.answer(id, answer))
  }
}
