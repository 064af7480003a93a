import LocalAuthCore
import LocalAuthSensor

/// The exact outcome of an attack: the success probability by the time each attempt begins.
public struct AttackSolution: Sendable {
  /// The probability that an attempt begun at or before a time has met the policy.
  public struct Point: Hashable, Sendable {
    /// When the attempt begins.
    public var time: Duration
    /// The success probability with all attempts so far.
    public var success: Double
  }

  /// The success probability over time, with a point for each attempt that may succeed.
  public let curve: [Point]
  /// The number of fingers judged if nothing succeeds.
  public let fingers: UInt32
  /// The number of passcodes judged if nothing succeeds.
  public let guesses: UInt32

  /// The total success probability.
  public var success: Double { curve.last?.success ?? 0 }

  /// Solves `attack` on `plan`.
  ///
  /// All courses of the attack advance together, one attempt at a time; courses in the same state
  /// are merged.
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

  /// Counts the fingers and passcodes that are judged if none succeeds.
  private static func inVain(_ plan: PolicyCase, _ attack: Attack) -> (UInt32, UInt32) {
    var walk = AttackWalk(plan, attack)
    var step = walk.begin(plan)
    while case .attempt(let factor) = step { step = walk.judged(factor, succeeds: false, plan) }
    return (walk.fingers, walk.guesses)
  }
}

/// Attacks in the same state, with their probability for each kind of attacker.
private struct AttackCourse {
  var walk: AttackWalk
  var step: AttackWalk.Step
  /// Whether the attacker knows the passcode.
  var isKnown = false
  /// The number of wrong passcodes guessed.
  var guessed: UInt64 = 0
  var shares: [Double]

  init(_ plan: PolicyCase, _ attack: Attack, shares: [Double]) {
    walk = AttackWalk(plan, attack)
    step = walk.begin(plan)
    self.shares = shares
  }

  /// Makes one attempt, and follows its success and its failure.
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

  /// Merges the course into those in the same state, or records its end.
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
  /// The match rates of a finger, with the share of attacker-target pairs that have each rate.
  ///
  /// Attacker and target each shift a score by a normal amount, so the sum of both shifts is normal
  /// too.
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
