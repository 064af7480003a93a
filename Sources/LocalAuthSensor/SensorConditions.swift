public import LocalAuthCore

/// What happens to the sensor from outside, whether or not somebody waits at it.
extension SimulatedSensor {
  /// A finger is laid on the sensor and stays there; that alone is no touch.
  public mutating func fingerDown() { isFingerDown = true }

  /// The finger is lifted.
  public mutating func fingerUp() {
    isFingerDown = false
    mustLift = false
  }

  /// The cable is pulled.
  public mutating func unplug() -> Interruption {
    settings.isPlugged = false
    return enforceSettings()
  }

  /// The cable is put back; what was interrupted stays interrupted.
  public mutating func plug() { settings.isPlugged = true }

  /// Another program takes the sensor, or lets it go.
  public mutating func setBusy(_ isBusy: Bool) -> Interruption {
    settings.isBusy = isBusy
    return enforceSettings()
  }

  /// Locks the sensor until the passcode.
  public mutating func lock() -> Interruption {
    settings.isLockedOut = true
    return enforceSettings()
  }

  /// Locks the sensor for as long as the setting `lockout-timed-duration` says.
  public mutating func lockTimed(at now: Moment) -> Interruption {
    let length = settings.timedLockout
    lockout.refuse(for: length, at: now)
    return interrupt { .lockedOut($0, retryAfter: length) }
  }

  /// The passcode was proven: every lock of the sensor opens, a forced one too.
  public mutating func passcodeProven() {
    settings.isLockedOut = false
    lockout.clear()
  }

  /// The wait for a finger ran out; nothing when `timer` is not the one that runs.
  public mutating func timedOut(_ timer: NoInputTimer) -> Interruption {
    guard timer == self.timer else { return .none }
    return interrupt { .fault($0, .timeout) }
  }

  /// Sets one setting, and does what follows from it: `plugged=false` is ``unplug()``.
  public mutating func set(_ key: String, _ value: String) throws(SettingError) -> Interruption {
    try settings.set(key, value)
    return enforceSettings()
  }

  /// Puts every setting back to its default; fingers, generation and counted misses stay.
  public mutating func reset() { settings = SensorSettings(profiles: settings.profiles) }

  /// Ends the operation that the settings do not allow any more.
  private mutating func enforceSettings() -> Interruption {
    if !settings.isPlugged { return interrupt { .fault($0, .removed) } }
    if settings.isBusy { return interrupt { .fault($0, .busy) } }
    if settings.isLockedOut { return interrupt { .lockedOut($0, retryAfter: nil) } }
    return .none
  }

  private mutating func interrupt(_ why: (SensorOperation) -> Interruption) -> Interruption {
    let interrupted = operation
    enter(.idle)
    return interrupted.map(why) ?? .none
  }
}
