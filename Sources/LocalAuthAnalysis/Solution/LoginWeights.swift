import LocalAuthCore
import LocalAuthSensor

/// Logins that succeed, by what they take: so many presentations, each of a length of its own, and a time that is
/// fixed, for typing and waiting.
struct LoginWeights {
  /// By nanoseconds that are fixed, how many logins have no presentation, one, two and so on.
  private(set) var weights: [Int64: [Double]] = [:]

  /// What is left out of a login's ways, as a share of all logins.
  fileprivate static let nothing = 1e-15

  /// Adds the logins that go through `graph` for people of one class, of whom `shares` begin one.
  mutating func add(
    _ graph: LoginGraph,
    _ shares: FingerShares,
    _ people: PersonClass,
    _ plan: PolicyCase
  ) {
    guard shares.total > 0 else { return }
    var walk = TimedWalk(graph, shares, people, plan)
    for (number, node) in graph.nodes.enumerated() {
      if case .end(let end) = node, end.isAccepted { add(walk.arrived[number]) }
      walk.leave(number, node)
    }
  }

  private mutating func add(_ arrived: TimedWalk.Crowd) {
    for (fixed, shares) in arrived {
      for (count, share) in shares.enumerated() {
        weights[fixed, default: []].add(share.total, at: count)
      }
    }
  }

  /// Adds those of others, each so many times.
  mutating func add(_ other: LoginWeights, _ factor: Double) {
    for (fixed, shares) in other.weights {
      for (count, share) in shares.enumerated() {
        weights[fixed, default: []].add(factor * share, at: count)
      }
    }
  }
}

/// One login of many people at once, along its graph: who has got to each node, after how many presentations and
/// how much typing and waiting.
private struct TimedWalk {
  /// By fixed nanoseconds and presentations, the shares of people.
  typealias Crowd = [Int64: [FingerShares]]

  private(set) var arrived: [Crowd]
  private let touch: Touch
  private let typing: Int64
  private let mistyped: Double
  private let least: Double

  init(
    _ graph: LoginGraph,
    _ shares: FingerShares,
    _ people: PersonClass,
    _ plan: PolicyCase
  ) {
    arrived = Array(repeating: [:], count: graph.nodes.count)
    arrived[0] = [0: [shares]]
    touch = Touch(people, plan.sensor)
    typing = plan.habits.typing.wholeNanoseconds
    mistyped = plan.habits.mistyped
    least = shares.total * LoginWeights.nothing
  }

  /// Everybody at a node goes on; nodes come before those that they lead to.
  mutating func leave(_ number: Int, _ node: LoginGraph.Node) {
    for (fixed, shares) in arrived[number] {
      switch node {
      case .finger(let match, let miss, _):
        let (matched, missed) = judged(shares)
        add(matched, to: match, fixed)
        add(missed, to: miss, fixed)
      case .passcode(let right, let wrong):
        add(shares.map { $0.times(1 - mistyped) }, to: right, fixed + typing)
        add(shares.map { $0.times(mistyped) }, to: wrong, fixed + typing)
      case .wait(let time, let next): add(shares, to: next, fixed + time.wholeNanoseconds)
      case .end: break
      }
    }
    arrived[number] = [:]
  }

  private mutating func add(_ shares: [FingerShares], to node: Int, _ fixed: Int64) {
    guard shares.contains(where: { $0.total > least }) else { return }
    for (count, share) in shares.enumerated() {
      arrived[node][fixed, default: []].add(share, at: count)
    }
  }

  /// Presents until the finger is judged; what gives no sample is presented again.
  private func judged(_ shares: [FingerShares]) -> ([FingerShares], [FingerShares]) {
    var matched = [FingerShares()]
    var missed = [FingerShares()]
    var again = FingerShares()
    var count = 0
    while count < shares.count || again.total > least {
      if count < shares.count { again += shares[count] }
      matched.append(again.moved(by: touch.matches))
      missed.append(again.moved(by: touch.misses))
      again = again.moved(by: touch.lost)
      count += 1
    }
    return (matched, missed)
  }
}

extension [FingerShares] {
  fileprivate mutating func add(_ share: FingerShares, at index: Int) {
    while count <= index { append(FingerShares()) }
    self[index] += share
  }
}

extension [Double] {
  fileprivate mutating func add(_ value: Double, at index: Int) {
    while count <= index { append(0) }
    self[index] += value
  }
}

extension FingerShares {
  fileprivate func times(_ factor: Double) -> FingerShares {
    FingerShares(good: factor * good, impaired: factor * impaired)
  }
}
