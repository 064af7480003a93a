public import LocalAuthCore
public import LocalAuthKeychain

/// What can happen to the authorizations of items.
public enum ItemEvent: Hashable, Sendable {
  /// A person proves `factors` for what a context asks for.
  case success(ItemDemand, FactorSet)
  /// A call uses an item that asks at each use.
  case use(ItemUse)
  case callEnds(ContextIdentity, call: UInt64)
  case contextEnds(ContextIdentity)
  case connectionEnds(UInt64)
  /// The device is locked or restarted.
  case deviceCloses
  /// The set of fingers becomes another one.
  case fingersChange
  /// Half of the longest time of an authorization passes.
  case timePasses
}

/// What a context asks a person to prove.
public struct ItemDemand: Hashable, Sendable {
  /// Who asks.
  let context: ContextIdentity
  let operations: [AccessOperation]
  /// The items that are named; nil if every one is, before any call.
  let items: Set<ItemIdentifier>?
  /// The call that asks.
  let call: UInt64

  /// The scope that a success authorizes.
  func scope(_ accessControl: AccessControl) -> AuthorizationScope {
    guard let items else {
      return AuthorizationScope(operations, onEvery: accessControl, in: context)
    }
    return AuthorizationScope(operations[0], on: items, accessControl, in: context, by: call)
  }
}

extension ItemEvent: CustomStringConvertible {
  /// The event in words, as a step of a trace.
  public var description: String {
    switch self {
    case .success(let demand, let factors):
      "\(factors.factors.map(\.rawValue).joined(separator: " and ")) is proven for \(demand.words)"
    case .use(let use):
      "\(use.context.words) does \(use.operation.rawValue) on item \(use.item.low) by call \(use.call)"
    case .callEnds(let context, let call): "call \(call) of \(context.words) ends"
    case .contextEnds(let context): "\(context.words) is invalidated"
    case .connectionEnds(let connection): "connection \(connection) ends"
    case .deviceCloses: "the device is locked"
    case .fingersChange: "the set of fingers becomes another one"
    case .timePasses: "\(DurationText.format(ItemModel.tick)) pass"
    }
  }
}

extension ItemDemand {
  fileprivate var words: String {
    let named = items.map { items in
      "items \(items.map(\.low).sorted().map(String.init).joined(separator: ", ")) by call \(call)"
    }
    let operations = operations.map(\.rawValue).joined(separator: ", ")
    return "\(operations) on \(named ?? "every item") by \(context.words)"
  }
}

extension ContextIdentity {
  fileprivate var words: String { "context \(context) of connection \(connection)" }
}
