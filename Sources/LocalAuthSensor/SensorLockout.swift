public import LocalAuthCore

/// The lockout of the sensor itself, after Android's virtual sensor; off unless set.
///
/// Like there, the count is not cleared when a timed lock runs out: from the threshold on every
/// further miss locks again. A match and the passcode clear it. It is part of the simulation and
/// lives as long as the sensor; the device's own lockout, which is durable, is another one.
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
  /// Whether its own lockout lets another finger be judged at `now`.
  public func standing(at now: Moment) -> Standing { lockout.standing(settings, at: now) }

  /// Why no operation can begin.
  func obstacle(at now: Moment) -> Readiness? {
    guard settings.isPlugged else { return .refused(.removed) }
    guard state == .idle, !settings.isBusy else { return .refused(.busy) }
    guard let retryAfter = lock(at: now) else { return nil }
    return .lockedOut(retryAfter: retryAfter)
  }

  /// How long the sensor is locked: nil when it is not, a nil inside until the passcode.
  func lock(at now: Moment) -> Duration?? {
    switch standing(at: now) {
    case .open: .none
    case .refused(let remaining): .some(remaining)
    case .locked: .some(nil)
    }
  }
}
