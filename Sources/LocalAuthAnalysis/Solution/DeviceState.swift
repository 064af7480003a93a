import LocalAuthCore

/// What one login leaves to the next: the counters and stamps of a device, on a clock whose zero moves along.
struct DeviceState: Hashable {
  var lockout: Tally
  var throttle: Tally
  var freshness: Freshness

  init(_ record: DeviceRecord) {
    lockout = record.lockout
    throttle = record.throttle
    freshness = record.freshness
  }

  /// Makes `record` one of this state.
  func apply(to record: inout DeviceRecord) {
    record.lockout = lockout
    record.throttle = throttle
    record.freshness = freshness
  }

  /// The same state on a clock that reads 0 where this one reads `instant`.
  ///
  /// Stamps older than `memory`, which no rule tells apart, are made equally old.
  func seen(from instant: Int64, memory: Int64) -> DeviceState {
    var state = self
    state.lockout.move(back: instant)
    state.throttle.move(back: instant)
    state.freshness = freshness.seen(from: instant, memory: memory)
    return state
  }
}

extension Tally {
  fileprivate mutating func move(back instant: Int64) {
    guard failures > 0 else {
      self = Tally()
      return
    }
    refusal?.start.nanoseconds -= instant
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
  /// The age from which on no rule tells two stamps apart, in nanoseconds; 0 where there is no rule.
  var memory: Int64 {
    let longest = [anyWithin, passcodeWithin, unlessMatchedWithin].compactMap(\.self).max()
    return longest.map { $0.wholeNanoseconds + 1 } ?? 0
  }
}
