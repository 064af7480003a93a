import LocalAuthCore

/// A device's clock: the machine's clock plus an offset, or stopped.
struct DeviceClock {
  private(set) var offset: Duration
  private var reboots: UInt32
  private let stoppedAt: Moment?

  /// A clock that runs `offset` ahead of the machine's, or is stopped at `stoppedAt` plus `offset`.
  init(offset: Duration, reboots: UInt32, stoppedAt: Moment?) {
    self.offset = offset
    self.reboots = reboots
    self.stoppedAt = stoppedAt
  }

  /// Whether time passes only when the clock is advanced.
  var isStopped: Bool { stoppedAt != nil }

  func now(_ machine: Moment) -> Moment {
    var moment = stoppedAt ?? machine
    moment.boot = moment.boot + offset
    moment.wall.milliseconds += offset.wholeNanoseconds / 1_000_000
    moment.bootID.generation = reboots
    return moment
  }

  /// The machine's instant at which this clock shows `instant`.
  func machineInstant(of instant: BootInstant) -> BootInstant { instant + (.zero - offset) }

  /// `moment` without this clock's offset and reboots.
  func machine(_ moment: Moment) -> Moment {
    var machine = moment
    machine.boot = machineInstant(of: moment.boot)
    machine.wall.milliseconds -= offset.wholeNanoseconds / 1_000_000
    machine.bootID.generation = 0
    return machine
  }

  mutating func advance(by duration: Duration) { offset += duration }

  mutating func reboot() { reboots += 1 }
}
