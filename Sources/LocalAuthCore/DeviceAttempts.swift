/// The state of a device that attempts change: counts that are durable before anything is judged.
///
/// The daemon, the simulator and the prover share this code. What the simulator calls a thousand
/// million times is inlinable, here and in ``DeviceFacts``, because a call across modules copies
/// every large value.
public struct DeviceAttempts: Hashable, Sendable {
  /// Misses in a row.
  public var lockout: Lockout
  /// Wrong passcodes in a row.
  public var throttle: PasscodeThrottle
  /// When passcode and finger were last used.
  public var freshness: Freshness

  /// The state of a device that nobody has tried, by default.
  public init(
    lockout: Lockout = Lockout(),
    throttle: PasscodeThrottle = PasscodeThrottle(),
    freshness: Freshness = Freshness()
  ) {
    self.lockout = lockout
    self.throttle = throttle
    self.freshness = freshness
  }

  /// The rules that attempts are counted by.
  public struct Rules: Hashable, Sendable {
    /// The device's lockout profile.
    public var lockout: LockoutProfile
    /// The lockout profile that a policy names in addition, or nil; the stricter of both applies.
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

    /// Whether time makes the count of attempts at `factor` forget failures.
    func areForgetful(of factor: Factor) -> Bool {
      switch factor {
      case .biometry, .possession, .companion: lockout.delays.isForgetful
      case .passcode, .applicationPassword: delays.delays.isForgetful
      }
    }

    /// Whether either profile refuses a finger while no passcode is set.
    @usableFromInline var needsPasscode: Bool {
      lockout.needsPasscode || policyLockout?.needsPasscode ?? false
    }
  }

  /// Counts an attempt as failed; it may be judged once the charge is durable.
  @inlinable
  public mutating func charge(
    _ factor: Factor,
    under rules: Rules,
    at now: Moment
  ) -> Tally.Charge {
    switch factor {
    case .biometry: lockout.charge(under: rules.lockout, and: rules.policyLockout, at: now)
    case .passcode: throttle.charge(under: rules.delays, at: now)
    // These factors have counts of their own; see ``OtherAttempts``.
    case .applicationPassword, .companion, .possession: .locked
    }
  }

  /// Applies what a verdict changes; a miss was charged already and changes nothing.
  ///
  /// `wasSubmitted` says whether there was anything to judge; if not, an unjudged passcode is
  /// refunded.
  @inlinable
  public mutating func settle(
    _ factor: Factor,
    _ verdict: Verdict,
    wasSubmitted: Bool,
    under rules: Rules,
    at now: Moment
  ) {
    switch (factor, verdict) {
    case (.biometry, .proven):
      lockout.matched()
      freshness.matched(at: now)
    case (.passcode, .proven): passcodeProven(at: now)
    case (.passcode, .unjudged) where !wasSubmitted:
      throttle.refunded(under: rules.delays)
    case (.biometry, .miss), (.biometry, .unjudged), (.passcode, .miss), (.passcode, .unjudged),
      (.applicationPassword, _), (.companion, _), (.possession, _):
      break
    }
  }

  /// The passcode was proven or newly set, which ends throttle and lockout.
  public mutating func passcodeProven(at now: Moment) {
    throttle.proven()
    lockout.passcodeProven()
    freshness.passcodeUsed(at: now)
  }

  /// Restarts refusals from an earlier boot; true if that must be made durable.
  public mutating func booted(at now: Moment) -> Bool {
    let isLockoutRebased = lockout.booted(at: now)
    let isThrottleRebased = throttle.booted(at: now)
    return isLockoutRebased || isThrottleRebased
  }

  /// Whether another touch may be judged.
  public func fingers(under rules: Rules, at now: Moment) -> Standing {
    lockout.standing(under: rules.lockout, and: rules.policyLockout, at: now)
  }

  /// Whether only the passcode makes fingers usable again.
  public func isLockedOut(under rules: Rules) -> Bool {
    lockout.isLocked(under: rules.lockout, and: nil)
  }
}

extension Tally.Charge {
  /// The outcome of a request for `factor` that was not charged; nil if it was.
  public func refusal(of factor: Factor) -> Outcome? {
    switch (self, factor) {
    case (.charged, _): nil
    case (.refused(let remaining), .biometry): Outcome(.biometryLockout, retryAfter: remaining)
    case (.refused(let remaining), .passcode), (.refused(let remaining), .applicationPassword):
      Outcome(.passcodeThrottled, retryAfter: remaining)
    case (.refused(let remaining), .possession):
      Outcome(.authenticatorLockout, retryAfter: remaining)
    case (.locked, .biometry): Outcome(.biometryLockout)
    case (.locked, .possession): Outcome(.authenticatorLockout)
    case (.locked, .passcode), (.locked, .applicationPassword): Outcome(.passcodeThrottled)
    // A companion is never charged.
    case (.refused, .companion), (.locked, .companion): Outcome(.internalError)
    }
  }
}
