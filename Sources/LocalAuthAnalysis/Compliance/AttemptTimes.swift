import LocalAuthCore

/// When someone who never succeeds can try again, on the daemon's state machines, if attempts
/// themselves take no time.
struct AttemptTimes {
  /// The time at which each attempt can begin, in seconds.
  let seconds: [Double]

  /// The most attempts that are counted; only rules that hardly ever refuse allow as many.
  static let countMax = 100_000

  /// The finger attempts that `rules` allow within `time`.
  static func fingers(_ rules: DeviceAttempts.Rules, within time: Duration) -> AttemptTimes {
    AttemptTimes(.biometry, rules, time)
  }

  /// The passcode attempts that `rules` allow within `time`.
  static func passcodes(_ rules: DeviceAttempts.Rules, within time: Duration) -> AttemptTimes {
    AttemptTimes(.passcode, rules, time)
  }

  /// Tries until time is up or nothing is judged any more, and waits whenever that is asked for.
  private init(_ factor: Factor, _ rules: DeviceAttempts.Rules, _ time: Duration) {
    var attempts = DeviceAttempts()
    var (now, seconds) = (0 as Int64, [] as [Double])
    let end = time.wholeNanoseconds
    loop: while now <= end, seconds.count < Self.countMax {
      switch attempts.charge(factor, under: rules, at: .virtual(now)) {
      case .charged: seconds.append(Double(now) / 1e9)
      case .refused(let left): now += left.wholeNanoseconds
      case .locked: break loop
      }
    }
    self.seconds = seconds
  }

  /// The number of attempts.
  var count: Int { seconds.count }

  /// The shortest time from an attempt to the one `steps` later, starting at attempt `first`; nil
  /// if there are too few attempts.
  func shortestGap(_ steps: Int, from first: Int = 0) -> Double? {
    guard seconds.count > first + steps else { return nil }
    return (first..<(seconds.count - steps)).map { seconds[$0 + steps] - seconds[$0] }.min()
  }

  /// The most attempts in any span of `span` seconds.
  func most(within span: Double) -> Int {
    var (most, first) = (0, 0)
    for index in seconds.indices {
      while seconds[index] - seconds[first] >= span { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }
}
