/// Whom an authorization belongs to: one context of one connection.
public struct ContextIdentity: Hashable, Sendable {
  /// The number of the connection; never used again while the service runs.
  public var connection: UInt64
  /// The number of the context, which the client chose; it says nothing beyond the connection.
  public var context: UInt64

  /// The context with this number on this connection.
  public init(connection: UInt64, context: UInt64) {
    self.connection = connection
    self.context = context
  }
}

/// One operation that one call is about to do with one item.
public struct ItemUse: Hashable, Sendable {
  /// In which context.
  public var context: ContextIdentity
  /// In which call; no two calls of a service have the same number.
  public var call: UInt64
  /// With which item.
  public var item: ItemIdentifier
  /// The item's access control.
  public var accessControl: AccessControl
  /// What.
  public var operation: AccessOperation

  /// The use with these parts.
  public init(
    _ operation: AccessOperation,
    of item: ItemIdentifier,
    _ accessControl: AccessControl,
    in context: ContextIdentity,
    by call: UInt64
  ) {
    self.context = context
    self.call = call
    self.item = item
    self.accessControl = accessControl
    self.operation = operation
  }
}

/// What an authorization allows one context to do: what its prompt named, and nothing else.
public struct AuthorizationScope: Hashable, Sendable {
  /// With which items.
  public enum Items: Hashable, Sendable {
    /// Those that the prompt counted; what is added later is none of them.
    case named(Set<ItemIdentifier>)
    /// Every item that has the access control: the prompt named that instead of items.
    case every
  }

  /// Whom.
  public let context: ContextIdentity
  /// On items with this access control.
  public let accessControl: AccessControl
  /// What.
  public private(set) var operations: [AccessOperation]
  /// With which of these items.
  public private(set) var items: Items
  /// The one call that it serves; nil for every call of the context.
  public private(set) var call: UInt64?

  /// One operation on the items that a call asked for.
  ///
  /// It serves that call alone where an item asks at each use, and where a key is used: what a key
  /// signs is part of the call.
  public init(
    _ operation: AccessOperation,
    on items: Set<ItemIdentifier>,
    _ accessControl: AccessControl,
    in context: ContextIdentity,
    by call: UInt64
  ) {
    self.context = context
    self.accessControl = accessControl
    operations = [operation]
    self.items = .named(items)
    self.call = accessControl.asksAtEachUse || operation.usesKey ? call : nil
  }

  /// Operations that were asked about beforehand, for every item that has the access control.
  public init(
    _ operations: [AccessOperation],
    onEvery accessControl: AccessControl,
    in context: ContextIdentity
  ) {
    self.context = context
    self.accessControl = accessControl
    self.operations = operations
    items = .every
    call = nil
  }

  /// Whether `use` is among what is allowed.
  func serves(_ use: ItemUse) -> Bool {
    guard accessControl == use.accessControl, operations.contains(use.operation),
      call == nil || call == use.call
    else { return false }
    switch items {
    case .named(let items): return items.contains(use.item)
    case .every: return true
    }
  }

  /// `use` begins: of what was asked about beforehand an item that asks at each use leaves nothing
  /// for any other call, item or operation.
  mutating func begin(_ use: ItemUse) {
    guard accessControl.asksAtEachUse, items == .every else { return }
    self = Self(use.operation, on: [use.item], accessControl, in: context, by: use.call)
  }

  /// How many items it names.
  var nameCount: Int {
    if case .named(let items) = items { items.count } else { 0 }
  }
}
