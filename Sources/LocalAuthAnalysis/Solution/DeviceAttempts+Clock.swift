import LocalAuthCore

extension DeviceAttempts {
  /// Returns the same state on a clock that reads 0 when this one reads `instant`.
  ///
  /// What no rule of `plan` can tell apart becomes the same: old stamps, refusals that have passed, and
  /// failures that are forgotten.
  func seen(from instant: Int64, _ plan: borrowing PolicyCase) -> DeviceAttempts {
    DeviceAttempts(
      lockout: Lockout(tally: lockout.tally.moved(back: instant)),
      throttle: PasscodeThrottle(tally: throttle.tally.moved(back: instant)),
      freshness: freshness.seen(from: instant, memory: plan.policy.freshness.memory)
    ).reduced(under: plan.rules, at: .virtual(0))
  }

  /// The same without refusals that have passed and failures that are forgotten.
  func reduced(under rules: Rules, at now: Moment) -> DeviceAttempts {
    DeviceAttempts(
      lockout: Lockout(tally: lockout.tally.reduced(under: rules.fingerTables, at: now)),
      throttle: PasscodeThrottle(
        tally: throttle.tally.reduced(under: [rules.delays.delays], at: now)
      ),
      freshness: freshness
    )
  }
}

extension DeviceAttempts.Rules {
  /// The tables that count fingers: the device's, and the policy's own if it names one.
  var fingerTables: [DelayTable] {
    [lockout.delays] + (policyLockout.map { [$0.delays] } ?? [])
  }
}

extension Tally {
  fileprivate func moved(back instant: Int64) -> Tally {
    var tally = self
    tally.refusal?.start.nanoseconds -= instant
    return tally
  }

  /// `tables` are those that count it; time clears what all of them forget.
  fileprivate func reduced(under tables: [DelayTable], at now: Moment) -> Tally {
    guard (refusal?.remaining(at: now) ?? .zero) == .zero else { return self }
    if tables.allSatisfy({ failures(under: $0, at: now) == 0 }) { return Tally() }
    // Where nothing is forgotten, only the count is left of a refusal that has passed.
    return tables.allSatisfy { $0.forgets == nil } ? Tally(failures: failures) : self
  }
}

extension Freshness {
  fileprivate func seen(from instant: Int64, memory: Int64) -> Freshness {
    func moved(_ stamp: Stamp) -> Stamp {
      let at = max(stamp.at.nanoseconds - instant, -memory)
      return Stamp(at: BootInstant(nanoseconds: at), boot: stamp.boot)
    }
    // A match that lifts no limit any more is as good as none.
    let match = match.map(moved).flatMap { $0.at.nanoseconds > -memory ? $0 : nil }
    return Freshness(passcode: passcode.map(moved), match: match)
  }
}

extension FreshnessRules {
  /// The age in nanoseconds from which no rule can tell two stamps apart; 0 if there is no rule.
  var memory: Int64 {
    let longest = [anyWithin, passcodeWithin, unlessMatchedWithin].compactMap(\.self).max()
    return longest.map { $0.wholeNanoseconds + 1 } ?? 0
  }
}
