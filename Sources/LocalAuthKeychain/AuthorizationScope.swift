/// The holder of an authorization: one context of one connection.
public struct ContextIdentity: Hashable, Sendable {
  /// The number of the connection; never reused while the service runs.
  public var connection: UInt64
  /// The number of the context, chosen by the client; meaningful only within the connection.
  public var context: UInt64

  /// The context with this number on this connection.
  public init(connection: UInt64, context: UInt64) {
    self.connection = connection
    self.context = context
  }
}

/// One operation that a call is about to perform on one item.
public struct ItemUse: Hashable, Sendable {
  /// The context of the call.
  public var context: ContextIdentity
  /// The number of the call, unique within the service.
  public var call: UInt64
  /// The item.
  public var item: ItemIdentifier
  /// The item's access control.
  public var accessControl: AccessControl
  /// The operation.
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
  /// The items that an authorization covers.
  public enum Items: Hashable, Sendable {
    /// The items that the prompt counted; items added later are not covered.
    case named(Set<ItemIdentifier>)
    /// Every item with the access control, which the prompt named instead of items.
    case every
  }

  /// The holder.
  public let context: ContextIdentity
  /// The access control of the covered items.
  public let accessControl: AccessControl
  /// The allowed operations.
  public private(set) var operations: [AccessOperation]
  /// The covered items among those with the access control.
  public private(set) var items: Items
  /// The only call that it serves; nil for every call of the context.
  public private(set) var call: UInt64?

  /// Allows one operation on the items that a call asked for.
  ///
  /// It serves only that call if the items ask at each use or a key is used, since what a key signs
  /// is part of the call.
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

  /// Allows operations that were asked about in advance, on every item with the access control.
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

  /// Whether the scope allows `use`.
  func serves(_ use: ItemUse) -> Bool {
    guard accessControl == use.accessControl, call == nil || call == use.call else { return false }
    switch items {
    case .named(let items): return operations.contains(use.operation) && items.contains(use.item)
    // Who was asked about opening every such item was asked about using every such key.
    case .every:
      return operations.contains(use.operation)
        || use.operation == .use && operations.contains(.decrypt)
    }
  }

  /// Begins `use`: narrows a scope asked about in advance to it, if the items ask at each use.
  ///
  /// Nothing then remains for any other call, item or operation.
  mutating func begin(_ use: ItemUse) {
    guard accessControl.asksAtEachUse, items == .every else { return }
    self = Self(use.operation, on: [use.item], accessControl, in: context, by: use.call)
  }

  /// The number of items it names.
  var nameCount: Int {
    if case .named(let items) = items { items.count } else { 0 }
  }
}
