/// What is done to the device from outside.
extension DeviceMachine {
  // MARK: Acts that take the passcode

  /// An act begins, and the passcode is asked for where one is set.
  public mutating func authorize(_ act: EvaluationID, from origin: Origin, at now: Moment) {
    guard record.passcode != .none else {
      acts.append(ActRun(id: act))
      return emit(.authorized(act))
    }
    acts.append(ActRun(id: act, attempt: AttemptRun(at: .passcode(origin), wasSubmitted: true)))
    step(AttemptID(act, .passcode), at: now) { $0.begin() }
  }

  mutating func reportAct(_ act: EvaluationID, _ verdict: Verdict) {
    guard let index = acts.firstIndex(where: { $0.id == act }) else { return }
    acts[index].attempt = nil
    guard case .proven = verdict else {
      acts.remove(at: index)
      return emit(.refused(act, verdict))
    }
    emit(.authorized(act))
  }

  /// The act made `set` the enrolled one: what hung on the last is gone.
  public mutating func adopt(_ set: EnrolmentSet) {
    record.enrolment = set
    forgetGrants()
  }

  /// The act set or changed the passcode: what the one before had proven ends with it.
  public mutating func passcodeWasSet(at now: Moment) {
    forgetGrants()
    record.passcodeWasSet(at: now)
    passcodeWasProven()
  }

  /// What the act changed is to be durable.
  public mutating func store(_ act: EvaluationID, at now: Moment) {
    commit(.act(act), .guarded, at: now)
  }

  mutating func actStored(_ act: EvaluationID, isDurable: Bool) {
    acts.removeAll { $0.id == act }
    emit(.stored(act, isDurable: isDurable))
  }

  /// The device was deleted: nothing of it is written from now on, unless that could not be stored.
  public mutating func remove(_ isRemoved: Bool) { self.isRemoved = isRemoved }

  // MARK: Locking and restarting

  /// The device is locked: what runs on it is cancelled, what was proven counts no more.
  public mutating func lock(_ act: EvaluationID, at now: Moment) {
    cancelAll(at: now)
    forgetGrants()
    store(act, at: now)
  }

  /// Ends the grant of this name, or all, and says how many still lived.
  ///
  /// Where none did, there is nothing to write.
  public mutating func revoke(_ id: EvaluationID?, at now: Moment) -> Int {
    let all = record.grants.all + (unlock.map { [$0] } ?? [])
    let chosen = all.filter { id == nil || $0.id == id }
    for grant in chosen { _ = record.grants.revoke(grant.id) }
    if let unlock, chosen.contains(unlock) { self.unlock = nil }
    return chosen.count { $0.timeLeft(at: now) != nil }
  }

  /// A simulated device restarts, into the boot of `now`.
  ///
  /// A refusal that had passed starts over with the boot, so what was charged before is not given back any more.
  public mutating func reboot(_ act: EvaluationID, at now: Moment) {
    counted(.passcode)
    counted(.biometry)
    forgetGrants()
    _ = record.booted(at: now)
    store(act, at: now)
  }

  /// Ends whatever waits and then what runs: or one that waits would have the prompt for a moment.
  public mutating func cancelAll(at now: Moment) {
    let all = evaluations.filter { $0.machine.outcome == nil }.map(\.id)
    let shown = arbiter.armed
    for id in all.filter({ $0 != shown }) + all.filter({ $0 == shown }) {
      ended(id, Outcome(.systemCancel), at: now)
    }
  }

  /// The service started: refusals from an earlier boot start over.
  public mutating func started(at now: Moment) {
    if record.booted(at: now) { commit(.housekeeping, .ordinary, at: now) }
  }
}
