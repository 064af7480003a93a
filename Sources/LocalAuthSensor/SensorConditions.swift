public import LocalAuthCore

/// External events, whether or not someone is waiting at the sensor.
extension SimulatedSensor {
  /// A finger is placed on the sensor and stays there; that alone is not a touch.
  public mutating func fingerDown() { isFingerDown = true }

  /// The finger is lifted.
  public mutating func fingerUp() {
    isFingerDown = false
    mustLift = false
  }

  /// The sensor is unplugged.
  public mutating func unplug() -> Interruption {
    settings.isPlugged = false
    return enforceSettings()
  }

  /// The sensor is plugged in again; an interrupted operation does not resume.
  public mutating func plug() { settings.isPlugged = true }

  /// Another program takes the sensor, or releases it.
  public mutating func setBusy(_ isBusy: Bool) -> Interruption {
    settings.isBusy = isBusy
    return enforceSettings()
  }

  /// Locks the sensor until the passcode.
  public mutating func lock() -> Interruption {
    settings.isLockedOut = true
    return enforceSettings()
  }

  /// Locks the sensor for the duration of the setting `lockout-timed-duration`.
  public mutating func lockTimed(at now: Moment) -> Interruption {
    let length = settings.timedLockout
    lockout.refuse(for: length, at: now)
    return interrupt { .lockedOut($0, retryAfter: length) }
  }

  /// Reports that the passcode was proven, which ends every lock of the sensor, even a forced one.
  public mutating func passcodeProven() {
    settings.isLockedOut = false
    lockout.clear()
  }

  /// Reports that the wait for a finger timed out; has no effect unless `timer` is the current one.
  public mutating func timedOut(_ timer: NoInputTimer) -> Interruption {
    guard timer == self.timer else { return .none }
    return interrupt { .fault($0, .timeout) }
  }

  /// Changes one setting and applies its consequences: `plugged=false` is ``unplug()``.
  public mutating func set(_ key: String, _ value: String) throws(SettingError) -> Interruption {
    try settings.set(key, value)
    return enforceSettings()
  }

  /// Resets every setting to its default; fingers, generation and counted misses stay.
  public mutating func reset() { settings = SensorSettings(profiles: settings.profiles) }

  /// Ends an operation that the settings no longer allow.
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
