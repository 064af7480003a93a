/// What attempts change of a device: the counters that are durable before anything is judged.
///
/// The daemon, the simulator and the prover all count by this code.
extension DeviceRecord {
  /// The rules that attempts are counted by.
  public struct Rules: Hashable, Sendable {
    /// The device's lockout profile.
    public var lockout: LockoutProfile
    /// The lockout profile that a policy names besides it, or nil; the stricter of both holds.
    public var policyLockout: LockoutProfile?
    /// The device's passcode delays.
    public var delays: PasscodeDelays

    /// The rules.
    public init(
      lockout: LockoutProfile,
      and policyLockout: LockoutProfile? = nil,
      delays: PasscodeDelays
    ) {
      self.lockout = lockout
      self.policyLockout = policyLockout
      self.delays = delays
    }
  }

  /// Counts an attempt as failed; nil when it may be judged, once that is durable.
  public mutating func charge(
    _ factor: Factor,
    under rules: Rules,
    at now: Moment
  ) -> Outcome? {
    switch factor {
    case .biometry:
      var machine = Lockout(tally: lockout)
      let charge = machine.charge(under: rules.lockout, and: rules.policyLockout, at: now)
      lockout = machine.tally
      return Self.refusal(charge, .biometryLockout)
    case .passcode:
      var machine = PasscodeThrottle(tally: throttle)
      let charge = machine.charge(under: rules.delays, at: now)
      throttle = machine.tally
      return Self.refusal(charge, .passcodeThrottled)
    case .applicationPassword, .companion: return Outcome(.internalError)
    }
  }

  private static func refusal(_ charge: Tally.Charge, _ code: OutcomeCode) -> Outcome? {
    switch charge {
    case .charged: nil
    case .refused(let remaining): Outcome(code, retryAfter: remaining)
    case .locked: Outcome(code)
    }
  }

  /// Applies what a verdict changes; a miss changes nothing, for it was charged already.
  ///
  /// `wasSubmitted` says whether there was anything to judge: an attempt without is given back.
  public mutating func settle(
    _ factor: Factor,
    _ verdict: Verdict,
    wasSubmitted: Bool,
    under rules: Rules,
    at now: Moment
  ) {
    switch (factor, verdict) {
    case (.biometry, .proven):
      var machine = Lockout(tally: lockout)
      machine.matched()
      lockout = machine.tally
      freshness.matched(at: now)
    case (.passcode, .proven): passcodeProven(at: now)
    case (.passcode, .unjudged) where !wasSubmitted:
      var machine = PasscodeThrottle(tally: throttle)
      machine.refunded(under: rules.delays)
      throttle = machine.tally
    case (.biometry, .miss), (.biometry, .unjudged), (.passcode, .miss), (.passcode, .unjudged),
      (.applicationPassword, _), (.companion, _):
      break
    }
  }

  /// The passcode was proven or newly set: throttle and lockout end.
  public mutating func passcodeProven(at now: Moment) {
    var passcodes = PasscodeThrottle(tally: throttle)
    passcodes.proven()
    throttle = passcodes.tally
    var fingers = Lockout(tally: lockout)
    fingers.passcodeProven()
    lockout = fingers.tally
    freshness.passcodeUsed(at: now)
  }

  /// Starts refusals from an earlier boot over; true when that must be made durable.
  public mutating func booted(at now: Moment) -> Bool {
    var fingers = Lockout(tally: lockout)
    var passcodes = PasscodeThrottle(tally: throttle)
    let isLockoutRebased = fingers.booted(at: now)
    let isThrottleRebased = passcodes.booted(at: now)
    lockout = fingers.tally
    throttle = passcodes.tally
    return isLockoutRebased || isThrottleRebased
  }

  /// Whether only the passcode brings fingers back.
  public func isLockedOut(under rules: Rules, at now: Moment) -> Bool {
    Lockout(tally: lockout).standing(under: rules.lockout, at: now) == .locked
  }
}
