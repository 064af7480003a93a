import LocalAuthCore

/// A shift of all past events further away from the present.
struct Shift {
  /// The shift on the boot clock, in nanoseconds.
  var boot: Int64
  /// The shift on the wall clock, in milliseconds.
  var wall: Int64
  /// The greatest age, in nanoseconds, that can be told from a greater one.
  let horizon: Int64
  /// How finger and passcode failures are forgotten.
  let forgetting: (finger: [Forgetting], passcode: [Forgetting])

  init(boot: Int64, wall: Int64, _ setup: Setup) {
    self.boot = boot
    self.wall = wall
    horizon = setup.horizon
    forgetting = (
      setup.fingerTables.compactMap(\.forgets), setup.passcodeTables.compactMap(\.forgets)
    )
  }

  func callAsFunction(_ instant: BootInstant) -> BootInstant {
    let oldest = ModelState.now.boot.nanoseconds - horizon
    return BootInstant(nanoseconds: max(oldest, instant.nanoseconds - boot))
  }

  func callAsFunction(_ instant: WallInstant) -> WallInstant {
    // Moving the wall clock back makes events younger again that a jump ahead made older.
    let span = horizon + Model.jumpAhead.wholeNanoseconds
    let oldest = ModelState.now.wall.milliseconds - span / 1_000_000
    return WallInstant(milliseconds: max(oldest, instant.milliseconds - wall))
  }

  func callAsFunction(_ moment: Moment) -> Moment {
    var moment = moment
    if moment.bootID == ModelState.now.bootID { moment.boot = self(moment.boot) }
    moment.wall = self(moment.wall)
    return moment
  }
}

extension ModelState {
  mutating func recede(_ shift: Shift) {
    eachRecord { $0.recede(shift) }
    machine.eachMoment { $0 = shift($0) }
    eachTruth { truth, _ in truth.age += shift.boot }
    machine.unlock = machine.unlock?.receding(shift)
  }
}

extension DeviceRecord {
  mutating func recede(_ shift: Shift) {
    attempts = attempts.receding(shift)
    if !others.isEmpty {
      others.eachCount { tally, isOfPasscode in
        let forgetting = isOfPasscode ? shift.forgetting.passcode : shift.forgetting.finger
        tally = tally.receding(shift, forgetting)
      }
    }
    if !grants.isEmpty { grants = Grants(grants.all.map { $0.receding(shift) }) }
  }

  /// Marks everything from this boot as from an earlier one.
  mutating func leaveBoot() {
    attempts = attempts.leavingBoot()
    if !others.isEmpty { others.eachCount { tally, _ in tally = tally.leavingBoot() } }
    if !grants.isEmpty { grants = Grants(grants.all.map { $0.leavingBoot() }) }
  }
}

extension DeviceAttempts {
  fileprivate func receding(_ shift: Shift) -> Self {
    Self(
      lockout: Lockout(tally: lockout.tally.receding(shift, shift.forgetting.finger)),
      throttle: PasscodeThrottle(tally: throttle.tally.receding(shift, shift.forgetting.passcode)),
      freshness: Freshness(
        passcode: freshness.passcode?.receding(shift),
        match: freshness.match?.receding(shift)
      )
    )
  }

  fileprivate func leavingBoot() -> Self {
    Self(
      lockout: Lockout(tally: lockout.tally.leavingBoot()),
      throttle: PasscodeThrottle(tally: throttle.tally.leavingBoot()),
      freshness: Freshness(
        passcode: freshness.passcode?.leavingBoot(),
        match: freshness.match?.leavingBoot()
      )
    )
  }
}

extension Tally {
  /// Clamps the age of an expired refusal that can no longer cause forgetting, so all of them are
  /// equal.
  fileprivate func receding(_ shift: Shift, _ forgetting: [Forgetting]) -> Tally {
    guard let period = refusal, period.boot == ModelState.now.bootID else { return self }
    let spans = forgetting.map { $0.span(of: failures) } + [period.length.wholeNanoseconds]
    let ended = ModelState.now.boot.nanoseconds - (spans.max() ?? 0)
    var tally = self
    tally.refusal?.start = BootInstant(
      nanoseconds: max(ended, period.start.nanoseconds - shift.boot)
    )
    return tally
  }

  fileprivate func leavingBoot() -> Tally {
    var tally = self
    tally.refusal?.boot = ModelState.earlierBoot
    return tally
  }
}

extension Freshness.Stamp {
  func receding(_ shift: Shift) -> Self {
    boot == ModelState.now.bootID ? Self(at: shift(at), boot: boot) : self
  }

  func leavingBoot() -> Self { Self(at: at, boot: ModelState.earlierBoot) }
}

extension Grant {
  func receding(_ shift: Shift) -> Grant {
    guard provenAt.bootID == ModelState.now.bootID else { return self }
    return at(shift(provenAt), usedAt: shift(usedAt))
  }

  func leavingBoot() -> Grant {
    var moment = provenAt
    moment.bootID = ModelState.earlierBoot
    return at(moment, usedAt: usedAt)
  }

  private func at(_ moment: Moment, usedAt: BootInstant) -> Grant {
    Grant(
      id: id,
      scope: scope,
      rule: rule,
      proven: proven,
      provenAt: moment,
      origin: origin,
      usedAt: usedAt,
      usesLeft: usesLeft
    )
  }
}
