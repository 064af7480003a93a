/// All situations reachable by any order of events, breadth first, so that the first violation of a
/// property is among the shortest.
///
/// A situation is identified by a 64-bit hash with a random key; ``mistakenIdentity`` says how likely
/// a wrong match is. Expanding only reads, so threads may share it. Batches are of one size and are
/// merged in the order of their parents, so the result does not depend on the number of threads.
public struct Exploration: Sendable {
  /// A situation found by expansion.
  struct Found: Sendable {
    let fingerprint: Int
    let parent: Int32
    let event: UInt16
    var violated: Property?
  }

  /// What the expansion of a part of a batch found.
  public struct Part: Sendable {
    var found: [Found] = []
    var transitions = 0
    var premises = PremiseCounts()
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

  /// The number of situations expanded before the results are merged: enough for eight threads, and
  /// few enough that little is expanded in vain when the bound is reached.
  private static let batch = 1024

  /// The setup to explore.
  public let setup: Setup
  /// The limits.
  public let bounds: Bounds
  /// How events interleave.
  public let pace: Pace
  /// Where it begins.
  public let beginning: Beginning
  /// The greatest number of events of which every order was tried from every beginning.
  public private(set) var depth = 0
  /// The number of events tried.
  public private(set) var transitions = 0
  /// How often the premise of each property was met.
  public private(set) var premises = PremiseCounts()
  /// The first violation of each property.
  public private(set) var violations: [Violation] = []
  private let rungs: [Ladder.Rung]
  private var nodes: [Node] = []
  private var known: Set<Int> = []
  private var level = 0..<0
  private var next = 0
  /// Whether the bound left out a situation that was found.
  private var isCut = false

  /// Creates the exploration of `setup`, at its beginnings.
  public init(
    _ setup: Setup,
    _ bounds: Bounds,
    _ pace: Pace = .free,
    from beginning: Beginning = .fresh
  ) {
    self.init(setup, bounds, pace, from: beginning, Ladder.rungs(setup, beginning))
  }

  init(
    _ setup: Setup,
    _ bounds: Bounds,
    _ pace: Pace,
    from beginning: Beginning,
    _ found: [Ladder.Rung]
  ) {
    self.setup = setup
    self.bounds = bounds
    self.pace = pace
    self.beginning = beginning
    var rungs: [Ladder.Rung] = []
    for rung in found {
      premises.add(rung.premises)
      if known.insert(rung.model.fingerprint).inserted { rungs.append(rung) }
    }
    self.rungs = rungs
    for index in rungs.indices { nodes.append(Node(parent: ~Int32(index), event: 0)) }
    level = 0..<nodes.count
    for rung in rungs {
      if let property = rung.model.state.violated { add(property, rung.trace, rung) }
    }
  }

  /// The number of situations found.
  public var states: Int { nodes.count }
  /// What stands for each situation found.
  var fingerprints: Set<Int> { known }
  /// The number of beginnings.
  public var beginnings: Int { rungs.count }
  /// Whether nothing is left to explore, whatever the bounds.
  public var isExhausted: Bool { level.isEmpty && !isCut }

  /// A bound on the probability that any situation was taken for another that has the same hash.
  public static func mistakenIdentity(among states: Int) -> Double {
    let count = Double(states)
    return count * count / 0x1p65
  }

  // MARK: Searching

  /// Takes the next situations to expand; nil if the bounds are reached or a level with a violation is
  /// complete.
  public mutating func take() -> Range<Int>? {
    if next >= level.upperBound, !advance() { return nil }
    guard !isCut, nodes.count < bounds.states || next > level.lowerBound else { return nil }
    let range = next..<min(next + Self.batch, level.upperBound)
    next = range.upperBound
    return range
  }

  /// Moves to the next level; false if exploration ends here.
  private mutating func advance() -> Bool {
    // What the bound left out belongs to the level that this one leads to.
    if !level.isEmpty, !isCut { depth += 1 }
    level = level.upperBound..<nodes.count
    next = level.lowerBound
    return !level.isEmpty && !isCut && depth < bounds.depth && violations.isEmpty
  }

  /// Returns the successors of the situations in `range`, without those already known.
  public func expand(_ range: Range<Int>) -> Part {
    var part = Part()
    var path: [Step] = []
    for index in range {
      let model = model(of: index, after: &path)
      for (number, event) in model.events(pace).enumerated() {
        var successor = model
        successor.apply(event, pace)
        part.transitions += 1
        part.premises.add(successor.premises)
        let fingerprint = successor.fingerprint
        let violated = successor.state.violated
        guard violated != nil || !known.contains(fingerprint) else { continue }
        part.found.append(
          Found(
            fingerprint: fingerprint,
            parent: Int32(truncatingIfNeeded: index),
            event: UInt16(truncatingIfNeeded: number),
            violated: violated
          )
        )
      }
    }
    return part
  }

  /// Adds what was found, in the order of the parents: everything is tested, and as much as the bound
  /// allows is remembered.
  public mutating func merge(_ part: Part) {
    transitions += part.transitions
    premises.add(part.premises)
    for one in part.found {
      if let property = one.violated { add(property, one) }
      guard !known.contains(one.fingerprint) else { continue }
      guard nodes.count < bounds.states else {
        isCut = true
        continue
      }
      known.insert(one.fingerprint)
      nodes.append(Node(parent: one.parent, event: one.event))
    }
  }

  /// Explores on this thread until the bounds are reached.
  public mutating func run() {
    while let batch = take() { merge(expand(batch)) }
  }

  private mutating func add(_ property: Property, _ one: Found) {
    guard !violations.contains(where: { $0.property == property }) else { return }
    let (rung, path) = path(to: one)
    add(property, rung.trace + path, rung)
  }

  private mutating func add(_ property: Property, _ trace: [Event], _ rung: Ladder.Rung) {
    guard !violations.contains(where: { $0.property == property }) else { return }
    let beginning = Model(setup, rung.kind, isDistrusted: rung.isDistrusted)
    violations.append(
      Violation(
        property: property,
        setup: setup,
        kind: rung.kind,
        isDistrusted: rung.isDistrusted,
        trace: Shrinking.shortest(trace, from: beginning, breaking: property)
      )
    )
  }

  // MARK: Paths

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

  private func path(to one: Found) -> (Ladder.Rung, [Event]) {
    var numbers = [one.event]
    var index = Int(one.parent)
    while nodes[index].parent >= 0 {
      numbers.append(nodes[index].event)
      index = Int(nodes[index].parent)
    }
    let rung = rungs[Int(~nodes[index].parent)]
    var model = rung.model
    var events: [Event] = []
    for number in numbers.reversed() {
      let event = model.events(pace)[Int(number)]
      events += pace == .calm ? [event, .settle] : [event]
      model.apply(event, pace)
    }
    return (rung, events)
  }
}
