/// Attempts from every origin, each charged to its own count.
extension DeviceRecord {
  /// Whether another guess of this kind may be judged.
  public func standing(
    of guess: Guess,
    under rules: DeviceAttempts.Rules,
    at now: Moment
  ) -> Standing {
    switch guess {
    case .touch(let origin):
      attempts(from: origin, under: rules, at: now).fingers(under: rules, at: now)
    case .passcode(let origin):
      attempts(from: origin, under: rules, at: now).throttle.standing(under: rules.delays, at: now)
    case .possession:
      others.possession.standing(under: rules.lockout, and: rules.policyLockout, at: now)
    case .keybag: others.keybag.standing(under: rules.delays, at: now)
    case .item(let item): others.items[item].standing(under: rules.delays, at: now)
    }
  }

  /// The counts that apply to `origin`: the owner's own, or the strictest that others are refused
  /// by.
  ///
  /// A passcode that is locked for the owner is locked for everyone, and a refusal of the finger
  /// applies to everyone too.
  public func attempts(
    from origin: Origin,
    under rules: DeviceAttempts.Rules,
    at now: Moment
  ) -> DeviceAttempts {
    guard origin != .owner else { return attempts }
    var met = attempts
    let fingers = attempts.fingers(under: rules, at: now)
    let theirs = others.touches.standing(under: rules.lockout, and: rules.policyLockout, at: now)
    if fingers != fingers.stricter(theirs) { met.lockout = others.touches }
    if attempts.throttle.standing(under: rules.delays, at: now) != .locked {
      met.throttle = others.passcodes(
        from: origin,
        of: identity.owner,
        under: rules.delays,
        at: now
      )
    }
    return met
  }

  /// Counts a guess as wrong; it may be judged once the charge is durable.
  public mutating func charge(
    _ guess: Guess,
    under rules: DeviceAttempts.Rules,
    at now: Moment,
    beside held: Set<UInt128> = []
  ) -> Tally.Charge {
    switch standing(of: guess, under: rules, at: now) {
    case .locked: return .locked
    case .refused(let remaining): return .refused(for: remaining)
    case .open: break
    }
    switch guess {
    case .touch(.owner), .passcode(.owner):
      return attempts.charge(guess.factor, under: rules, at: now)
    case .touch, .passcode, .possession, .keybag, .item:
      return others.charge(guess, on: identity.owner, under: rules, at: now, beside: held)
    }
  }

  /// Gives back what `refund` says of a charge of `guess`, for which nothing was judged.
  public mutating func refund(
    _ guess: Guess,
    _ refund: Tally.Refund,
    under rules: DeviceAttempts.Rules
  ) {
    switch guess {
    case .touch(.owner): attempts.lockout.refunded(refund, under: rules.lockout)
    case .passcode(.owner): attempts.throttle.refunded(refund, under: rules.delays)
    case .touch, .passcode, .possession, .keybag, .item:
      others.refund(guess, refund, on: identity.owner, under: rules)
    }
  }

  /// Applies what a verdict changes; a miss was charged already and changes nothing.
  ///
  /// `refund` says what of the charge can be given back, as far as nobody else was charged since.
  public mutating func settle(
    _ guess: Guess,
    _ verdict: Verdict,
    refunding refund: Tally.Refund,
    under rules: DeviceAttempts.Rules,
    at now: Moment,
    beside held: Set<UInt128> = []
  ) {
    switch (guess, verdict) {
    case (_, .miss): break
    case (_, .unjudged): self.refund(guess, refund, under: rules)
    case (.touch, .proven):
      attempts.settle(.biometry, verdict, wasSubmitted: true, under: rules, at: now)
      others.proven(guess, refund, on: identity.owner, under: rules, beside: held)
    case (.passcode(let origin), .proven):
      attempts.passcodeProven(at: now)
      if origin == .owner {
        others.ownerProven()
      } else {
        others.proven(guess, refund, on: identity.owner, under: rules, beside: held)
      }
    case (.possession, .proven), (.keybag, .proven), (.item, .proven):
      others.proven(guess, refund, on: identity.owner, under: rules, beside: held)
    }
  }

  /// The owner set a new passcode, which clears what was counted against the old one.
  public mutating func passcodeWasSet(at now: Moment) {
    attempts.passcodeProven(at: now)
    others.ownerProven()
  }

  /// Restarts refusals from an earlier boot; true if that must be made durable.
  public mutating func booted(at now: Moment) -> Bool {
    let isRebased = attempts.booted(at: now)
    return others.booted(at: now) || isRebased
  }

  /// Postpones the end of passcode refusals by `duration`, so that advancing a clock shortens none.
  public mutating func postponePasscodes(by duration: Duration) {
    attempts.throttle.postpone(by: duration)
    others.postpone(by: duration)
  }
}
