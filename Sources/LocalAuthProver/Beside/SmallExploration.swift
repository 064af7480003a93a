/// All situations of a small model, breadth first, until there are no more or the bound is reached.
///
/// A depth is claimed when every order of so many events was tried, as in ``Exploration``.
public struct SmallExploration<Model: SmallModel>: Sendable {
  /// A violated property, with the fewest events that lead to it.
  public struct Violation: Sendable {
    /// The property.
    public let property: Model.Property
    /// The events from the beginning on.
    public let trace: [Model.Event]
  }

  private struct Node {
    let parent: Int
    let event: Model.Event?
  }

  /// What it is about.
  public let name: String
  /// The number of situations found.
  public var states: Int { nodes.count }
  /// The number of events tried.
  public private(set) var transitions = 0
  /// The greatest number of events of which every order was tried.
  public private(set) var depth = 0
  /// Whether nothing is left to explore.
  public private(set) var isExhausted = false
  /// In how many events and situations each property was at risk.
  public private(set) var premises: [Model.Property: Int] = [:]
  /// The first violation of each property.
  public private(set) var violations: [Violation] = []
  private var nodes = [Node(parent: -1, event: nil)]
  private var known: Set<Int>
  private var level: [(node: Int, model: Model)]

  /// Creates the exploration that begins with `model`.
  public init(_ model: Model) {
    name = model.name
    known = [model.hashValue]
    level = [(0, model)]
  }

  /// Explores until `states` situations are found, or a level with a violation is complete.
  ///
  /// It calls `goesOn` before each situation with the number of those found, and stops when that is false.
  public mutating func run(states: Int, goesOn: (Int) -> Bool = { _ in true }) {
    while !level.isEmpty, violations.isEmpty {
      var next: [(node: Int, model: Model)] = []
      for (node, model) in level {
        guard nodes.count < states, goesOn(nodes.count) else { return }
        for event in model.events { meet(event, model, at: node, &next) }
      }
      depth += 1
      level = next
    }
    isExhausted = level.isEmpty
  }

  private mutating func meet(
    _ event: Model.Event,
    _ model: Model,
    at node: Int,
    _ next: inout [(node: Int, model: Model)]
  ) {
    var successor = model
    transitions += 1
    note(successor.apply(event), after: event, at: node)
    guard known.insert(successor.hashValue).inserted else { return }
    note(successor.inspect(), after: event, at: node)
    nodes.append(Node(parent: node, event: event))
    next.append((nodes.count - 1, successor))
  }

  private mutating func note(
    _ seen: Witnessed<Model.Property>,
    after event: Model.Event,
    at node: Int
  ) {
    for property in seen.risked { premises[property, default: 0] += 1 }
    guard let broken = seen.broken, !violations.contains(where: { $0.property == broken }) else {
      return
    }
    violations.append(Violation(property: broken, trace: trace(to: node) + [event]))
  }

  private func trace(to node: Int) -> [Model.Event] {
    var events: [Model.Event] = []
    var at = node
    while let event = nodes[at].event {
      events.append(event)
      at = nodes[at].parent
    }
    return events.reversed()
  }
}
