import LocalAuthCore

/// What the environment sees, and what it checks the machines by.
extension Scene {
  mutating func witnessCharge(_ factor: Factor) {
    let left = factor == .passcode ? world.history.passcode.left : world.history.finger.left
    world.history.check(.refusalHolds, left == 0)
    if factor == .passcode {
      world.history.passcode.charged += 1
      world.history.passcode.forget(setup.passcodeTables)
    } else {
      world.history.finger.charged += 1
      world.history.finger.forget(setup.fingerTables)
    }
    guard factor == .biometry else { return }
    let history = world.history
    world.history.check(.distrustHolds, !history.isDistrusted)
    world.history.check(.freshnessHolds, world.memory.passcode == .none || isFresh)
  }

  /// The disk has what was sent for `purpose`.
  mutating func witnessStored(_ purpose: World.Write.Purpose) {
    switch purpose {
    case .charge(let slot, let factor):
      guard let index = world.index(of: slot) else { return }
      world.sessions[index][factor]?.isChargeDurable = true
    case .actCharge: world.act?.run.isChargeDurable = true
    case .settle, .redeem, .remember, .close, .reopen, .actSettle, .act, .housekeeping:
      break
    }
  }

  /// Something was judged.
  mutating func witness(_ run: Run, _ factor: Factor, _ verdict: Verdict) {
    if case .unjudged = verdict { return }
    world.history.check(.chargedFirst, run.isChargeDurable)
    switch factor {
    case .passcode:
      guard case .proven = verdict else {
        // A refusal of PAM's that came without a question has judged nothing.
        if run.wasSubmitted {
          missed(\.passcode, world.disk.attempts.throttle.tally, run, setup.passcodeTables)
        }
        return
      }
      let counted = world.disk.attempts.throttle.tally
      checkAllowed(world.history.passcode, counted, run, setup.passcodeTables)
      witnessPasscode()
    case .biometry:
      let tables = setup.fingerTables
      guard case .proven = verdict else {
        return missed(\.finger, world.disk.attempts.lockout.tally, run, tables)
      }
      checkAllowed(world.history.finger, world.disk.attempts.lockout.tally, run, tables)
      world.history.finger.clear()
      world.history.sinceMatch = 0
      markCleared(.biometry)
    case .applicationPassword, .companion: break
    }
  }

  private mutating func missed(
    _ factor: WritableKeyPath<History, History.Count>,
    _ tally: Tally,
    _ run: Run,
    _ tables: [DelayTable]
  ) {
    // What was charged before a success counts to what came before it.
    guard !run.isCleared else { return }
    var count = world.history[keyPath: factor]
    checkAllowed(count, tally, run, tables)
    count.judged += 1
    count.length = tables.map { $0.promisedWait(after: run.count) }.max() ?? 0
    count.left = max(0, count.length - run.age)
    count.since = run.age
    world.history[keyPath: factor] = count
  }

  private mutating func checkAllowed(
    _ count: History.Count,
    _ tally: Tally,
    _ run: Run,
    _ tables: [DelayTable]
  ) {
    guard !run.isCleared else { return }
    world.history.check(.boundedAttempts, !tables.contains { $0.isExhausted(by: count.judged) })
    // Whatever is judged since the last success is in the count on the disk, this one too.
    world.history.check(.chargedFirst, tally.failures > count.judged)
  }

  /// The passcode was proven or set.
  mutating func witnessPasscode() {
    world.history.passcode.clear()
    world.history.finger.clear()
    world.history.sincePasscode = 0
    world.history.isDistrusted = false
    markCleared(.passcode)
    markCleared(.biometry)
  }

  private mutating func markCleared(_ factor: Factor) {
    for index in world.sessions.indices {
      world.sessions[index][factor]?.isCleared = true
    }
    if factor == .passcode { world.act?.run.isCleared = true }
  }

  // MARK: Checks

  private var isFresh: Bool {
    let rules = setup.policy.freshness
    guard let sincePasscode = world.history.sincePasscode else { return false }
    let sinceMatch = world.history.sinceMatch
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

  /// A success that is reported has cleared what it clears.
  mutating func checkCleared(_ factor: Factor, _ verdict: Verdict) {
    guard case .proven = verdict else { return }
    let history = world.history
    if factor == .passcode {
      world.history.check(
        .successClears,
        world.memory.attempts.throttle.tally.failures <= history.passcode.charged
      )
    }
    world.history.check(
      .successClears,
      world.memory.attempts.lockout.tally.failures <= history.finger.charged
    )
  }

  /// An unlock stood in for a touch, or did not.
  mutating func checkReuse(_ index: Int) {
    guard world.sessions[index].machine.isUnlockReused else { return }
    let window = min(setup.policy.reuseLimit, Self.unlockReuseMax).wholeNanoseconds
    world.history.check(.successIsProven, world.history.sinceUnlock.map { $0 <= window } ?? false)
    checkFingerCounts()
    world.sessions[index].witnessed.factors.insert(.biometry)
    world.sessions[index].witnessed.biometryGeneration =
      world.sessions[index].machine.proven.biometryGeneration
  }

  /// What a finger proved earlier counts no more than a finger would.
  private mutating func checkFingerCounts() {
    let count = world.history.finger
    let isOut = setup.fingerTables.contains { $0.isExhausted(by: count.judged) }
    world.history.check(.refusalHolds, count.left == 0 && !isOut)
    world.history.check(.freshnessHolds, world.memory.passcode == .none || isFresh)
    let isDistrusted = world.history.isDistrusted
    world.history.check(.distrustHolds, !isDistrusted)
  }

  /// A wrong attempt was judged: an evaluation has no more than policy and profile give it.
  mutating func checkTries(_ index: Int, _ factor: Factor) {
    if factor == .passcode {
      world.sessions[index].wrongPasscodes += 1
    } else {
      world.sessions[index].wrongTouches += 1
    }
    let session = world.sessions[index]
    let touches = [setup.lockout.missesPerEvaluation, setup.policyLockout?.missesPerEvaluation]
    world.history.check(
      .boundedAttempts,
      session.wrongPasscodes <= setup.policy.passcodeTries
        && session.wrongTouches <= touches.compactMap(\.self).min() ?? .max
    )
  }

  /// A success is about to be told.
  mutating func checkSuccess(_ session: Session) {
    world.history.check(.successIsDurable, session.isRecorded)
    world.history.check(
      .successIsProven,
      session.isStoodFor || setup.policy.requirement.isProven(by: session.witnessed)
    )
  }

  /// The use of a grant is counted: it must be in force, for this caller, and have a use left.
  mutating func checkUse(of id: EvaluationID, _ session: Session) {
    guard let wish = session.request.wish,
      let index = world.history.promises.firstIndex(where: { $0.id == id })
    else { return world.history.check(.grantEnds, false) }
    let promise = world.history.promises[index]
    world.history.check(
      .grantEnds,
      promise.scope == wish.scope && promise.endsIn == nil
        && promise.age < min(promise.maxAge, wish.maxAge.wholeNanoseconds)
        && promise.unused < (promise.idle ?? .max)
    )
    world.history.promises[index].unused = 0
    if promise.factors.contains(.biometry) { checkFingerCounts() }
    if promise.factors.contains(.passcode) {
      let count = world.history.passcode
      let isOut = setup.passcodeTables.contains { $0.isExhausted(by: count.judged) }
      world.history.check(.refusalHolds, count.left == 0 && !isOut)
    }
  }

  /// A grant answers now.
  mutating func checkAnswer(of id: EvaluationID) {
    guard let index = world.history.promises.firstIndex(where: { $0.id == id }) else {
      return world.history.check(.grantEnds, false)
    }
    world.history.check(.grantEnds, world.history.promises[index].endsIn == nil)
    guard let left = world.history.promises[index].usesLeft else { return }
    world.history.check(.grantUsedOnce, left > 0)
    world.history.promises[index].usesLeft = left > 0 ? left - 1 : 0
  }

  mutating func promise(_ grant: Grant, _ wish: Wish, _ session: Session, _ provenAt: Moment) {
    guard let rule = setup.policy.grant else { return }
    // What stood in for a person is not remembered, or it would live for ever.
    world.history.check(
      .grantEnds,
      setup.policy.requirement.isProven(by: session.witnessed) && !session.machine.isUnlockReused
    )
    let age = (now.boot - provenAt.boot).wholeNanoseconds
    world.history.promises.removeAll { $0.scope == wish.scope }
    world.history.promises.append(
      History.Promise(
        id: grant.id,
        scope: wish.scope,
        idle: rule.idle?.wholeNanoseconds,
        // What the environment saw and the machine has not heard yet is no part of it.
        factors: session.witnessed.factors.intersection(session.machine.proven.factors),
        age: age,
        unused: 0,
        maxAge: min(rule.maxAge, wish.maxAge).wholeNanoseconds,
        usesLeft: [rule.uses, wish.uses].compactMap(\.self).min()
      )
    )
  }

  /// What must hold between any two events.
  mutating func checkStanding() {
    let running = world.sessions.filter { $0.machine.outcome == nil && $0.phase == .running }
    let holder = world.sessions.first { $0.id == world.arbiter.armed && !$0.isAnswered }
    world.history.check(
      .onePrompt,
      running.count(where: \.isShown) <= 1
        && (holder != nil || running.allSatisfy { $0.redeemed != nil })
    )
  }
}
