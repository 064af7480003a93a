import LocalAuthCore

/// What is done to the device from outside.
extension Scene {
  // MARK: Administration

  mutating func begin(_ act: Act, isRight: Bool) {
    guard world.memory.passcode != .none else { return carryOut(act) }
    var run = Run(at: .passcode, .passcode(isRight: isRight))
    let first = run.machine.begin()
    world.act = World.ActRun(act: act, run: run)
    perform(first)
  }

  private mutating func perform(_ action: Attempt.Action) {
    switch action {
    case .charge: whenStorageWorks(.actCharge)
    case .judge: break
    case .settle(let verdict):
      guard let run = world.act?.run else { return }
      apply(.passcode, verdict, run)
      commit(.actSettle)
    case .report(let verdict): reportAct(verdict)
    case .ignore: break
    }
  }

  mutating func actCount() {
    if let refusal = count(.passcode, under: setup.device) { return actChargeFailed(refusal) }
    world.act?.run.count = world.memory.attempts.throttle.tally.failures
    world.act?.run.isLastCount = true
    commit(.actCharge)
  }

  mutating func actChargeFailed(_ outcome: Outcome) { actFailed { $0.chargeFailed(outcome) } }

  private mutating func actFailed(_ event: (inout Attempt) -> Attempt.Action) {
    guard var run = world.act?.run else { return }
    let action = event(&run.machine)
    world.act?.run = run
    perform(action)
  }

  mutating func actCharged(isDurable: Bool) {
    if !isDurable, let run = world.act?.run { takeBack(.passcode, run) }
    actFailed { isDurable ? $0.charged() : $0.chargeFailed(Self.unwritable) }
  }

  mutating func actSettled(isDurable: Bool) {
    actFailed { isDurable ? $0.settled() : $0.settleFailed(Self.unwritable) }
  }

  mutating func actJudged() {
    guard let run = world.act?.run, case .passcode(let isRight) = run.evidence else { return }
    let verdict = isRight ? Verdict.proven(finger: nil, generation: nil) : .miss
    witness(run, .passcode, verdict)
    actFailed { $0.judged(verdict) }
  }

  private mutating func reportAct(_ verdict: Verdict) {
    guard let act = world.act?.act else { return }
    checkCleared(.passcode, verdict)
    guard case .proven = verdict else {
      world.act = nil
      return
    }
    carryOut(act)
  }

  private mutating func carryOut(_ act: Act) {
    world.act?.isCommitting = true
    switch act {
    case .fingers:
      world.memory.enrolment.generation += 1
      forgetGrants()
      commit(.act)
      deviceChanged()
    case .passcode:
      guard world.memory.passcode != .none else { return }
      forgetGrants()
      world.memory.attempts.passcodeProven(at: now)
      world.isDistrusted = false
      counted(.passcode)
      counted(.biometry)
      witnessPasscode()
      commit(.act)
    case .other: commit(.act)
    }
  }

  mutating func actCompleted() {
    let wasPasscode = world.act?.act == .passcode
    world.act = nil
    if wasPasscode { deviceChanged() }
  }

  // MARK: Locking and restarting

  mutating func lock() {
    cancelAll()
    forgetGrants()
    commit(.housekeeping)
  }

  mutating func revoke() {
    let all = world.memory.grants.all + (world.unlock.map { [$0] } ?? [])
    for grant in all { _ = world.memory.grants.revoke(grant.id) }
    world.unlock = nil
    world.history.forgetGrants(after: world.writes.count)
    // What had ended already is nothing to write about.
    guard all.contains(where: { $0.timeLeft(at: now) != nil }) else { return }
    commit(.housekeeping)
  }

  mutating func reboot() {
    cancelAll()
    counted(.passcode)
    counted(.biometry)
    changeBoot()
    forgetGrants()
    _ = world.memory.attempts.booted(at: now)
    commit(.housekeeping)
  }

  private mutating func cancelAll() {
    for session in world.sessions where session.machine.outcome == nil {
      end(session.slot, Outcome(.systemCancel))
    }
  }

  /// Kills the service, with the first `kept` commits under way on the disk, and starts it again.
  mutating func crash(kept: Int, isReboot: Bool) {
    for write in world.writes.prefix(kept) {
      store(write)
      world.history.committed(isDurable: true)
    }
    world.history.crashed()
    world.memory = world.disk
    world.isDistrusted = world.isDiskDistrusted
    world.hasFailed = false
    world.arbiter = Arbiter(limits: World.queue)
    world.sessions = []
    world.writes = []
    world.act = nil
    world.unlock = nil
    if isReboot { changeBoot() }
    if world.memory.attempts.booted(at: now) { commit(.housekeeping) }
  }

  private mutating func changeBoot() {
    world.history.rebooted()
    world.eachRecord { $0.leaveBoot() }
    world.act?.run.age = 0
    for index in world.sessions.indices {
      world.sessions[index].finger?.age = 0
      world.sessions[index].passcode?.age = 0
      if world.sessions[index].provenAt?.bootID == World.now.bootID {
        world.sessions[index].provenAt?.bootID = World.earlierBoot
      }
    }
    if let unlock = world.unlock { world.unlock = unlock.leavingBoot() }
  }

  // MARK: Time

  /// Lets `time` pass on both clocks.
  mutating func pass(_ time: Duration) {
    let nanoseconds = time.wholeNanoseconds
    world.recede(Shift(boot: nanoseconds, wall: nanoseconds / 1_000_000, setup))
    world.history.passed(nanoseconds, setup)
  }

  /// Moves the wall clock alone.
  mutating func jump(_ time: Duration) {
    world.recede(Shift(boot: 0, wall: time.wholeNanoseconds / 1_000_000, setup))
  }
}
