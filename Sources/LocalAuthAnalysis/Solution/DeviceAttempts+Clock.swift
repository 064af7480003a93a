import LocalAuthCore

extension DeviceAttempts {
  /// Returns the same state on a clock that reads 0 when this one reads `instant`.
  ///
  /// What no rule of `plan` can tell apart becomes the same: old stamps, refusals that have passed, and
  /// failures that are forgotten.
  func seen(from instant: Int64, _ plan: borrowing PolicyCase) -> DeviceAttempts {
    let (rules, memory) = (plan.rules, plan.policy.freshness.memory)
    return DeviceAttempts(
      lockout: Lockout(
        tally: lockout.tally.seen(
          from: instant,
          [rules.lockout.delays, rules.policyLockout?.delays].compactMap(\.self)
        )
      ),
      throttle: PasscodeThrottle(tally: throttle.tally.seen(from: instant, [rules.delays.delays])),
      freshness: freshness.seen(from: instant, memory: memory)
    )
  }
}

extension Tally {
  /// `tables` are those that count it; time clears what all of them forget.
  fileprivate func seen(from instant: Int64, _ tables: [DelayTable]) -> Tally {
    var tally = self
    tally.refusal?.start.nanoseconds -= instant
    let now = Moment.virtual(0)
    guard (tally.refusal?.remaining(at: now) ?? .zero) == .zero else { return tally }
    if tables.allSatisfy({ tally.failures(under: $0, at: now) == 0 }) { return Tally() }
    // Where nothing is forgotten, only the count is left of a refusal that has passed.
    if tables.allSatisfy({ $0.forgets == nil }) { tally.refusal = nil }
    return tally
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
