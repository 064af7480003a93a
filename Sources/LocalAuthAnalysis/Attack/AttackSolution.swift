import LocalAuthCore
import LocalAuthSensor

/// How an attack ends, exactly: the chance of success by the time that each attempt is begun.
public struct AttackSolution: Sendable {
  /// That the policy has been met by an attempt begun at this time or before.
  public struct Point: Hashable, Sendable {
    /// When the attempt is begun.
    public var time: Duration
    /// The chance of success with all attempts so far.
    public var success: Double
  }

  /// The chance of success over time, a point an attempt that may succeed.
  public let curve: [Point]
  /// The fingers that are judged when nothing succeeds.
  public let fingers: UInt32
  /// The passcodes that are judged when nothing succeeds.
  public let guesses: UInt32

  /// The chance of success in all.
  public var success: Double { curve.last?.success ?? 0 }

  /// Solves `attack` on `plan`: all courses of it at once, attempt after attempt, where those that meet in one
  /// state go on as one.
  public init(_ plan: PolicyCase, _ attack: Attack) {
    let rates = attack.rates(plan)
    var crowd: [AttackWalk.State: AttackCourse] = [:]
    let start = AttackCourse(plan, attack, shares: rates.map(\.share))
    var successes: [Int64: Double] = [:]
    start.join(&crowd, 0, &successes)
    while !crowd.isEmpty {
      var next: [AttackWalk.State: AttackCourse] = [:]
      for course in crowd.values {
        course.attempt(plan, attack, rates.map(\.match), &next, &successes)
      }
      crowd = next
    }
    var total = 0.0
    curve = successes.sorted { $0.key < $1.key }.map { time, success in
      total += success
      return Point(time: .nanoseconds(time), success: total)
    }
    (fingers, guesses) = Self.inVain(plan, attack)
  }

  /// How many fingers and passcodes are judged when none of them succeeds.
  private static func inVain(_ plan: PolicyCase, _ attack: Attack) -> (UInt32, UInt32) {
    var walk = AttackWalk(plan, attack)
    var step = walk.begin(plan)
    while case .attempt(let factor) = step { step = walk.judged(factor, succeeds: false, plan) }
    return (walk.fingers, walk.guesses)
  }
}

/// Attacks that have come to the same state, and how likely that is, for each kind of attacker.
private struct AttackCourse {
  var walk: AttackWalk
  var step: AttackWalk.Step
  /// Whether the passcode is known.
  var isKnown = false
  /// Passcodes that were guessed in vain.
  var guessed: UInt64 = 0
  var shares: [Double]

  init(_ plan: PolicyCase, _ attack: Attack, shares: [Double]) {
    walk = AttackWalk(plan, attack)
    step = walk.begin(plan)
    self.shares = shares
  }

  /// Tries once: what succeeds is noted with the time that the attempt began at, the rest goes on.
  func attempt(
    _ plan: PolicyCase,
    _ attack: Attack,
    _ matches: [Double],
    _ next: inout [AttackWalk.State: AttackCourse],
    _ successes: inout [Int64: Double]
  ) {
    guard case .attempt(let factor) = step else { return }
    let guess = isKnown ? 1 : 1 / Double(attack.secrets - guessed)
    let chances = factor == .biometry ? matches : matches.map { _ in guess }
    for succeeds in [true, false] {
      var course = self
      course.shares = zip(shares, chances).map { $0 * (succeeds ? $1 : 1 - $1) }
      guard course.shares.contains(where: { $0 > 0 }) else { continue }
      if factor == .passcode, succeeds { course.isKnown = true }
      if factor == .passcode, !succeeds { course.guessed += 1 }
      course.step = course.walk.judged(factor, succeeds: succeeds, plan)
      course.join(&next, walk.now, &successes)
    }
  }

  /// Joins those who have come to the same state, or ends.
  func join(
    _ crowd: inout [AttackWalk.State: AttackCourse],
    _ began: Int64,
    _ successes: inout [Int64: Double]
  ) {
    switch step {
    case .succeeded: successes[began, default: 0] += shares.reduce(0, +)
    case .stopped: break
    case .attempt:
      var joined = self
      if let there = crowd[walk.state] {
        joined.shares = zip(shares, there.shares).map { $0 + $1 }
      }
      crowd[walk.state] = joined
    }
  }
}

extension Attack {
  /// How often a finger matches, by kinds of pairs of attacker and target and how many of all pairs they are.
  ///
  /// Attacker and target move a score by normal amounts, whose sum is normal too.
  func rates(_ plan: PolicyCase) -> [(share: Double, match: Double)] {
    if case .presentation(let species) = attacker { return [(1, species.iapar)] }
    let impostors = plan.sensor.impostors
    let isChosen = attacker == .targeted
    let lamb = isChosen ? impostors.lamb(percentile: Self.mostEasilyTaken) : 0
    let spread = (impostors.wolfShare + (isChosen ? 0 : impostors.lambShare)).squareRoot()
    return Quadrature.normal(scale: spread > 0 ? 0.125 : nil).map { pair, share in
      let match = impostors.falseMatch(plan.sensor.scores, wolf: spread * pair, lamb: lamb)
      return (share, Chance.any(of: UInt64(plan.prints), each: match))
    }
  }
}
