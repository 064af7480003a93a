/// Evaluations: from the request to the answer.
extension DeviceMachine {
  // MARK: Events

  /// A program asks for an evaluation.
  public mutating func requested(_ request: DeviceRequest, at now: Moment) {
    evaluations.append(EvaluationRun(request))
    whenStorageWorks(.begin(request.id), at: now)
  }

  /// The evaluation is ended from outside: cancelled, timed out, refused.
  public mutating func ended(_ id: EvaluationID, _ outcome: Outcome, at now: Moment) {
    guard let index = index(of: id) else { return }
    perform(evaluations[index].machine.end(outcome), id, at: now)
  }

  /// A sample of a finger was captured for the evaluation; false when it is not wanted.
  public mutating func touched(_ id: EvaluationID, at now: Moment) -> Bool {
    guard let run = evaluations.first(where: { $0.id == id }), run.finger == nil else {
      return false
    }
    return offer(.biometry, wasSubmitted: true, id, at: now)
  }

  /// A passcode was typed, or the question of a conversation answered; false when none was asked
  /// for.
  public mutating func answered(_ id: EvaluationID, at now: Moment) -> Bool {
    guard let index = index(of: id) else { return false }
    guard let attempt = evaluations[index].passcode else {
      guard case .device = record.passcode else { return false }
      return offer(.passcode, wasSubmitted: true, id, at: now)
    }
    guard attempt.isAsking else { return false }
    evaluations[index].passcode?.isAsking = false
    evaluations[index].passcode?.wasSubmitted = true
    emit(.respond(AttemptID(id, .passcode)))
    return true
  }

  /// The person asks for the passcode instead of the finger; false when that is not offered.
  @discardableResult
  public mutating func fellBack(_ id: EvaluationID, at now: Moment) -> Bool {
    guard let index = index(of: id) else { return false }
    let conditions = conditions(of: evaluations[index], at: now)
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
    let conditions = conditions(of: evaluations[index], at: now)
    perform(
      evaluations[index].machine.faulted(factor, outcome, conditions: conditions),
      id,
      at: now
    )
  }

  /// Something about the device changed: whoever is asked may be asked for something else.
  public mutating func changed(at now: Moment) {
    guard let id = armed?.id, let index = index(of: id) else { return }
    let conditions = conditions(of: evaluations[index], at: now)
    perform(evaluations[index].machine.changed(conditions: conditions), id, at: now)
  }

  // MARK: Decisions

  /// What the evaluation is decided on now.
  package func conditions(of run: EvaluationRun, at now: Moment) -> Conditions {
    var facts = DeviceFacts(record, sensor: sensor, isDistrusted: isDistrusted)
    facts.attempts = record.attempts(from: run.request.origin, under: rules, at: now)
    var conditions = facts.conditions(
      for: run.request.policy,
      under: touchRules(of: run),
      at: now
    )
    conditions.reusableUnlock = reusableUnlock(for: run.request, at: now)
    conditions.granted = answeringGrant(for: run.request, at: now)?.proven
    return conditions
  }

  /// The rules for touches of an evaluation: the stricter of the device's profile and the policy's holds.
  func touchRules(of run: EvaluationRun) -> DeviceAttempts.Rules {
    guard let policyLockout = run.request.policyLockout else { return rules }
    return DeviceAttempts.Rules(lockout: rules.lockout, and: policyLockout, delays: rules.delays)
  }

  mutating func begin(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id) else { return }
    let conditions = conditions(of: evaluations[index], at: now)
    perform(evaluations[index].machine.begin(conditions: conditions), id, at: now)
  }

  /// The storage works again, or does not.
  mutating func reopened(_ id: EvaluationID, isDurable: Bool, at now: Moment) {
    guard let index = index(of: id), evaluations[index].phase == .opening else { return }
    evaluations[index].phase = .running
    if isDurable { begin(id, at: now) } else { ended(id, Self.unwritable, at: now) }
  }

  mutating func perform(_ action: Evaluation.Action, _ id: EvaluationID, at now: Moment) {
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
    switch arbiter.request(id, uid: evaluations[index].request.uid) {
    case .armed: tookDevice(id, at: now)
    case .waiting(let ahead): emit(.wait(id, ahead: ahead))
    case .refused: ended(id, Outcome(.busy), at: now)
    }
  }

  /// The arbiter gave it the prompt.
  private mutating func tookDevice(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id) else { return }
    let conditions = conditions(of: evaluations[index], at: now)
    perform(evaluations[index].machine.armed(conditions: conditions), id, at: now)
  }

  /// Shows the prompt; a judge that asks by itself begins to.
  private mutating func present(_ id: EvaluationID, _ live: FactorSet, at now: Moment) {
    emit(.show(id, live))
    guard live.contains(.passcode), case .pam = record.passcode, let index = index(of: id),
      evaluations[index].passcode == nil
    else { return }
    _ = offer(.passcode, wasSubmitted: false, id, at: now)
  }

  // MARK: The end

  private mutating func finish(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id), let outcome = evaluations[index].machine.outcome else {
      return
    }
    evaluations[index].phase = .closing
    if outcome == .success { noteUnlock(evaluations[index], at: now) }
    breakOff(index, outcome)
    if outcome == .success, remember(evaluations[index], at: now) {
      return commit(.remember(id), .ordinary, at: now)
    }
    let isAudited = evaluations[index].auditedOutcome == outcome
    leave(id, at: now)
    if isAudited { answer(id, outcome) } else { close(id) }
  }

  /// A passcode that lost the race to a finger is still judged: its success gives its charge back.
  private mutating func breakOff(_ index: Int, _ outcome: Outcome) {
    guard let attempt = evaluations[index].passcode, outcome != .success || !attempt.wasSubmitted
    else { return }
    evaluations[index].passcode?.isAborted = true
    emit(.abort(AttemptID(evaluations[index].id, .passcode)))
  }

  /// Whoever waited longest gets the prompt.
  mutating func leave(_ id: EvaluationID, at now: Moment) {
    switch arbiter.ended(id) {
    case .armed(let next): tookDevice(next, at: now)
    case .unchanged, .idle: break
    }
  }

  /// Writes the audit line that has the outcome.
  private mutating func close(_ id: EvaluationID) {
    emit(.commit(Commit(purpose: .close(id), record: nil, kind: .ordinary)))
  }

  /// A denial stands whether or not its audit line does; a success without one does not count.
  mutating func closed(_ id: EvaluationID, isDurable: Bool) {
    guard let index = index(of: id), let outcome = evaluations[index].machine.outcome else {
      return
    }
    answer(id, isDurable || outcome != .success ? outcome : Self.unwritable)
  }

  mutating func answer(_ id: EvaluationID, _ outcome: Outcome) {
    guard let index = index(of: id) else { return }
    evaluations[index].isAnswered = true
    let proven = outcome == .success ? evaluations[index].machine.proven : Proven()
    emit(.answer(id, Answer(outcome: outcome, proven: proven)))
  }

  static let unwritable = Outcome(.internalError)
}
