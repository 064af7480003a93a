/// What is connected where a device's sensor should be.
public enum SensorPresence: Hashable, Sendable {
  /// The device has no sensor.
  case absent
  /// It has one, which is unplugged.
  case unplugged
  /// It has one that works, of this strength.
  case ready(SensorStrength)
}

/// Everything that decides whether fingers and passcode of a device can be used at a moment.
public struct DeviceFacts: Sendable {
  /// What is durable of the device.
  public var record: DeviceRecord
  /// What is connected.
  public var sensor: SensorPresence
  /// The device's lockout profile.
  public var profile: LockoutProfile
  /// The device's passcode delays.
  public var delays: PasscodeDelays
  /// Whether the durable state cannot be trusted, so that the passcode comes first.
  public var isDistrusted: Bool

  /// The facts.
  public init(
    record: DeviceRecord,
    sensor: SensorPresence,
    profile: LockoutProfile,
    delays: PasscodeDelays,
    isDistrusted: Bool
  ) {
    self.record = record
    self.sensor = sensor
    self.profile = profile
    self.delays = delays
    self.isDistrusted = isDistrusted
  }

  /// The conditions for an evaluation of `policy`, whose own lockout profile, where it names one,
  /// is `policyProfile`.
  ///
  /// A finger is refused for the first reason of Apple's order: no sensor, none enrolled, locked
  /// out, passcode needed first, and last that no passcode is set where the profile wants one.
  public func conditions(
    for policy: Policy,
    policyProfile: LockoutProfile? = nil,
    at now: Moment
  ) -> Conditions {
    Conditions(
      biometry: biometry(for: policy, policyProfile, at: now),
      passcode: passcode(at: now)
    )
  }

  /// Misses left before the lock, under the stricter of both profiles; nil without a lock.
  public func touchesLeft(policyProfile: LockoutProfile? = nil, at now: Moment) -> UInt32? {
    switch Lockout(tally: record.lockout).standing(under: profile, and: policyProfile, at: now) {
    case .open(let attemptsLeft): attemptsLeft
    case .refused, .locked: 0
    }
  }

  /// Wrong passcodes left before the lock; nil without a lock.
  public func passcodesLeft(at now: Moment) -> UInt32? {
    switch PasscodeThrottle(tally: record.throttle).standing(under: delays, at: now) {
    case .open(let attemptsLeft): attemptsLeft
    case .refused, .locked: 0
    }
  }

  /// Whether a passcode may be judged at `now`.
  public func passcode(at now: Moment) -> PasscodeCondition {
    guard record.passcode != .none else { return .notSet }
    switch PasscodeThrottle(tally: record.throttle).standing(under: delays, at: now) {
    case .open: return .usable
    case .refused(let remaining): return .throttled(retryAfter: remaining)
    case .locked: return .throttled(retryAfter: nil)
    }
  }

  private func biometry(
    for policy: Policy,
    _ policyProfile: LockoutProfile?,
    at now: Moment
  ) -> BiometryCondition {
    switch sensor {
    case .absent: return .notAvailable
    case .unplugged: return .disconnected
    case .ready(let strength):
      guard strength >= policy.minimumStrength else { return .notAvailable }
    }
    guard !record.enrolment.fingers.isEmpty else { return .notEnrolled }
    if let lock = lock(policyProfile, at: now) { return lock }
    if needsPasscode(under: policy.freshness, at: now) { return .passcodeRequired }
    guard record.passcode != .none || !profile.needsPasscode else { return .needsPasscodeSet }
    return .usable
  }

  private func lock(_ policyProfile: LockoutProfile?, at now: Moment) -> BiometryCondition? {
    switch Lockout(tally: record.lockout).standing(under: profile, and: policyProfile, at: now) {
    case .locked: .lockedOut(retryAfter: nil)
    case .refused(let remaining): .lockedOut(retryAfter: remaining)
    case .open: nil
    }
  }

  /// Without a passcode there is nothing to be fresh; distrust still holds until one is set.
  private func needsPasscode(under rules: FreshnessRules, at now: Moment) -> Bool {
    isDistrusted
      || record.passcode != .none && record.freshness.needsPasscode(under: rules, at: now)
  }
}
