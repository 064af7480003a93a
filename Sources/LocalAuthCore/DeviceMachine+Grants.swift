/// Answers from earlier proofs, and remembers new ones.
extension DeviceMachine {
  /// The generation of the enrolled set whose unlock stands in for a touch; nil if none does.
  func reusableUnlock(for request: DeviceRequest, at now: Moment) -> UInt64? {
    let window = min(request.reuse, Self.unlockReuseMax)
    guard window > .zero, let unlock, let age = unlock.age(at: now),
      age <= min(window, unlock.rule.maxAge),
      unlock.proven.biometryGeneration == record.enrolment.generation
    else { return nil }
    return unlock.proven.biometryGeneration
  }

  /// The grant that answers `request`, if there is one.
  func answeringGrant(for request: DeviceRequest, at now: Moment) -> Grant? {
    guard let remembering = request.remembering,
      let grant = record.grants.answering(remembering.scope, within: remembering.maxAge, at: now)
    else { return nil }
    let generation = grant.proven.biometryGeneration ?? record.enrolment.generation
    return generation == record.enrolment.generation ? grant : nil
  }

  /// Counts one use of the grant; a limited use is committed as guarded, so that neither a crash nor
  /// an older database gives it back.
  mutating func redeem(_ id: EvaluationID, at now: Moment) {
    guard let index = index(of: id) else { return }
    guard let grant = answeringGrant(for: evaluations[index].request, at: now),
      let isCounted = record.grants.use(grant.id, at: now)
    else { return notRedeemed(index, at: now) }
    evaluations[index].redeemed = grant.id
    let audit = audit(index, nil, .success, evaluations[index].machine)
    commit(.redeem(id), isCounted ? .guarded : .ordinary, audit, at: now)
  }

  private mutating func notRedeemed(_ index: Int, at now: Moment) {
    let id = evaluations[index].id
    let conditions = conditions(ofEvaluation: index, at: now)
    perform(evaluations[index].machine.notRedeemed(conditions: conditions), id, at: now)
  }

  mutating func redeemed(_ id: EvaluationID, isDurable: Bool, at now: Moment) {
    guard let index = index(of: id), evaluations[index].machine.outcome == nil,
      let grant = evaluations[index].redeemed
    else { return }
    guard isDurable else {
      evaluations[index].redeemed = nil
      return ended(id, unwritable, at: now)
    }
    guard record.grants[grant] != nil else {
      evaluations[index].redeemed = nil
      return notRedeemed(index, at: now)
    }
    evaluations[index].auditedOutcome = .success
    perform(evaluations[index].machine.redeemed(), id, at: now)
  }

  /// Remembers this success if the request asks for it; true if there is something to store.
  ///
  /// Only what this evaluation itself proved is remembered: neither an unlock that stood in for a
  /// touch, nor the answer of another grant, which would live for ever, nor anything proven before
  /// the device forgot its grants.
  mutating func remember(_ run: EvaluationRun, at now: Moment) -> Bool {
    guard let remembering = run.request.remembering, let provenAt = run.provenAt, !run.isForgotten,
      !run.machine.isGranted, !run.machine.isUnlockReused, !isPretended(run)
    else { return false }
    record.grants.add(
      Grant(
        id: run.id,
        scope: remembering.scope,
        rule: remembering.rule,
        proven: run.machine.proven,
        provenAt: provenAt,
        origin: run.request.grantOrigin
      ),
      at: now
    )
    return true
  }

  /// Frees the prompt only after the commit, so that a request that waited for the same is answered
  /// by this grant.
  mutating func remembered(_ id: EvaluationID, isDurable: Bool, at now: Moment) {
    if !isDurable { _ = record.grants.revoke(id) }
    leave(id, at: now)
    answer(id, isDurable ? .success : Outcome(.internalError))
  }

  /// Lets a successful unlock by finger stand in for touches for a while.
  mutating func noteUnlock(_ run: EvaluationRun, at now: Moment) {
    guard run.request.isUnlock, run.provenAt != nil, !run.isForgotten, !isPretended(run),
      run.machine.proven.biometryGeneration != nil
    else { return }
    unlock = Grant(
      id: run.id,
      scope: nil,
      rule: GrantRule(maxAge: Self.unlockReuseMax),
      proven: run.machine.proven,
      provenAt: now,
      origin: run.request.grantOrigin
    )
  }

  /// Whether a simulated authenticator proved it on a real device; such a proof answers nothing
  /// else.
  private func isPretended(_ run: EvaluationRun) -> Bool { run.isSimulated && !record.isSimulated }

  /// Ends all grants and the unlock that stands in for a touch; the next commit makes that durable.
  public mutating func forgetGrants() {
    unlock = nil
    record.grants.revokeAll()
    for index in evaluations.indices {
      if evaluations[index].provenAt != nil { evaluations[index].isForgotten = true }
      evaluations[index].finger?.isForgotten = true
      evaluations[index].passcode?.isForgotten = true
      evaluations[index].possession?.isForgotten = true
    }
  }
}
