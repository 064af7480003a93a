/// The limits of an exploration.
public struct Bounds: Hashable, Sendable {
  /// The maximum number of events after a beginning.
  public var depth: Int
  /// The maximum number of situations.
  public var states: Int

  /// Creates the bounds.
  public init(depth: Int = 64, states: Int = 1_000_000) {
    self.depth = depth
    self.states = states
  }
}

/// How events interleave with what they cause.
public enum Pace: String, CaseIterable, Hashable, Sendable {
  /// Anything may happen while commits and verdicts are pending, and they may fail.
  case free
  /// Everything an event causes completes before the next, which allows longer runs.
  case calm
}

/// All situations reachable by any order of events, breadth first, so that the first violation of a
/// property is among the shortest.
///
/// A situation is identified by a 64-bit hash: among a million, the chance of a wrong match is
/// below 3 in 100 million. Expanding only reads, so threads may share it; merging follows the order
/// of the parents, so the result does not depend on the number of threads.
public struct Exploration: Sendable {
  /// A situation found by expansion.
  public struct Found: Sendable {
    let fingerprint: Int
    let parent: Int32
    let event: UInt16
    let violated: Property?
  }

  /// A violated property, with the events that lead to it.
  public struct Violation: Sendable {
    /// The property.
    public let property: Property
    /// The setup under which it is violated.
    public let setup: Setup
    /// Who judges the passcode of the device it happened on.
    public let kind: PasscodeKind
    /// Whether the device's state was distrusted at the beginning.
    public let isDistrusted: Bool
    /// The events from a fresh device on; none can be left out.
    public let trace: [Event]
  }

  private struct Node {
    let parent: Int32
    let event: UInt16
  }

  /// The setup to explore.
  public let setup: Setup
  /// The limits.
  public let bounds: Bounds
  /// How events interleave.
  public let pace: Pace
  /// The number of levels fully expanded.
  public private(set) var depth = 0
  /// The number of events tried.
  public private(set) var transitions = 0
  /// The first violation of each property.
  public private(set) var violations: [Violation] = []
  private let rungs: [Ladder.Rung]
  private var nodes: [Node] = []
  private var known: Set<Int> = []
  private var level: Range<Int>
  private var next = 0

  /// Creates the exploration of `setup`, at its beginnings.
  public init(_ setup: Setup, _ bounds: Bounds, _ pace: Pace = .free) {
    self.setup = setup
    self.pace = pace
    self.bounds = bounds
    level = 0..<0
    var rungs: [Ladder.Rung] = []
    for rung in Ladder.rungs(setup) where known.insert(rung.model.state.hashValue).inserted {
      rungs.append(rung)
    }
    self.rungs = rungs
    for index in rungs.indices { nodes.append(Node(parent: ~Int32(index), event: 0)) }
    level = 0..<nodes.count
    for rung in rungs {
      guard let property = rung.model.state.violated else { continue }
      add(Found(fingerprint: 0, parent: 0, event: 0, violated: property), rung.trace, rung)
    }
  }

  /// The number of situations found.
  public var states: Int { nodes.count }
  /// The number of beginnings.
  public var beginnings: Int { rungs.count }
  /// Whether nothing is left to explore, whatever the bounds.
  public var isExhausted: Bool { level.isEmpty }

  /// Takes the next situations to expand, at most `count`; nil if the bounds are reached or a level
  /// with a violation is complete.
  public mutating func take(_ count: Int) -> Range<Int>? {
    if next >= level.upperBound, !advance() { return nil }
    guard nodes.count < bounds.states else { return nil }
    let range = next..<min(next + count, level.upperBound)
    next = range.upperBound
    return range
  }

  /// Moves to the next level; false if exploration ends here.
  private mutating func advance() -> Bool {
    if !level.isEmpty { depth += 1 }
    level = level.upperBound..<nodes.count
    next = level.lowerBound
    return !level.isEmpty && depth < bounds.depth && violations.isEmpty
  }

  /// Returns the successors of the situations in `range`, without those already known.
  public func expand(_ range: Range<Int>) -> (found: [Found], transitions: Int) {
    var found: [Found] = []
    var transitions = 0
    var path: [Step] = []
    for index in range {
      let model = model(of: index, after: &path)
      for (number, event) in model.events(pace).enumerated() {
        var successor = model
        successor.apply(event, pace)
        transitions += 1
        let fingerprint = successor.state.hashValue
        guard !known.contains(fingerprint) else { continue }
        found.append(
          Found(
            fingerprint: fingerprint,
            parent: Int32(truncatingIfNeeded: index),
            event: UInt16(truncatingIfNeeded: number),
            violated: successor.state.violated
          )
        )
      }
    }
    return (found, transitions)
  }

  /// Adds found situations, in the order of their parents.
  public mutating func merge(_ found: [Found], transitions: Int) {
    self.transitions += transitions
    for one in found {
      guard nodes.count < bounds.states else { return }
      guard known.insert(one.fingerprint).inserted else { continue }
      nodes.append(Node(parent: one.parent, event: one.event))
      guard one.violated != nil else { continue }
      let (rung, path) = path(to: nodes.count - 1)
      add(one, rung.trace + path, rung)
    }
  }

  private mutating func add(_ one: Found, _ trace: [Event], _ rung: Ladder.Rung) {
    guard let property = one.violated, !violations.contains(where: { $0.property == property })
    else { return }
    let beginning = Model(setup, rung.kind, isDistrusted: rung.isDistrusted)
    let shrunk = Shrinking.shortest(trace, from: beginning, breaking: property)
    violations.append(
      Violation(
        property: property,
        setup: setup,
        kind: rung.kind,
        isDistrusted: rung.isDistrusted,
        trace: shrunk
      )
    )
  }

  // MARK: Paths

  private func chain(to index: Int) -> (rung: Int, numbers: [UInt16]) {
    var numbers: [UInt16] = []
    var index = index
    while nodes[index].parent >= 0 {
      numbers.append(nodes[index].event)
      index = Int(nodes[index].parent)
    }
    return (Int(~nodes[index].parent), numbers.reversed())
  }

  /// A situation on the way to the one that was expanded last.
  private struct Step {
    let index: Int
    let model: Model
  }

  /// Returns the model of the situation `index`, and makes `path` the way to it.
  ///
  /// Situations are numbered in the order of their parents, so most of the way to one is the way to
  /// the one before, which is not gone again.
  private func model(of index: Int, after path: inout [Step]) -> Model {
    var missing: [Int] = []
    var at = index
    while true {
      while let last = path.last, last.index > at { path.removeLast() }
      if path.last?.index == at { break }
      missing.append(at)
      guard nodes[at].parent >= 0 else {
        path = []
        break
      }
      at = Int(nodes[at].parent)
    }
    for index in missing.reversed() {
      let node = nodes[index]
      var model = path.last?.model ?? rungs[Int(~node.parent)].model
      if node.parent >= 0 { model.apply(model.events(pace)[Int(node.event)], pace) }
      path.append(Step(index: index, model: model))
    }
    return path[path.count - 1].model
  }

  private func path(to index: Int) -> (Ladder.Rung, [Event]) {
    let (rung, numbers) = chain(to: index)
    var model = rungs[rung].model
    var events: [Event] = []
    for number in numbers {
      let event = model.events(pace)[Int(number)]
      events += pace == .calm ? [event, .settle] : [event]
      model.apply(event, pace)
    }
    return (rungs[rung], events)
  }
}

/// Shortens a trace to the events it needs.
enum Shrinking {
  /// Removes every event that is not needed to violate `property`.
  static func shortest(_ trace: [Event], from model: Model, breaking property: Property) -> [Event]
  {
    var trace = trace
    var size = max(1, trace.count / 2)
    while true {
      var start = 0
      var isShorter = false
      while start < trace.count {
        var shorter = trace
        shorter.removeSubrange(start..<min(start + size, trace.count))
        if breaks(property, shorter, model) {
          trace = shorter
          isShorter = true
        } else {
          start += size
        }
      }
      if size > 1 { size /= 2 } else if !isShorter { return trace }
    }
  }

  private static func breaks(_ property: Property, _ trace: [Event], _ model: Model) -> Bool {
    var model = model
    for event in trace { model.apply(event) }
    return model.state.violated == property
  }
}
