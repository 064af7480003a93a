import LocalAuthCore
import LocalAuthKeychain

/// The authorizations of keychain items, in an environment that proves, uses, ends and waits.
///
/// Two contexts share a connection, and a third has one of its own. Two items have the access control that is explored,
/// and a third has one that asks for the same and is another. Numbers of calls are used again, as the service never
/// does: what a call leaves behind must serve no other.
public struct ItemModel: SmallModel {
  /// A success, as it really happened; it is forgotten at its end.
  struct Fact: Hashable, Sendable {
    var demand: ItemDemand
    let factors: FactorSet
    /// The call that it serves alone; nil for every call of the context.
    var call: UInt64?
    /// How many ticks it counts for.
    var ticks = Self.ticksMax

    static let ticksMax = 2
  }

  static let firstSet: UInt64 = 1
  static let contexts = [
    ContextIdentity(connection: 1, context: 1), ContextIdentity(connection: 1, context: 2),
    ContextIdentity(connection: 2, context: 1),
  ]
  static let calls: [UInt64] = [1, 2]
  static let items = [1, 2].map { ItemIdentifier(high: 0, low: $0) }
  static let twin = ItemIdentifier(high: 0, low: 3)
  /// The most ticks and the most changes of the set; what comes after is as what came before.
  private static let endOfTime = 3
  private static let lastSet: UInt64 = 2
  static let tick = Authorizations.longest / Fact.ticksMax

  let itemGuard: ItemGuard
  var authorizations = Authorizations()
  var facts: [Fact] = []
  var generation = Self.firstSet
  var time = 0

  /// The models of every kind of access control.
  public static var all: [Self] { ItemGuard.all.map(Self.init) }

  init(_ itemGuard: ItemGuard) { self.itemGuard = itemGuard }

  /// The flags of the access control.
  public var name: String { "items: \(itemGuard.accessControl.flags.text)" }

  /// Hashes all but the access control, which never changes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(authorizations)
    hasher.combine(facts)
    hasher.combine(generation)
    hasher.combine(time)
  }

  var now: BootInstant { BootInstant(nanoseconds: 0) + Self.tick * time }

  // MARK: What can happen

  /// Every success, use and end that makes a difference now.
  public var events: [ItemEvent] {
    successes + uses + ends
      + (generation < Self.lastSet ? [.fingersChange] : [])
      + (time < Self.endOfTime && !facts.isEmpty ? [.timePasses] : [])
  }

  private var successes: [ItemEvent] {
    Self.contexts.flatMap { context in
      demands(of: context).flatMap { demand in
        itemGuard.ways(at: generation).map { .success(demand, $0) }
      }
    }
  }

  private func demands(of context: ContextIdentity) -> [ItemDemand] {
    let (first, second) = (itemGuard.operations[0], itemGuard.operations[1])
    func demand(
      _ operations: [AccessOperation],
      _ items: Set<ItemIdentifier>?,
      _ call: UInt64 = 1
    ) -> ItemDemand {
      ItemDemand(context: context, operations: operations, items: items, call: call)
    }
    return [
      demand([first], [Self.items[0]]), demand([first], Set(Self.items), 2),
      demand([second], [Self.items[0]]), demand([first], nil), demand([first, second], nil),
    ]
  }

  /// Uses that leave something behind.
  private var uses: [ItemEvent] {
    guard itemGuard.accessControl.asksAtEachUse else { return [] }
    return itemGuard.uses.filter { use in
      facts.contains { $0.demand.items == nil && $0.opens(use, as: itemGuard, at: generation) }
    }.map { .use($0) }
  }

  private var ends: [ItemEvent] {
    guard !facts.isEmpty else { return [] }
    let calls = Self.contexts.flatMap { context in
      Self.calls.map { ItemEvent.callEnds(context, call: $0) }
    }
    return calls + Self.contexts.map { .contextEnds($0) } + [1, 2].map { .connectionEnds($0) }
      + [.deviceCloses]
  }

  // MARK: What it does

  /// Does `event` to the authorizations, and keeps what really happened.
  public mutating func apply(_ event: ItemEvent) -> Witnessed<ItemProperty> {
    var seen = Witnessed<ItemProperty>()
    let before = facts
    switch event {
    case .success(let demand, let factors): succeed(demand, factors, &seen)
    case .use(let use): begin(use, &seen)
    case .callEnds(let context, let call):
      authorizations.callEnded(call, of: context)
      facts.removeAll { $0.demand.context == context && $0.call == call }
    case .contextEnds(let context):
      authorizations.contextEnded(context)
      facts.removeAll { $0.demand.context == context }
    case .connectionEnds(let connection):
      authorizations.connectionEnded(connection)
      facts.removeAll { $0.demand.context.connection == connection }
    case .deviceCloses:
      authorizations.deviceClosed()
      facts = []
    case .fingersChange:
      generation += 1
      authorizations.enrolmentChanged()
      facts.removeAll { $0.factors.contains(.biometry) }
    case .timePasses:
      time += 1
      facts.removeAll { $0.ticks == 1 }
      for index in facts.indices { facts[index].ticks -= 1 }
    }
    checkEnds(of: before, &seen)
    return seen
  }
}
