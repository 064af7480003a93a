import LocalAuthCore

/// All positions of an attack that can be reached, and the best move at each.
///
/// It is a finite Markov decision process. Every move takes time, so positions are met in the order
/// of time, and solved in the opposite one: the value of a position is that of its best move, and
/// the value of a move the mean over its outcomes.
struct AttackGraph {
  /// The index of a position.
  typealias Node = Int32
  /// What stands for a node that is an end.
  static let won = -1 as Node
  static let lost = -2 as Node

  /// A move, with its chance and where it leads.
  struct Arc {
    var chance: Double
    var success: Node
    var failure: Node
    var isTouch: Bool
    var isGuess: Bool
  }

  /// The moves of all nodes, in the order of the nodes' indices in ``first``.
  private(set) var arcs: [Arc] = []
  /// Where the moves of a node begin, and their number; the order is that of the attacker's moves.
  private var spans: [(first: Int32, count: Int32)] = []
  /// When each node is met, in nanoseconds.
  private(set) var times: [Int64] = []
  /// The nodes in the order of time.
  private(set) var order: [Node] = []
  /// The chance of success from each node.
  private(set) var values: [Double] = []
  /// The best move of each node, as an index of its moves; nil if it has none that helps.
  private var choices: [Int32] = []

  /// The number of nodes.
  var count: Int { times.count }

  /// How many nodes are explored between two questions whether to stop.
  private static let paceOfStops = 256

  /// Explores and solves `course` from `start`, unless it is stopped.
  init(
    _ course: inout AttackCourse,
    from start: AttackPosition,
    isStopped: () -> Bool
  ) throws(AttackError) {
    var frontier = AttackFrontier()
    _ = reserve(.position(start), &frontier)
    while let (position, node) = frontier.popFirst() {
      if order.count.isMultiple(of: Self.paceOfStops), isStopped() { throw .stopped }
      order.append(node)
      let first = Int32(arcs.count)
      for move in course.moves(position) {
        let chance = course.chance(of: move, at: position)
        let success =
          chance > 0
          ? reserve(course.reach(move, from: position, succeeds: true), &frontier) : Self.lost
        let failure =
          chance < 1
          ? reserve(course.reach(move, from: position, succeeds: false), &frontier) : Self.lost
        arcs.append(
          Arc(
            chance: chance,
            success: success,
            failure: failure,
            isTouch: move.isTouch,
            isGuess: move.isGuess
          )
        )
      }
      spans[Int(node)] = (first, Int32(arcs.count) - first)
      guard count <= Attack.statesMax else { throw .tooManyStates(Attack.statesMax) }
    }
    solve()
  }

  private mutating func reserve(_ reach: AttackReach, _ frontier: inout AttackFrontier) -> Node {
    switch reach {
    case .won: return Self.won
    case .lost: return Self.lost
    case .position(let position):
      if let node = frontier[position] { return node }
      let node = Node(count)
      times.append(position.now)
      spans.append((0, 0))
      frontier.insert(position, node)
      return node
    }
  }

  /// Of moves that are equally good, that of the earlier success is best.
  private mutating func solve() {
    values = [Double](repeating: 0, count: count)
    choices = [Int32](repeating: -1, count: count)
    // The time of success, times its chance.
    var delays = [Double](repeating: 0, count: count)
    for node in order.reversed() {
      let now = Double(times[Int(node)])
      func delay(_ next: Node) -> Double {
        next >= 0 ? delays[Int(next)] : next == Self.won ? now : 0
      }
      for (index, arc) in moves(of: node).enumerated() {
        let value = arc.chance * value(arc.success) + (1 - arc.chance) * value(arc.failure)
        let late = arc.chance * delay(arc.success) + (1 - arc.chance) * delay(arc.failure)
        let best = values[Int(node)]
        let isEqual = value > 0 && abs(value - best) <= 1e-14 * best
        guard isEqual ? late < delays[Int(node)] : value > best else { continue }
        values[Int(node)] = max(value, best)
        delays[Int(node)] = late
        choices[Int(node)] = Int32(index)
      }
    }
  }

  /// The chance of success from `node`.
  func value(_ node: Node) -> Double {
    switch node {
    case Self.won: 1
    case Self.lost: 0
    default: values[Int(node)]
    }
  }

  /// The moves of `node`.
  func moves(of node: Node) -> ArraySlice<Arc> {
    let span = spans[Int(node)]
    return arcs[Int(span.first)..<Int(span.first + span.count)]
  }

  /// The best move of `node` and its number; nil if none helps.
  func choice(at node: Node) -> (number: Int, arc: Arc)? {
    guard node >= 0, choices[Int(node)] >= 0 else { return nil }
    let number = Int(choices[Int(node)])
    return (number, moves(of: node)[Int(spans[Int(node)].first) + number])
  }
}

extension AttackMove {
  /// Whether a finger or a fake is presented.
  var isTouch: Bool {
    switch self {
    case .touch: true
    case .type, .redeem, .unlock, .enrol, .restart, .wait: false
    }
  }
}

/// The positions that were met and not yet explored, by time.
private struct AttackFrontier {
  private var positions: [Int64: [AttackPosition: AttackGraph.Node]] = [:]
  /// The times of ``positions``, as a binary heap with the earliest first.
  private var times: [Int64] = []
  private var now: [(AttackPosition, AttackGraph.Node)] = []

  subscript(position: AttackPosition) -> AttackGraph.Node? { positions[position.now]?[position] }

  mutating func insert(_ position: AttackPosition, _ node: AttackGraph.Node) {
    if positions[position.now] == nil { push(position.now) }
    positions[position.now, default: [:]][position] = node
  }

  /// Takes a position of the earliest time; none of that time may be inserted any more.
  mutating func popFirst() -> (AttackPosition, AttackGraph.Node)? {
    if now.isEmpty, let time = pop(), let found = positions.removeValue(forKey: time) {
      now = found.sorted { $0.value > $1.value }.map { ($0.key, $0.value) }
    }
    return now.popLast()
  }

  private mutating func push(_ time: Int64) {
    times.append(time)
    var index = times.count - 1
    while index > 0, times[(index - 1) / 2] > times[index] {
      times.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func pop() -> Int64? {
    guard let first = times.first else { return nil }
    let last = times.removeLast()
    guard !times.isEmpty else { return first }
    times[0] = last
    var index = 0
    while true {
      let children = [2 * index + 1, 2 * index + 2].filter { $0 < times.count }
      guard let least = children.min(by: { times[$0] < times[$1] }), times[least] < times[index]
      else { return first }
      times.swapAt(index, least)
      index = least
    }
  }
}
