import LocalAuthCore
import LocalAuthSensor

/// When somebody who never succeeds can try again, on the machines of the daemon and taking no time themselves.
struct AttemptTimes {
  /// When each attempt can be begun, in seconds.
  let seconds: [Double]

  /// The attempts with a finger that `rules` allow within `time`.
  static func fingers(_ rules: DeviceAttempts.Rules, within time: Duration) -> AttemptTimes {
    AttemptTimes(.biometry(.any), Attacker.zeroEffort, rules, time)
  }

  /// The passcodes that `rules` allow within `time`.
  static func passcodes(_ rules: DeviceAttempts.Rules, within time: Duration) -> AttemptTimes {
    AttemptTimes(.passcode, Attacker.pin, rules, time)
  }

  /// Under a policy that asks for one factor and for nothing else.
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

  /// How many there are.
  var count: Int { seconds.count }

  /// The shortest time from an attempt to the one `steps` after it, from attempt `first` on; nil where
  /// there is none.
  func shortestGap(_ steps: Int, from first: Int = 0) -> Double? {
    guard seconds.count > first + steps else { return nil }
    return (first..<(seconds.count - steps)).map { seconds[$0 + steps] - seconds[$0] }.min()
  }

  /// The most attempts in any span of so many seconds.
  func most(within span: Double) -> Int {
    var (most, first) = (0, 0)
    for index in seconds.indices {
      while seconds[index] - seconds[first] >= span { first += 1 }
      most = max(most, index - first + 1)
    }
    return most
  }
}
