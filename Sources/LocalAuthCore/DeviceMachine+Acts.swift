/// Administrative acts on the device, and changes to its simulation.
extension DeviceMachine {
  // MARK: Acts that take the passcode

  /// Begins an act, which needs the passcode if one is set.
  ///
  /// `isSubmitted` says whether the passcode has been given already; a PAM conversation asks for it
  /// later.
  public mutating func authorize(
    _ act: EvaluationID,
    from origin: Origin,
    isSubmitted: Bool = true,
    at now: Moment
  ) {
    guard record.passcode != .none else { return emit(.authorized(act)) }
    prove(act, .passcode(origin), isSubmitted: isSubmitted, at: now)
  }

  /// Begins an attempt at `guess` for an act: its first, or another once the first is proven.
  public mutating func prove(
    _ act: EvaluationID,
    _ guess: Guess,
    isSubmitted: Bool,
    at now: Moment
  ) {
    acts.append(ActRun(id: act, attempt: AttemptRun(at: guess, wasSubmitted: isSubmitted)))
    step(AttemptID(act, guess.factor), at: now) { $0.begin() }
  }

  /// Answers the conversation of an act; false if it asked for nothing.
  public mutating func answered(act: EvaluationID, at now: Moment) -> Bool {
    respond(AttemptID(act, .passcode), at: now)
  }

  /// Ends the act without a verdict; its charge stays.
  public mutating func dismiss(_ act: EvaluationID) { acts.removeAll { $0.id == act } }

  mutating func reportAct(_ act: EvaluationID, _ verdict: Verdict) {
    guard let index = acts.firstIndex(where: { $0.id == act }) else { return }
    acts.remove(at: index)
    if case .proven = verdict { emit(.authorized(act)) } else { emit(.refused(act, verdict)) }
  }

  /// Makes `set` the enrolled one and forgets every grant, because grants rest on the previous set.
  public mutating func adopt(_ set: EnrolmentSet) {
    record.enrolment = set
    forgetGrants()
  }

  /// Adopts what is enrolled at a reader that keeps the prints itself; false if it is known.
  ///
  /// Unless it was enrolled by an act of the device, the passcode comes before the next finger.
  public mutating func found(_ enrolled: EnrolledPrints, byAct isOwn: Bool) -> Bool {
    guard record.prints != enrolled.token else { return false }
    // Nothing was enrolled and nothing is: that is no change.
    guard record.prints != 0 || !enrolled.fingers.isEmpty else { return false }
    record.prints = enrolled.token
    if !isOwn { record.programs = 0 }
    adopt(EnrolmentSet(fingers: enrolled.fingers, generation: record.enrolment.generation + 1))
    return true
  }

  /// Records that the act set or changed the passcode, which ends every grant.
  public mutating func passcodeWasSet(at now: Moment) {
    forgetGrants()
    record.passcodeWasSet(at: now)
    passcodeWasProven()
  }

  /// Has `provider` judge the passcode from now on, which ends every grant.
  public mutating func setPasscode(_ provider: PasscodeProvider) {
    forgetGrants()
    record.passcode = provider
  }

  /// Replaces the rules and stores their names in the record.
  public mutating func setRules(_ lockout: LockoutProfile, _ delays: PasscodeDelays) {
    rules = DeviceAttempts.Rules(lockout: lockout, delays: delays)
    record.lockoutProfile = lockout.name
    record.passcodeDelays = delays.name
  }

  /// Counts by `rules` from now on, because the files that the record's names stand for have changed.
  ///
  /// What was counted stays counted.
  public mutating func rulesChanged(to rules: DeviceAttempts.Rules, lasting: PasscodeDelays) {
    self.rules = rules
    self.lasting = lasting
  }

  /// Records that the act erased everything protected by the device's own passcode.
  ///
  /// A PAM passcode survives, and so do the attempts charged against it.
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

  /// Makes the changes of the act durable.
  public mutating func store(
    _ act: EvaluationID,
    _ kind: CommitKind = .guarded,
    at now: Moment
  ) {
    commit(.act(act), kind, at: now)
  }

  /// Marks the device as deleted, so that nothing of it is written from now on; `false` undoes this
  /// if the deletion could not be stored.
  public mutating func remove(_ isRemoved: Bool) { self.isRemoved = isRemoved }

  // MARK: Locking and restarting

  /// Locks the device: cancels its evaluations and forgets its grants.
  public mutating func lock(_ act: EvaluationID, at now: Moment) {
    cancelAll(at: now)
    forgetGrants()
    store(act, at: now)
  }

  /// Ends the grant `id`, or all of them if nil, and returns how many were still alive.
  ///
  /// If none was, there is nothing to write.
  public mutating func revoke(_ id: EvaluationID?, at now: Moment) -> Int {
    let all = record.grants.all + (unlock.map { [$0] } ?? [])
    let chosen = all.filter { id == nil || $0.id == id }
    for grant in chosen { _ = record.grants.revoke(grant.id) }
    if let unlock, chosen.contains(unlock) { self.unlock = nil }
    return chosen.count { $0.timeLeft(at: now) != nil }
  }

  /// Restarts a simulated device into the boot of `now`.
  ///
  /// The boot restarts even a refusal that had passed, so that of an earlier charge can no longer be
  /// refunded with it.
  public mutating func reboot(_ act: EvaluationID, at now: Moment) {
    eachAttempt { if $0.refund == .all { $0.refund = .failure } }
    record.reboots += 1
    forgetGrants()
    _ = record.booted(at: now)
    store(act, at: now)
  }

  /// Ends the waiting evaluations before the one with the prompt, or a waiting one would get the
  /// prompt for a moment.
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

  /// Replaces the settings of the simulated sensor; the next commit makes them durable.
  public mutating func sensorSettings(_ settings: [String: String]) {
    record.sensorSettings = settings
  }

  /// Records that the simulated clock was advanced by `duration` to `offset` ahead of the
  /// machine's.
  ///
  /// `keepsWaits` says that passcode refusals keep the time they have left.
  public mutating func clockAdvanced(by duration: Duration, to offset: Duration, keepsWaits: Bool) {
    record.clockOffset = offset
    if keepsWaits { record.postponePasscodes(by: duration) }
  }

  /// Raises counts that cannot be trusted.
  public mutating func raiseCounts(to doubt: CountDoubt, at now: Moment) {
    record.raise(to: doubt, under: rules.delays, lasting: lasting, at: now)
  }
}
