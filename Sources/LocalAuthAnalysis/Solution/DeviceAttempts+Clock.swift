import LocalAuthCore

extension DeviceAttempts {
  /// Returns the same state on a clock that reads 0 when this one reads `instant`.
  ///
  /// Stamps older than `memory`, which no rule can tell apart, become equally old.
  func seen(from instant: Int64, memory: Int64) -> DeviceAttempts {
    DeviceAttempts(
      lockout: Lockout(tally: lockout.tally.moved(back: instant)),
      throttle: PasscodeThrottle(tally: throttle.tally.moved(back: instant)),
      freshness: freshness.seen(from: instant, memory: memory)
    )
  }
}

extension Tally {
  fileprivate func moved(back instant: Int64) -> Tally {
    guard failures > 0 else { return Tally() }
    var tally = self
    tally.refusal?.start.nanoseconds -= instant
    return tally
  }
}

extension Freshness {
  fileprivate func seen(from instant: Int64, memory: Int64) -> Freshness {
    func moved(_ stamp: Stamp?) -> Stamp? {
      stamp.map { stamp in
        let at = max(stamp.at.nanoseconds - instant, -memory)
        return Stamp(at: BootInstant(nanoseconds: at), boot: stamp.boot)
      }
    }
    return Freshness(passcode: moved(passcode), match: moved(match))
  }
}

extension FreshnessRules {
  /// The age in nanoseconds from which no rule can tell two stamps apart; 0 if there is no rule.
  var memory: Int64 {
    let longest = [anyWithin, passcodeWithin, unlessMatchedWithin].compactMap(\.self).max()
    return longest.map { $0.wholeNanoseconds + 1 } ?? 0
  }
}
