import LocalAuthCore

/// The actions on the device from outside.
extension Model {
  // MARK: Acts

  mutating func begin(_ act: Act, isRight: Bool) {
    let truth = ModelState.Truth(isRight: isRight)
    let asks = state.machine.record.passcode != .none && act != .erase
    state.acting = ModelState.Acting(act: act, truth: asks ? truth : nil)
    if act == .erase { carryOut() }
    run { machine, now in
      if act != .erase { machine.authorize(ModelState.act, from: .owner, at: now) }
    }
  }

  /// The act has been authorized.
  mutating func carryOut() {
    guard let act = state.acting?.act else { return }
    state.acting?.truth = nil
    switch act {
    case .fingers where setup.byThemselves.contains(.biometry): enrolByAct()
    case .fingers:
      state.machine.adopt(otherSet(state.machine.record.enrolment.fingers))
      endGrants()
    case .passcode:
      state.machine.passcodeWasSet(at: now)
      endGrants()
      witnessProof(.passcode)
    case .removal:
      state.machine.setPasscode(.none)
      endGrants()
    case .erase: erase()
    case .other: break
    }
    state.machine.store(ModelState.act, at: now)
    if act != .passcode, act != .other { state.machine.changed(at: now) }
  }

  /// A set that no proof and no requirement names: a set is only compared, so that a number may be used
  /// again.
  private func otherSet(_ fingers: [Finger]) -> EnrolmentSet {
    let names = state.generations.union(setup.policy.requirement.generations)
    var generation: UInt64 = 2
    while names.contains(generation) { generation += 1 }
    return EnrolmentSet(fingers: fingers, generation: generation)
  }

  /// Erases fingers, passcode and counts; the passcode of PAM and what was counted against it survive.
  private mutating func erase() {
    state.machine.cancelAll(at: now)
    state.machine.adopt(otherSet([]))
    state.machine.erased()
    endGrants()
    guard state.machine.record.passcode == .none else { return }
    for count in Counted.allCases { clear(count) }
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
    run { $0.cancelAll(at: $1) }
    endGrants()
    run { $0.lock(ModelState.housekeeping, at: $1) }
  }

  mutating func revoke() {
    let count = state.machine.revoke(nil, at: now)
    endGrants()
    if count > 0 { run { $0.store(ModelState.housekeeping, at: $1) } }
  }

  mutating func reboot() {
    run { $0.cancelAll(at: $1) }
    changeBoot()
    endGrants()
    run { $0.reboot(ModelState.housekeeping, at: $1) }
  }

  /// Kills the service, with the first `kept` pending commits on the disk, and restarts it.
  mutating func crash(kept: Int, isReboot: Bool) {
    for write in state.writes.prefix(kept) {
      store(write)
      state.history.committed(isDurable: true)
    }
    state.history.crashed()
    let sensor = state.machine.sensor
    state.machine = ModelState.started(
      setup,
      state.disk,
      isDistrusted: state.isDiskDistrusted,
      state.outside
    )
    if state.outside == nil { state.machine.sensor = sensor }
    state.asked = []
    state.writes = []
    state.acting = nil
    if isReboot { changeBoot() }
    run { $0.started(at: $1) }
    findPrints(byAct: false)
  }

  private mutating func changeBoot() {
    state.history.rebooted()
    state.eachRecord { $0.leaveBoot() }
    if isReduced { state.eachRecord { $0.forgetEarlierBoots() } }
    state.eachTruth { truth, _ in truth.age = 0 }
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
    guard isReduced else { return }
    let setup = setup
    state.eachTruth { $0.clampAge(setup.tables(of: $1)) }
  }

  /// Moves only the wall clock.
  mutating func jump(_ time: Duration) { state.wallAhead += time.wholeNanoseconds / 1_000_000 }

  /// Makes the wall clock's jump one of what happened before it, once no refusal is in force.
  mutating func foldWall() {
    guard state.wallAhead != 0, !state.history.isRefusing else { return }
    state.recede(Shift(boot: 0, wall: state.wallAhead, setup))
    state.wallAhead = 0
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

  mutating func eachTruth(_ body: (inout Truth, Counted) -> Void) {
    func change(_ truth: inout Truth?, _ count: Counted) {
      guard var known = truth else { return }
      body(&known, count)
      truth = known
    }
    for index in asked.indices {
      let isOthers = asked[index].request.isOthers
      change(&asked[index].finger, Counted(.biometry, forOthers: isOthers))
      change(&asked[index].passcode, Counted(.passcode, forOthers: isOthers))
      change(&asked[index].possession, .possession)
    }
    guard var truth = acting?.truth else { return }
    body(&truth, .passcode)
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
