/// What is done to the device from outside.
extension DeviceMachine {
  // MARK: Acts that take the passcode

  /// An act begins, and the passcode is asked for where one is set.
  ///
  /// `isSubmitted` says whether it is there already; a conversation of PAM's asks for it.
  public mutating func authorize(
    _ act: EvaluationID,
    from origin: Origin,
    isSubmitted: Bool = true,
    at now: Moment
  ) {
    guard record.passcode != .none else { return emit(.authorized(act)) }
    prove(act, .passcode(origin), isSubmitted: isSubmitted, at: now)
  }

  /// An act has a guess judged: its own first one, or another once that was proven.
  public mutating func prove(
    _ act: EvaluationID,
    _ guess: Guess,
    isSubmitted: Bool,
    at now: Moment
  ) {
    acts.append(ActRun(id: act, attempt: AttemptRun(at: guess, wasSubmitted: isSubmitted)))
    step(AttemptID(act, guess.factor), at: now) { $0.begin() }
  }

  /// The conversation of an act gets its answer; false when it asked for none.
  public mutating func answered(act: EvaluationID, at now: Moment) -> Bool {
    respond(AttemptID(act, .passcode), at: now)
  }

  /// The act ends before it was judged; what it was charged stays.
  public mutating func dismiss(_ act: EvaluationID) { acts.removeAll { $0.id == act } }

  mutating func reportAct(_ act: EvaluationID, _ verdict: Verdict) {
    guard let index = acts.firstIndex(where: { $0.id == act }) else { return }
    acts.remove(at: index)
    if case .proven = verdict { emit(.authorized(act)) } else { emit(.refused(act, verdict)) }
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

  /// The act has the passcode judged by `provider` from now on: what the one before had proven ends with it.
  public mutating func setPasscode(_ provider: PasscodeProvider) {
    forgetGrants()
    record.passcode = provider
  }

  /// The act chose other rules, which the record names.
  public mutating func setRules(_ lockout: LockoutProfile, _ delays: PasscodeDelays) {
    rules = DeviceAttempts.Rules(lockout: lockout, delays: delays)
    record.lockoutProfile = lockout.name
    record.passcodeDelays = delays.name
  }

  /// The act erased everything that a passcode of the device's own protected.
  ///
  /// PAM's passcode survives, and so do the attempts that were charged against it.
  public mutating func erased() {
    forgetGrants()
    guard record.passcode == .none || record.passcode == .device else { return }
    record.passcode = .none
    record.attempts.throttle = PasscodeThrottle()
    record.attempts.lockout = Lockout()
    record.others = OtherAttempts()
    isDistrusted = false
    everythingCounted()
  }

  /// What the act changed is to be durable.
  public mutating func store(
    _ act: EvaluationID,
    _ kind: CommitKind = .guarded,
    at now: Moment
  ) {
    commit(.act(act), kind, at: now)
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
    everythingCounted()
    record.reboots += 1
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
    if record.booted(at: now) { commit(.housekeeping, .guarded, at: now) }
  }

  // MARK: What is simulated

  /// The settings of the simulated sensor are these; the next commit makes that durable.
  public mutating func sensorSettings(_ settings: [String: String]) {
    record.sensorSettings = settings
  }

  /// The simulated clock was turned forward by `duration` and is `offset` ahead of the machine's.
  ///
  /// `keepsWaits` says that refusals of passcodes are no shorter for it.
  public mutating func clockAdvanced(by duration: Duration, to offset: Duration, keepsWaits: Bool) {
    record.clockOffset = offset
    if keepsWaits { record.postponePasscodes(by: duration) }
  }

  /// Raises counts that cannot be believed.
  public mutating func raiseCounts(to doubt: CountDoubt, at now: Moment) {
    record.raise(to: doubt, under: rules.delays, lasting: lasting, at: now)
  }
}
