/// The state of a device's sensor.
public enum SensorPresence: Hashable, Sendable {
  /// The device has no sensor.
  case absent
  /// The device has a sensor, which is unplugged.
  case unplugged
  /// The device has a sensor that cannot be asked now.
  case hindered(SensorHindrance)
  /// The device has a working sensor of this strength.
  case ready(SensorStrength)
}

/// Why a sensor that is there cannot be asked.
public enum SensorHindrance: Hashable, Sendable {
  /// Somebody else uses it.
  case busy
  /// The machine sleeps.
  case suspended
  /// The lid above it is closed.
  case lidClosed
  /// Whoever asks is not at this machine.
  case remote

  /// The reason, one sentence for the person.
  public var sentence: String {
    switch self {
    case .busy: "Somebody else uses the fingerprint reader."
    case .suspended: "The machine is asleep."
    case .lidClosed: "The lid is closed."
    case .remote: "A finger counts only for who sits at this machine."
    }
  }
}

/// The facts that decide whether a device's fingers and passcode can be used.
public struct DeviceFacts: Hashable, Sendable {
  /// The counts and times of attempts.
  public var attempts: DeviceAttempts
  /// The state of the sensor.
  public var sensor: SensorPresence
  /// Whether a finger is enrolled.
  public var hasFinger: Bool
  /// Whether a passcode is set.
  public var hasPasscode: Bool
  /// Whether the durable state is untrusted, so that the passcode comes first.
  public var isDistrusted: Bool

  /// The facts of the device with this `record`.
  public init(_ record: DeviceRecord, sensor: SensorPresence, isDistrusted: Bool) {
    attempts = record.attempts
    hasFinger = !record.enrolment.fingers.isEmpty
    hasPasscode = record.passcode != .none
    self.sensor = sensor
    self.isDistrusted = isDistrusted
  }

  /// The conditions for an evaluation of `policy`.
  ///
  /// A finger is refused for the first reason in Apple's order: no sensor, none enrolled, locked
  /// out, passcode needed first, and last, no passcode set although the profile requires one.
  @inlinable
  @inline(__always)
  public func conditions(
    for policy: Policy,
    under rules: DeviceAttempts.Rules,
    at now: Moment
  ) -> Conditions {
    Conditions(
      biometry: biometry(for: policy, under: rules, at: now),
      passcode: passcode(under: rules.delays, at: now)
    )
  }

  /// Misses left before the lock, under the stricter of both profiles; nil without a lock.
  public func attemptsLeft(under rules: DeviceAttempts.Rules, at now: Moment) -> UInt32? {
    switch attempts.fingers(under: rules, at: now) {
    case .open(let attemptsLeft): attemptsLeft
    case .refused, .locked: 0
    }
  }

  /// Wrong passcodes left before the lock, even while passcodes are refused; nil without a lock.
  public func passcodesLeft(under delays: PasscodeDelays, at now: Moment) -> UInt32? {
    switch attempts.throttle.standing(under: delays, at: now) {
    case .open(let attemptsLeft): attemptsLeft
    case .refused: delays.delays.locksAt.map { $0 - min($0, attempts.throttle.tally.failures) }
    case .locked: 0
    }
  }

  /// Whether a passcode may be judged at `now`.
  @inlinable
  @inline(__always)
  public func passcode(under delays: PasscodeDelays, at now: Moment) -> PasscodeCondition {
    guard hasPasscode else { return .notSet }
    let tally = attempts.throttle.tally
    if delays.delays.isLocked(after: tally.failures) { return .throttled(retryAfter: nil) }
    guard let left = tally.nanosecondsLeft(at: now) else { return .usable }
    return .throttled(retryAfter: Duration(wholeNanoseconds: left))
  }

  @inlinable
  @inline(__always)
  func biometry(
    for policy: Policy,
    under rules: DeviceAttempts.Rules,
    at now: Moment
  ) -> BiometryCondition {
    switch sensor {
    case .absent: return .notAvailable
    case .unplugged: return .disconnected
    case .hindered(let hindrance): return .hindered(hindrance)
    case .ready(let strength):
      guard strength >= policy.minimumStrength else { return .notAvailable }
    }
    guard hasFinger else { return .notEnrolled }
    // The same as `standing`, but in integers, as in `Lockout.charge`.
    if attempts.lockout.isLocked(under: rules.lockout, and: rules.policyLockout) {
      return .lockedOut(retryAfter: nil)
    }
    if let left = attempts.lockout.tally.nanosecondsLeft(at: now) {
      return .lockedOut(retryAfter: Duration(wholeNanoseconds: left))
    }
    if needsPasscode(under: policy.freshness, at: now) { return .passcodeRequired }
    guard hasPasscode || !rules.needsPasscode else { return .needsPasscodeSet }
    return .usable
  }

  /// Whether the passcode comes first; without one there is no freshness to check, but distrust
  /// holds until one is set.
  @inlinable
  @inline(__always)
  func needsPasscode(under rules: FreshnessRules, at now: Moment) -> Bool {
    isDistrusted || hasPasscode && attempts.freshness.needsPasscode(under: rules, at: now)
  }
}
