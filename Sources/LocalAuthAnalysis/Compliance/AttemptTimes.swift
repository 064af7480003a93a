import LocalAuthCore
import LocalAuthSensor

/// When someone who never succeeds can try again, on the daemon's state machines, if attempts
/// themselves take no time.
struct AttemptTimes {
  /// The time at which each attempt can begin, in seconds.
  let seconds: [Double]

  /// The finger attempts that `rules` allow within `time`.
  static func fingers(_ rules: DeviceAttempts.Rules, within time: Duration) -> AttemptTimes {
    AttemptTimes(.biometry(.any), Attacker.zeroEffort, rules, time)
  }

  /// The passcode attempts that `rules` allow within `time`.
  static func passcodes(_ rules: DeviceAttempts.Rules, within time: Duration) -> AttemptTimes {
    AttemptTimes(.passcode, Attacker.pin, rules, time)
  }

  /// Runs the attempts under a policy that requires a single factor.
  private init(
    _ requirement: Requirement,
    _ attacker: Attacker,
    _ rules: DeviceAttempts.Rules,
    _ time: Duration
  ) {
    let policy = Policy(name: "one-factor", requirement: requirement)
    let plan = PolicyCase(policy: policy, rules: rules, sensor: SensorModel.standard)
    var attack = Attack(attacker, time: time)
    (attack.presenting, attack.typing) = (.zero, .zero)
    var walk = AttackWalk(plan, attack)
    var step = walk.begin(plan)
    var seconds: [Double] = []
    while case .attempt(let factor) = step {
      seconds.append(Double(walk.now) / 1e9)
      step = walk.judged(factor, succeeds: false, plan)
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
