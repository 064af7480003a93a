import LocalAuthCore

/// An attempt made on another device at an account's password, which the account's machine counts
/// as an act.
struct AccountVisit {
  /// The act's name on the account's machine.
  let name: EvaluationID
  let account: LiveDevice
  /// The device that has the attempt judged, and the attempt's name there.
  let device: LiveDevice
  let attempt: AttemptID
  /// The device's commit to write together with the account's next one; nil once it is being
  /// written.
  var commit: DeviceMachine.Commit?
  /// The account's charge, once it is durable.
  var charge: DurableCharge?
}

/// Counts one account's password in one place, whichever of the account's devices it is tried on.
extension EffectRunner {
  /// Makes the account's machine charge or settle an attempt of `device`, in one transaction with
  /// `commit`.
  func commitWithAccount(
    _ commit: DeviceMachine.Commit,
    _ act: DeviceMachine.AccountAct,
    of device: LiveDevice
  ) {
    switch (act, commit.purpose) {
    case (.charge(let guess, let isSubmitted), .charge(let attempt)):
      guard let account = device.account else { return }
      let visit = AccountVisit(
        name: nextName(),
        account: account,
        device: device,
        attempt: attempt,
        commit: commit
      )
      visits[visit.name] = visit
      evidence[AttemptID(visit.name, .passcode)] = evidence(of: attempt)
      acts[visit.name] = PendingAct { [self] in ended(visit.name, $0) }
      meet(account) { $0.prove(visit.name, guess, isSubmitted: isSubmitted, at: $1) }
    case (.settle(let verdict), .settle(let attempt)):
      guard let visit = visit(of: attempt), let charge = visit.charge else { return }
      visits[visit.name]?.commit = commit
      meet(visit.account) { $0.judged(charge, verdict, at: $1) }
    case (.charge, _), (.settle, _): break
    }
  }

  /// The other device's commit to write in one transaction with `commit` of its account.
  func takeVisitor(
    with commit: DeviceMachine.Commit
  ) -> (commit: DeviceMachine.Commit, device: LiveDevice)? {
    switch commit.purpose {
    case .charge(let attempt), .settle(let attempt):
      guard let visit = visits[attempt.owner], let theirs = visit.commit else { return nil }
      visits[attempt.owner]?.commit = nil
      return (theirs, visit.device)
    case .answer, .redeem, .remember, .close, .act, .housekeeping, .reopen: return nil
    }
  }

  /// Tells the account's machine that the conversation asked, so that it accepts the answer.
  func askedWithAccount(_ attempt: AttemptID) {
    guard let visit = visit(of: attempt) else { return }
    meet(visit.account) { $0.asked(AttemptID(visit.name, .passcode), at: $1) }
  }

  /// Makes the account count an answer, unless it is the first, before it is passed on.
  func respondWithAccount(_ attempt: AttemptID) {
    guard let visit = visit(of: attempt) else { return }
    meet(visit.account) { $0.answered(act: visit.name, at: $1) }
  }

  private func visit(of attempt: AttemptID) -> AccountVisit? {
    visits.values.first { $0.attempt == attempt }
  }

  /// Ends the visit; if the account wrote nothing, tells the device's machine why.
  private func ended(_ name: EvaluationID, _ result: Result<Evidence?, ActRefusal>) {
    guard let visit = visits.removeValue(forKey: name), visit.commit != nil else { return }
    var outcome = visit.account.machine.unwritable
    if case .failure(let refusal) = result, case .unjudged(let refused) = refusal.verdict {
      outcome = refused
    }
    meet(visit.device) { $0.refusedByAccount(visit.attempt, outcome, at: $1) }
  }
}
