public import LocalAuthCore

/// An item without its data.
public struct Item: Hashable, Sendable {
  /// Its permanent identifier.
  public var identifier: ItemIdentifier
  /// Its class; ``ItemClass/identity`` occurs only in ``Identity/item``, which is never stored.
  public var itemClass: ItemClass
  /// The access group it belongs to.
  public var group: String
  /// When it can be opened, and what must be proven first.
  public var accessControl: AccessControl
  /// Whether it is meant for the user's other devices too.
  public var isSynchronizable: Bool
  /// Whether it is the tombstone of a deleted item.
  public var isTombstone: Bool
  /// When it was added.
  public var created: WallInstant
  /// When it was last changed.
  public var modified: WallInstant
  /// Every attribute without a field of its own.
  public var attributes: [ItemAttribute: AttributeValue]
  /// Whether it has data; a password may have none.
  public var hasData: Bool

  /// The item with these parts.
  public init(
    identifier: ItemIdentifier,
    itemClass: ItemClass,
    group: String,
    accessControl: AccessControl,
    isSynchronizable: Bool = false,
    isTombstone: Bool = false,
    created: WallInstant,
    modified: WallInstant,
    attributes: [ItemAttribute: AttributeValue] = [:],
    hasData: Bool
  ) {
    self.identifier = identifier
    self.itemClass = itemClass
    self.group = group
    self.accessControl = accessControl
    self.isSynchronizable = isSynchronizable
    self.isTombstone = isTombstone
    self.created = created
    self.modified = modified
    self.attributes = attributes
    self.hasData = hasData
  }

  /// The value of an attribute, or the default of its column if none was given.
  public func value(of attribute: ItemAttribute) -> AttributeValue? {
    field(attribute) ?? attributes[attribute] ?? attribute.defaultValue(for: itemClass)
  }

  private func field(_ attribute: ItemAttribute) -> AttributeValue? {
    if attribute == .accessible { return .text(accessControl.protection.rawValue) }
    if attribute == .accessGroup { return .text(group) }
    if attribute == .synchronizable { return .number(isSynchronizable ? 1 : 0) }
    if attribute == .tombstone { return .number(isTombstone ? 1 : 0) }
    if attribute == .creationDate { return .date(created.milliseconds) }
    return attribute == .modificationDate ? .date(modified.milliseconds) : nil
  }

  /// The attributes with a field of their own.
  public static let fields: [ItemAttribute] = [
    .accessible, .accessControl, .accessGroup, .synchronizable, .tombstone, .creationDate,
    .modificationDate,
  ]

  /// Whether its data may be returned; that of a private key that must not leave the keychain never
  /// is.
  public var isExtractable: Bool {
    attributes[.isExtractable] != .number(0)
      || attributes[.keyClass] == .number(KeyClass.public.rawValue)
  }

  /// Whether it may ever go to the user's other devices: an item that only this device opens stays,
  /// even if it is synchronizable.
  public var leavesDevice: Bool {
    isSynchronizable && !accessControl.protection.isThisDeviceOnly
  }

  /// Its persistent reference.
  public var reference: PersistentReference { .item(itemClass, identifier) }
}
