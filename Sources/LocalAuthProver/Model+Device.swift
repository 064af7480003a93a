import LocalAuthCore

/// The actions on the device from outside.
extension Model {
  // MARK: Acts

  mutating func begin(_ act: Act, isRight: Bool) {
    let truth = ModelState.Truth(isRight: isRight)
    let asks = state.machine.record.passcode != .none
    state.acting = ModelState.Acting(act: act, truth: asks ? truth : nil)
    run { $0.authorize(ModelState.act, from: .owner, at: ModelState.now) }
  }

  /// The act has been authorized.
  mutating func carryOut() {
    guard let act = state.acting?.act else { return }
    state.acting?.truth = nil
    switch act {
    case .fingers where setup.byThemselves.contains(.biometry): enrolByAct()
    case .fingers:
      var set = state.machine.record.enrolment
      set.generation += 1
      state.machine.adopt(set)
      endGrants()
    case .passcode:
      state.machine.passcodeWasSet(at: now)
      endGrants()
      witnessPasscode()
    case .other: break
    }
    state.machine.store(ModelState.act, at: now)
    if act == .fingers { state.machine.changed(at: now) }
  }

  mutating func stored(_ act: EvaluationID) {
    guard act == ModelState.act else { return }
    let wasPasscode = state.acting?.act == .passcode
    state.acting = nil
    if wasPasscode { state.machine.changed(at: now) }
  }

  private mutating func endGrants() { state.history.forgetGrants(after: state.writes.count) }

  // MARK: Locking and restarting

  mutating func lock() {
    run { $0.cancelAll(at: ModelState.now) }
    endGrants()
    run { $0.lock(ModelState.housekeeping, at: ModelState.now) }
  }

  mutating func revoke() {
    let count = state.machine.revoke(nil, at: now)
    endGrants()
    if count > 0 { run { $0.store(ModelState.housekeeping, at: ModelState.now) } }
  }

  mutating func reboot() {
    run { $0.cancelAll(at: ModelState.now) }
    changeBoot()
    endGrants()
    run { $0.reboot(ModelState.housekeeping, at: ModelState.now) }
  }

  /// Kills the service, with the first `kept` pending commits on the disk, and restarts it.
  mutating func crash(kept: Int, isReboot: Bool) {
    for write in state.writes.prefix(kept) {
      store(write)
      state.history.committed(isDurable: true)
    }
    state.history.crashed()
    state.machine = ModelState.started(
      setup,
      state.disk,
      isDistrusted: state.isDiskDistrusted,
      state.outside
    )
    state.asked = []
    state.writes = []
    state.acting = nil
    if isReboot { changeBoot() }
    run { $0.started(at: ModelState.now) }
    findPrints(byAct: false)
  }

  private mutating func changeBoot() {
    state.history.rebooted()
    state.eachRecord { $0.leaveBoot() }
    state.eachTruth { $0.age = 0 }
    state.machine.eachMoment { moment in
      if moment.bootID == ModelState.now.bootID { moment.bootID = ModelState.earlierBoot }
    }
    state.machine.unlock = state.machine.unlock?.leavingBoot()
  }

  // MARK: Time

  /// Advances both clocks by `time`.
  mutating func pass(_ time: Duration) {
    let nanoseconds = time.wholeNanoseconds
    state.recede(Shift(boot: nanoseconds, wall: nanoseconds / 1_000_000, setup))
    state.history.passed(nanoseconds, setup)
  }

  /// Moves only the wall clock.
  mutating func jump(_ time: Duration) {
    state.recede(Shift(boot: 0, wall: time.wholeNanoseconds / 1_000_000, setup))
  }
}

extension ModelState {
  mutating func eachRecord(_ body: (inout DeviceRecord) -> Void) {
    body(&machine.record)
    body(&disk)
    for index in writes.indices {
      guard var record = writes[index].record else { continue }
      body(&record)
      writes[index].record = record
    }
  }

  mutating func eachTruth(_ body: (inout Truth) -> Void) {
    func change(_ truth: inout Truth?) {
      guard var known = truth else { return }
      body(&known)
      truth = known
    }
    for index in asked.indices {
      change(&asked[index].finger)
      change(&asked[index].passcode)
      change(&asked[index].possession)
    }
    guard var truth = acting?.truth else { return }
    body(&truth)
    acting?.truth = truth
  }
}

extension DeviceMachine {
  /// Calls `body` for the proof moment of each evaluation under way.
  mutating func eachMoment(_ body: (inout Moment) -> Void) {
    for index in evaluations.indices {
      guard var moment = evaluations[index].provenAt else { continue }
      body(&moment)
      evaluations[index].provenAt = moment
    }
  }
}
