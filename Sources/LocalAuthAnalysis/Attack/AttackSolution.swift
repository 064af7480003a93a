import LocalAuthCore
import LocalAuthSensor

/// The outcome of an attack whose moves are made in the best order: the success probability by the
/// time each deciding attempt begins.
public struct AttackSolution: Sendable {
  /// The probability that an attempt begun at or before a time has decided the attack.
  public struct Point: Hashable, Sendable {
    /// When the attempt begins.
    public var time: Duration
    /// The success probability with all attempts so far.
    public var success: Double
  }

  /// The success probability over time, with a point for each attempt that may succeed.
  ///
  /// A right passcode that leads in for certain counts from its own attempt on.
  public let curve: [Point]
  /// The number of fingers presented if nothing succeeds.
  public let fingers: UInt32
  /// The number of passcodes tried if nothing succeeds.
  public let guesses: UInt32
  /// The chance that a touch of a finger that is not enrolled, or of a fake, matches, on the average of
  /// all attackers of this kind; 0 if they have none.
  public let touchMatch: Double
  /// Whether the probability is exact; else it is a bound, of touches and guesses that do not delay
  /// each other.
  public let isExact: Bool

  /// The total success probability.
  public var success: Double { curve.last?.success ?? 0 }

  /// Solves `attack` on `plan`.
  ///
  /// - Parameters:
  ///   - plan: The case under attack.
  ///   - attack: The attack.
  ///   - isStopped: Asked again and again whether to stop.
  /// - Throws: An error if the attack has too many states, or if it was stopped.
  public init(
    _ plan: PolicyCase,
    _ attack: Attack,
    isStopped: () -> Bool = { false }
  ) throws(AttackError) {
    var curves: [(share: Double, curve: AttackCurve)] = []
    var (fingers, guesses, isExact) = (0 as UInt32, 0 as UInt32, true)
    for way in attack.ways {
      let solved = try AttackPlan(plan, way.attack, isStopped: isStopped)
      curves.append((way.share, solved.curve))
      let inVain = solved.parts.map(\.graph.inVain)
      fingers = max(fingers, inVain.reduce(0) { $0 + $1.fingers })
      guesses = max(guesses, inVain.reduce(0) { $0 + $1.guesses })
      isExact = isExact && solved.parts.count == 1
    }
    curve = AttackCurve(mixing: curves).points.map { Point(time: .nanoseconds($0), success: $1) }
    (self.fingers, self.guesses) = (fingers, guesses)
    touchMatch = attack.rates(plan).reduce(0) { $0 + $1.share * $1.match }
    self.isExact = isExact
  }
}

/// The share of attacks that were decided by a time.
struct AttackCurve {
  /// The times, in nanoseconds and in order, with the share decided until then.
  private(set) var points: [(time: Int64, share: Double)] = []

  /// The curve of a solved graph.
  init(_ graph: AttackGraph) {
    var total = 0.0
    for (time, success) in graph.successes.sorted(by: { $0.key < $1.key }) {
      total = min(1, total + success)
      points.append((time, total))
    }
  }

  /// The curve of attackers of whom each share has one of `curves`.
  init(mixing curves: [(share: Double, curve: AttackCurve)]) {
    combine(curves.map(\.curve)) { shares in
      zip(shares, curves).reduce(0) { $0 + $1.0 * $1.1.share }
    }
  }

  /// The curve of attacks that are made at the same time.
  init(together curves: [AttackCurve]) {
    combine(curves) { shares in 1 - shares.reduce(1) { $0 * (1 - $1) } }
  }

  private mutating func combine(_ curves: [AttackCurve], _ value: ([Double]) -> Double) {
    guard curves.count > 1 else {
      points =
        curves.first.map { curve in
          curve.points.map { ($0.time, min(1, value([$0.share]))) }
        } ?? []
      return
    }
    var shares = [Double](repeating: 0, count: curves.count)
    var indices = [Int](repeating: 0, count: curves.count)
    let times = Set(curves.flatMap { $0.points.map(\.time) }).sorted()
    for time in times {
      for (number, curve) in curves.enumerated() {
        while indices[number] < curve.points.count, curve.points[indices[number]].time <= time {
          shares[number] = curve.points[indices[number]].share
          indices[number] += 1
        }
      }
      points.append((time, min(1, value(shares))))
    }
  }
}

extension AttackGraph {
  /// The chances of the best course to succeed, by the time of the attempt that decides.
  fileprivate var successes: [Int64: Double] {
    var successes: [Int64: Double] = [:]
    var shares = [Double](repeating: 0, count: count)
    shares[0] = 1
    func go(_ node: Node, _ share: Double, _ time: Int64) {
      guard share > 0 else { return }
      switch node {
      case Self.won: successes[time, default: 0] += share
      case Self.lost: break
      default: shares[Int(node)] += share
      }
    }
    for node in order {
      let share = shares[Int(node)]
      guard share > 0, let arc = choice(at: node)?.arc else { continue }
      go(arc.success, share * arc.chance, times[Int(node)])
      go(arc.failure, share * (1 - arc.chance), times[Int(node)])
    }
    return successes
  }

  /// The fingers and passcodes of the best course if none succeeds.
  fileprivate var inVain: (fingers: UInt32, guesses: UInt32) {
    var (fingers, guesses) = (0 as UInt32, 0 as UInt32)
    var node = 0 as Node
    while let arc = choice(at: node)?.arc {
      if arc.isTouch { fingers += 1 }
      if arc.isGuess { guesses += 1 }
      node = arc.isTouch || arc.isGuess ? arc.failure : arc.success
    }
    return (fingers, guesses)
  }
}
