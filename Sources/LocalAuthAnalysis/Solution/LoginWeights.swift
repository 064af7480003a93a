import LocalAuthCore
import LocalAuthSensor

/// Successful logins by duration: a number of presentations, each with its own length, plus a fixed
/// time for typing and waiting.
///
/// A refusal runs from the moment an attempt is charged, so the attempt itself takes up part of the
/// wait. Which attempts do is not known here; the truth lies between none and all.
struct LoginWeights {
  /// The logins with 0, 1, 2 and more presentations, by their fixed nanoseconds.
  typealias Table = [Int64: [Double]]

  /// Durations if everything before a wait was done during that wait.
  private(set) var earliest: Table = [:]
  /// Durations if nothing was done during a wait.
  private(set) var latest: Table = [:]

  /// The share of all logins below which a path is dropped.
  fileprivate static let nothing = 1e-15

  /// Adds the logins of one class through `graph`, which `shares` of them begin.
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
    // Without a wait both tables are the same.
    guard graph.hasWait else { return earliest.add(table, 1) }
    var shorter = TimedWalk(graph, shares, people, plan, waitsInclude: true)
    earliest.add(shorter.walk(graph), 1)
  }

  /// Adds the logins of `other`, multiplied by `factor`.
  mutating func add(_ other: LoginWeights, _ factor: Double) {
    earliest.add(other.earliest, factor)
    latest.add(other.latest, factor)
  }
}

/// People of one class, and the logins they began.
struct LoginCrowd {
  let people: PersonClass
  let plan: PolicyCase
  let graphs: [LoginGraph]
  /// The logins begun on each graph, by finger state.
  let begun: [FingerShares]

  /// The durations of the successful logins.
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

/// One login of many people along its graph: their shares at each node, by presentations and by
/// time spent typing and waiting.
private struct TimedWalk {
  /// Time in nanoseconds.
  private struct Spent: Hashable {
    /// The total fixed time.
    var fixed: Int64 = 0
    /// The part of it spent waiting.
    var waited: Int64 = 0
  }

  /// The shares of people at each node, by time spent and number of presentations.
  private var arrived: [[Spent: [FingerShares]]]
  private let waitsInclude: Bool
  private let touch: Touch
  private let changes: FingerChanges
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
    changes = FingerChanges(plan)
    touch = Touch(people, plan.sensor, changes.presenting)
    typing = plan.habits.typing.wholeNanoseconds
    mistyped = plan.habits.mistyped
    least = shares.total * LoginWeights.nothing
  }

  /// Returns the durations of the logins that end in success.
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

  /// Moves everyone at a node to its successors, which come later in the graph.
  private mutating func leave(_ number: Int, _ node: LoginGraph.Node) {
    for (spent, shares) in arrived[number] {
      switch node {
      case .finger(let match, let miss, _):
        let (matched, missed) = judged(shares)
        add(matched, to: match, spent)
        add(missed, to: miss, spent)
      case .passcode(let right, let wrong):
        let typed = Spent(fixed: spent.fixed + typing, waited: spent.waited)
        let moved = shares.map { $0.moved(by: Transfer(changes.typing)) }
        add(moved.map { $0.times(1 - mistyped) }, to: right, typed)
        add(moved.map { $0.times(mistyped) }, to: wrong, typed)
      case .wait(let time, let next):
        let change = Transfer(changes.waiting(time))
        wait(time.wholeNanoseconds, shares.map { $0.moved(by: change) }, next, spent)
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

  /// Presents until a finger is judged; a presentation without a sample is repeated.
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
