import LocalAuthCore
import LocalAuthSensor

/// Logins that succeed, by what they take: so many presentations, each of a length of its own, and a time that is
/// fixed, for typing and waiting.
///
/// A refusal runs from the moment that the attempt is charged, so that the attempt itself goes on in the time that is
/// waited for. Which attempts these are is not known here; the truth lies between none and all.
struct LoginWeights {
  /// By nanoseconds that are fixed, how many logins have no presentation, one, two and so on.
  typealias Table = [Int64: [Double]]

  /// What logins take if all that was done before a wait was done during it.
  private(set) var earliest: Table = [:]
  /// What they take if nothing was.
  private(set) var latest: Table = [:]

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
    var walk = TimedWalk(graph, shares, people, plan, waitsInclude: false)
    let table = walk.walk(graph)
    latest.add(table, 1)
    // Without a wait both are the same.
    guard graph.hasWait else { return earliest.add(table, 1) }
    var shorter = TimedWalk(graph, shares, people, plan, waitsInclude: true)
    earliest.add(shorter.walk(graph), 1)
  }

  /// Adds those of others, each so many times.
  mutating func add(_ other: LoginWeights, _ factor: Double) {
    earliest.add(other.earliest, factor)
    latest.add(other.latest, factor)
  }
}

/// People of one class, and the logins that they began.
struct LoginCrowd {
  let people: PersonClass
  let plan: PolicyCase
  let graphs: [LoginGraph]
  /// How many began on each graph, by the states of their fingers.
  let begun: [FingerShares]

  /// What those took that succeeded.
  var weights: LoginWeights {
    var weights = LoginWeights()
    for (graph, shares) in zip(graphs, begun) { weights.add(graph, shares, people, plan) }
    return weights
  }
}

extension LoginWeights.Table {
  fileprivate mutating func add(_ other: LoginWeights.Table, _ factor: Double) {
    for (fixed, shares) in other {
      for (count, share) in shares.enumerated() {
        self[fixed, default: []].add(factor * share, at: count)
      }
    }
  }
}

extension LoginGraph {
  fileprivate var hasWait: Bool {
    nodes.contains { if case .wait = $0 { true } else { false } }
  }
}

/// One login of many people at once, along its graph: who has got to each node, after how many presentations and
/// how much typing and waiting.
private struct TimedWalk {
  /// Time in nanoseconds.
  private struct Spent: Hashable {
    /// All that is fixed.
    var fixed: Int64 = 0
    /// Of it, what was waited.
    var waited: Int64 = 0
  }

  /// The shares of people by what they have spent and by presentations.
  private var arrived: [[Spent: [FingerShares]]]
  private let waitsInclude: Bool
  private let touch: Touch
  private let typing: Int64
  private let mistyped: Double
  private let least: Double

  init(
    _ graph: LoginGraph,
    _ shares: FingerShares,
    _ people: PersonClass,
    _ plan: PolicyCase,
    waitsInclude: Bool
  ) {
    arrived = Array(repeating: [:], count: graph.nodes.count)
    arrived[0] = [Spent(): [shares]]
    self.waitsInclude = waitsInclude
    touch = Touch(people, plan.sensor)
    typing = plan.habits.typing.wholeNanoseconds
    mistyped = plan.habits.mistyped
    least = shares.total * LoginWeights.nothing
  }

  /// What those take who get to an end with success.
  mutating func walk(_ graph: LoginGraph) -> LoginWeights.Table {
    var table: LoginWeights.Table = [:]
    for (number, node) in graph.nodes.enumerated() {
      if case .end(let end) = node, end.isAccepted {
        for (spent, shares) in arrived[number] {
          table.add([spent.fixed: shares.map(\.total)], 1)
        }
      }
      leave(number, node)
    }
    return table
  }

  /// Everybody at a node goes on; nodes come before those that they lead to.
  private mutating func leave(_ number: Int, _ node: LoginGraph.Node) {
    for (spent, shares) in arrived[number] {
      switch node {
      case .finger(let match, let miss, _):
        let (matched, missed) = judged(shares)
        add(matched, to: match, spent)
        add(missed, to: miss, spent)
      case .passcode(let right, let wrong):
        let typed = Spent(fixed: spent.fixed + typing, waited: spent.waited)
        add(shares.map { $0.times(1 - mistyped) }, to: right, typed)
        add(shares.map { $0.times(mistyped) }, to: wrong, typed)
      case .wait(let time, let next): wait(time.wholeNanoseconds, shares, next, spent)
      case .end: break
      }
    }
    arrived[number] = [:]
  }

  private mutating func wait(
    _ time: Int64,
    _ shares: [FingerShares],
    _ next: Int,
    _ spent: Spent
  ) {
    let waited = spent.waited + time
    guard waitsInclude else {
      return add(shares, to: next, Spent(fixed: spent.fixed + time, waited: waited))
    }
    let all = shares.reduce(into: FingerShares()) { $0 += $1 }
    add([all], to: next, Spent(fixed: waited, waited: waited))
  }

  private mutating func add(_ shares: [FingerShares], to node: Int, _ spent: Spent) {
    guard shares.contains(where: { $0.total > least }) else { return }
    for (count, share) in shares.enumerated() {
      arrived[node][spent, default: []].add(share, at: count)
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
