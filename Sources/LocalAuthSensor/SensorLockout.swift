public import LocalAuthCore

/// The sensor's own lockout, modelled on Android's virtual sensor; off by default.
///
/// As there, the count is not cleared when a timed lock expires: from the threshold on, every
/// further miss locks again. A match or the passcode clears it. It is part of the simulation and
/// lives as long as the sensor; the device's own lockout is separate and durable.
struct SensorLockout: Hashable, Sendable {
  private(set) var misses = 0
  private var refusal: RefusalPeriod?

  func standing(_ settings: SensorSettings, at now: Moment) -> Standing {
    if settings.isLockedOut { return .locked }
    if settings.locksOut && misses >= settings.permanentLockoutMisses { return .locked }
    if let remaining = refusal?.remaining(at: now), remaining > .zero { return .refused(remaining) }
    guard settings.locksOut else { return .open(attemptsLeft: nil) }
    return .open(attemptsLeft: UInt32(clamping: settings.permanentLockoutMisses - misses))
  }

  mutating func missed(_ settings: SensorSettings, at now: Moment) {
    guard settings.locksOut else {
      misses = 0
      return
    }
    misses += misses < .max ? 1 : 0
    if misses >= settings.timedLockoutMisses { refuse(for: settings.timedLockout, at: now) }
  }

  mutating func refuse(for length: Duration, at now: Moment) {
    refusal = RefusalPeriod(length: length, start: now.boot, boot: now.bootID)
  }

  mutating func clear() { self = SensorLockout() }
}

extension SimulatedSensor {
  /// The state of the sensor's own lockout at `now`.
  public func standing(at now: Moment) -> Standing { lockout.standing(settings, at: now) }

  /// Returns why no operation can begin; nil if one can.
  func obstacle(at now: Moment) -> Readiness? {
    guard settings.isPlugged else { return .refused(.removed) }
    guard state == .idle, !settings.isBusy else { return .refused(.busy) }
    guard let retryAfter = lock(at: now) else { return nil }
    return .lockedOut(retryAfter: retryAfter)
  }

  /// Returns how long the sensor is locked; nil if it is not, and an inner nil until the passcode.
  func lock(at now: Moment) -> Duration?? {
    switch standing(at: now) {
    case .open: .none
    case .refused(let remaining): .some(remaining)
    case .locked: .some(nil)
    }
  }
}
