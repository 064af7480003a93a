import LocalAuthCore

/// An attempt of another device at an account's password: the account's machine counts it, as an act of its own.
struct AccountVisit {
  /// What the account's machine calls it.
  let name: EvaluationID
  let account: LiveDevice
  /// The machine that has it judged, and what that calls it.
  let device: LiveDevice
  let attempt: AttemptID
  /// What of the device is to be durable with the account's next commit; nil once that is being written.
  var commit: DeviceMachine.Commit?
  /// The account's charge, once it is durable.
  var charge: DurableCharge?
}

/// One account's password is counted in one place, whichever device of the account it is tried through.
extension EffectRunner {
  /// Has the account's machine charge or settle an attempt of `device`, in one transaction with `commit`.
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

  /// The commit of the device that is written together with `commit` of its account.
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

  /// The conversation asks: the account's machine lets it be answered, too.
  func askedWithAccount(_ attempt: AttemptID) {
    guard let visit = visit(of: attempt) else { return }
    meet(visit.account) { $0.asked(AttemptID(visit.name, .passcode), at: $1) }
  }

  /// The account counts one more answer where it is not the first, and then it is handed on.
  func respondWithAccount(_ attempt: AttemptID) {
    guard let visit = visit(of: attempt) else { return }
    meet(visit.account) { $0.answered(act: visit.name, at: $1) }
  }

  private func visit(of attempt: AttemptID) -> AccountVisit? {
    visits.values.first { $0.attempt == attempt }
  }

  /// The account's machine is done with it; where it wrote nothing, the device's hears why.
  private func ended(_ name: EvaluationID, _ result: Result<Evidence?, ActRefusal>) {
    guard let visit = visits.removeValue(forKey: name), visit.commit != nil else { return }
    var outcome = visit.account.machine.unwritable
    if case .failure(let refusal) = result, case .unjudged(let refused) = refusal.verdict {
      outcome = refused
    }
    meet(visit.device) { $0.refusedByAccount(visit.attempt, outcome, at: $1) }
  }
}
