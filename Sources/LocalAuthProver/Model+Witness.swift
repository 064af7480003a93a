import LocalAuthCore

/// The observations of the environment, and its checks of the machines.
extension Model {
  mutating func witnessCharge(_ attempt: AttemptID) {
    let count = state.counted(attempt)
    for refusing in count.refusing { check(.refusalHolds, state.history[refusing].left == 0) }
    state.history[count].charged += 1
    if count.isOfOthers { premises.insert(Premises(.othersUseNothingUp)) }
    forget(count)
    guard !count.isOfPasscode else { return }
    checkTrusted()
    guard count.isOfFinger else { return }
    checkSensor()
    check(.freshnessHolds, state.machine.record.passcode == .none || isFresh)
  }

  /// Forgets what this charge forgets: of what was judged first, so that no more is excused than was
  /// forgotten, and then of what has no verdict yet.
  private mutating func forget(_ count: Counted) {
    let known = state.history[count]
    let forgotten = known.forgotten(by: setup.tables(of: count))
    guard forgotten > 0 else { return }
    state.history[count].judged -= min(known.judged, forgotten)
    var left = forgotten - min(forgotten, known.judged)
    var ages: [Int64] = []
    state.eachTruth { truth, tried in
      if tried == count, truth.count > 0, !truth.isCleared { ages.append(truth.age) }
    }
    for age in ages.sorted(by: >) where left > 0 {
      left -= 1
      state.eachTruth { truth, tried in
        if tried == count, truth.count > 0, truth.age == age { truth.isCleared = true }
      }
    }
  }

  /// Records the verdict on an attempt.
  mutating func witness(_ attempt: AttemptID, _ verdict: Verdict) {
    if case .unjudged = verdict { return }
    premises.insert(Premises(.chargedFirst))
    let truth = state[attempt] ?? ModelState.Truth()
    check(.chargedFirst, truth.isChargeDurable)
    if case .proven(_, let generation) = verdict {
      proven(attempt, truth)
      noteProof(attempt, generation)
    } else if truth.isRight != nil {
      // A refusal from PAM without an answer judged nothing.
      missed(attempt, truth)
    }
  }

  private mutating func proven(_ attempt: AttemptID, _ truth: ModelState.Truth) {
    let count = state.counted(attempt)
    checkAllowed(count, truth)
    if count == .othersPasscode { forgiveShare(of: attempt) }
    witnessProof(count)
  }

  private mutating func noteProof(_ attempt: AttemptID, _ generation: UInt64?) {
    guard let index = state.index(of: attempt.owner) else { return }
    state.asked[index].witnessed.factors.insert(attempt.factor.alone)
    guard attempt.factor == .biometry else { return }
    state.asked[index].witnessed.biometryGeneration = generation
  }

  /// Checks that an attempt was not begun for a prompt that nobody sees.
  mutating func witnessPrompt(_ owner: EvaluationID) {
    guard let index = state.index(of: owner), state.asked[index].agent != .none else { return }
    check(.promptIsSeen, state.asked[index].agent == .showing)
  }

  /// An answer of a conversation was judged, since it asks on.
  mutating func witnessMiss(_ attempt: AttemptID, _ truth: ModelState.Truth) {
    countMiss(attempt, truth)
  }

  private mutating func missed(_ attempt: AttemptID, _ truth: ModelState.Truth) {
    countMiss(attempt, truth)
    // What was broken off is of no evaluation any more.
    guard let index = state.index(of: attempt.owner), !truth.isAborted else { return }
    checkTries(index, attempt.factor)
  }

  private mutating func countMiss(_ attempt: AttemptID, _ truth: ModelState.Truth) {
    // An attempt charged before a success belongs to the attempts before it.
    guard !truth.isCleared else { return }
    let counted = state.counted(attempt)
    checkAllowed(counted, truth)
    var count = state.history[counted]
    count.judged += 1
    count.length = setup.tables(of: counted).map { $0.promisedWait(after: truth.count) }.max() ?? 0
    count.left = max(0, count.length - truth.age)
    state.history[counted] = count
    if counted == .othersPasscode, let share = share(of: attempt) {
      state.history.othersShares[share] += 1
    }
  }

  private mutating func checkAllowed(_ count: Counted, _ truth: ModelState.Truth) {
    guard !truth.isCleared else { return }
    check(.boundedAttempts, !count.locking.contains(where: isUsedUp))
    // The count on the disk includes everything judged since the last success, this attempt too.
    check(.chargedFirst, state.disk.tally(of: count).failures > state.history[count].judged)
  }

  /// Whether everything was judged that this count allows.
  func isUsedUp(_ count: Counted) -> Bool {
    setup.tables(of: count).contains { $0.isExhausted(by: state.history[count].judged) }
  }

  /// Records that what is counted as `count` was proven, or that the passcode was set.
  mutating func witnessProof(_ count: Counted) {
    for cleared in count.cleared { clear(cleared) }
    if count.isOfFinger { state.history.sinceMatch = 0 }
    guard count.isOfPasscode else { return }
    state.history.sincePasscode = 0
    state.history.isDistrusted = false
    state.outside?.trust()
  }

  /// Clears a count, and what was charged to it and has no verdict yet.
  mutating func clear(_ count: Counted) {
    state.history[count].clear()
    if count == .othersPasscode { state.history.othersShares = [0, 0] }
    state.eachTruth { truth, counted in if counted == count { truth.isCleared = true } }
  }

  // MARK: Checks

  var isFresh: Bool {
    let rules = setup.policy.freshness
    guard let sincePasscode = state.history.sincePasscode else { return false }
    let sinceMatch = state.history.sinceMatch
    let sinceAny = min(sincePasscode, sinceMatch ?? sincePasscode)
    if let limit = rules.anyWithin?.wholeNanoseconds, sinceAny > limit { return false }
    guard let limit = rules.passcodeWithin?.wholeNanoseconds, sincePasscode > limit else {
      return true
    }
    guard let grace = rules.unlessMatchedWithin?.wholeNanoseconds, let sinceMatch else {
      return false
    }
    return sinceMatch <= grace
  }

  /// Checks that `event`, which ends an attempt that nobody answered, gives its charge back.
  ///
  /// A charge that a success has cleared is none any more. Where time forgets failures, nobody can tell whether it
  /// forgot this one.
  mutating func checkGivenBack(_ attempt: AttemptID, by event: (inout Model) -> Void) {
    let count = state.counted(attempt)
    guard let truth = state[attempt], !truth.isCleared,
      !setup.tables(of: count).contains(where: { $0.forgets != nil })
    else { return event(&self) }
    premises.insert(Premises(.unansweredIsFree))
    let (counted, charged) = (failures(count), state.history[count].charged)
    event(&self)
    // The next prompt may have been charged already.
    let others = state.history[count].charged - charged
    check(.unansweredIsFree, failures(count) + 1 == counted + others)
  }

  /// Checks that a reported success has cleared the counts it should clear.
  mutating func checkCleared(_ count: Counted) {
    premises.insert(Premises(.successClears))
    for cleared in count.cleared {
      check(.successClears, failures(cleared) <= state.history[cleared].charged)
    }
  }

  /// Checks the machine's state, which shows what it did before its effects do.
  mutating func observe() {
    for index in state.asked.indices {
      guard let known = state.machine.index(of: state.asked[index].id) else { continue }
      let run = state.machine.evaluations[known]
      if run.machine.isUnlockReused, !state.asked[index].isReuseSeen { checkReuse(index, run) }
      if run.machine.outcome == .success, !state.asked[index].isSuccessSeen {
        state.asked[index].isSuccessSeen = true
        checkPasscodeSet()
      }
      checkUse(index, run)
      if run.machine.isGranted, !state.asked[index].isStoodFor { checkAnswer(index, run) }
      if !state.asked[index].isRemembered { noteRemembered(index, run) }
    }
  }

  /// Checks a success when it is decided: erasing the device before it is durable takes nothing back.
  private mutating func checkPasscodeSet() {
    check(
      .passcodeIsSet,
      !setup.policy.needsPasscodeSet || state.machine.record.passcode != .none
    )
  }

  /// Checks that an unlock that replaced a touch was valid.
  private mutating func checkReuse(_ index: Int, _ run: DeviceMachine.EvaluationRun) {
    state.asked[index].isReuseSeen = true
    premises.insert(Premises(.successIsProven))
    let window = min(setup.policy.reuseLimit, DeviceMachine.unlockReuseMax).wholeNanoseconds
    check(.successIsProven, state.history.sinceUnlock.map { $0 <= window } ?? false)
    checkFingerCounts()
    state.asked[index].witnessed.factors.insert(.biometry)
    state.asked[index].witnessed.biometryGeneration = run.machine.proven.biometryGeneration
  }

  /// Checks that an earlier proof by finger is accepted only when a finger would be.
  private mutating func checkFingerCounts() {
    checkOpen(.finger)
    check(.freshnessHolds, state.machine.record.passcode == .none || isFresh)
    checkTrusted()
  }

  /// Checks that attempts of the owner are neither refused nor used up.
  private mutating func checkOpen(_ count: Counted) {
    check(.refusalHolds, state.history[count].left == 0 && !isUsedUp(count))
  }

  /// Checks that the sensor and the device are such that a finger may be judged.
  private mutating func checkSensor() {
    let needsPasscode = setup.lockout.needsPasscode || setup.policyLockout?.needsPasscode ?? false
    check(.passcodeIsSet, !needsPasscode || state.machine.record.passcode != .none)
    guard case .ready(let strength) = state.machine.sensor else { return }
    check(.sensorIsStrong, strength >= setup.policy.minimumStrength)
  }

  private mutating func checkTrusted() {
    let isDistrusted = state.history.isDistrusted
    check(.distrustHolds, !isDistrusted && !isStrange)
  }

  /// Checks that an evaluation stays within the wrong attempts that policy and profile allow.
  mutating func checkTries(_ index: Int, _ factor: Factor) {
    switch factor {
    case .passcode: state.asked[index].wrongPasscodes += 1
    case .possession: state.asked[index].wrongKeys += 1
    case .biometry, .applicationPassword, .companion: state.asked[index].wrongTouches += 1
    }
    let asked = state.asked[index]
    let touches = [setup.lockout.missesPerEvaluation, setup.policyLockout?.missesPerEvaluation]
    let most = touches.compactMap(\.self).min() ?? .max
    let isLast = asked.wrongPasscodes == setup.policy.passcodeTries || asked.wrongTouches == most
    if isLast { premises.insert(Premises(.boundedAttempts)) }
    check(
      .boundedAttempts,
      asked.wrongPasscodes <= setup.policy.passcodeTries
        && max(asked.wrongTouches, asked.wrongKeys) <= most
    )
  }

  /// Checks a success that is about to be reported.
  mutating func checkSuccess(_ asked: ModelState.Asked) {
    premises.insert(Premises(.successIsDurable))
    if !asked.isSuccessSeen { checkPasscodeSet() }
    premises.insert(Premises(.successIsProven))
    check(.successIsDurable, asked.isRecorded)
    check(
      .successIsProven,
      asked.isStoodFor || setup.policy.requirement.isProven(by: asked.witnessed)
    )
  }

  /// Checks the counted use of a grant: the grant must be in force, for this caller, with a use
  /// left.
  private mutating func checkUse(_ asking: Int, _ run: DeviceMachine.EvaluationRun) {
    guard let id = run.redeemed else {
      state.asked[asking].isRedeeming = false
      return
    }
    guard !state.asked[asking].isRedeeming else { return }
    state.asked[asking].isRedeeming = true
    guard let wish = state.asked[asking].request.wish,
      let index = state.history.promises.firstIndex(where: { $0.id == id })
    else { return check(.grantEnds, false) }
    let promise = state.history.promises[index]
    check(.grantEnds, promise.answers(wish))
    state.history.promises[index].unused = 0
    if promise.factors.contains(.biometry) { checkFingerCounts() }
    if promise.factors.contains(.passcode) { checkOpen(.passcode) }
    if promise.factors.contains(.possession) {
      checkOpen(.possession)
      checkTrusted()
    }
  }

  /// Checks the answer of a grant.
  private mutating func checkAnswer(_ asking: Int, _ run: DeviceMachine.EvaluationRun) {
    state.asked[asking].isStoodFor = true
    guard let id = run.redeemed,
      let index = state.history.promises.firstIndex(where: { $0.id == id })
    else { return check(.grantEnds, false) }
    check(.grantEnds, state.history.promises[index].endsIn == nil)
    guard let left = state.history.promises[index].usesLeft else { return }
    check(.grantUsedOnce, left > 0)
    state.history.promises[index].usesLeft = left > 0 ? left - 1 : 0
  }

  /// Records that a success became a grant, or an unlock that can replace touches.
  private mutating func noteRemembered(_ asking: Int, _ run: DeviceMachine.EvaluationRun) {
    guard run.machine.outcome == .success else { return }
    let asked = state.asked[asking]
    if state.machine.unlock?.id == asked.id {
      state.asked[asking].isRemembered = true
      if asked.witnessed.factors.contains(.biometry), !run.machine.isUnlockReused {
        state.history.sinceUnlock = 0
      }
    }
    guard let wish = asked.request.wish, state.machine.record.grants[asked.id] != nil else {
      return
    }
    state.asked[asking].isRemembered = true
    promise(asked, wish, run)
  }

  private mutating func promise(
    _ asked: ModelState.Asked,
    _ wish: Wish,
    _ run: DeviceMachine.EvaluationRun
  ) {
    guard let rule = setup.policy.grant, let provenAt = run.provenAt else { return }
    // A success that used a grant or an unlock must not be remembered, or it would never expire.
    check(
      .grantEnds,
      setup.policy.requirement.isProven(by: asked.witnessed) && !run.machine.isUnlockReused
    )
    let age = (now.boot - provenAt.boot).wholeNanoseconds
    state.history.promises.removeAll { $0.scope == wish.scope }
    state.history.promises.append(
      History.Promise(
        id: asked.id,
        scope: wish.scope,
        idle: rule.idle?.wholeNanoseconds,
        // Proofs that the machine has not processed yet are not part of the grant.
        factors: asked.witnessed.factors.intersection(run.machine.proven.factors),
        age: age,
        unused: 0,
        maxAge: min(rule.maxAge, wish.maxAge).wholeNanoseconds,
        usesLeft: [rule.uses, wish.uses].compactMap(\.self).min()
      )
    )
  }

  /// Checks what must hold between any two events.
  mutating func checkStanding() {
    guard !state.machine.evaluations.isEmpty else { return }
    let armed = state.machine.arbiter.armed
    var (shown, isHeld, needsHolder) = (0, false, false)
    for index in state.asked.indices {
      let id = state.asked[index].id
      // After its answer it is known for as long as its judges have not ended.
      if id == armed { isHeld = true }
      guard let run = state.machine.index(of: id), state.asked[index].agent != .wanted,
        state.machine.evaluations[run].phase == .running,
        state.machine.evaluations[run].machine.outcome == nil
      else { continue }
      if state.asked[index].isShown { shown += 1 }
      if state.machine.evaluations[run].redeemed == nil { needsHolder = true }
    }
    check(.onePrompt, shown <= 1 && (isHeld || !needsHolder))
  }
}
