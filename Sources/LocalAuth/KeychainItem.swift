import LocalAuthClient
public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// An item as the keychain answered it; its attributes are members of its own: `item.account`.
///
/// It is a picture of the item at that moment. What happens to the item later does not change it.
@dynamicMemberLookup
public struct KeychainItem: Sendable, Identifiable {
  /// What it is.
  public let itemClass: ItemClass
  /// Its name for good, whatever else changes.
  public let id: ItemIdentifier
  /// Names it across processes, restarts and changes of its attributes, as bytes that may be kept.
  public let reference: PersistentReference
  /// The access group it belongs to.
  public let group: String
  /// When it can be opened, and what must be proven first.
  public let accessControl: AccessControl
  /// Whether it is meant for the user's other devices too.
  public let isSynchronizable: Bool
  /// When it was added, to the millisecond.
  public let created: WallInstant
  /// When it was last changed; later than any earlier answer told.
  public let modified: WallInstant
  /// Every other attribute.
  public let attributes: ItemAttributes
  private let data: SecretBox?

  init(_ remote: RemoteItem) throws(KeychainFailure) {
    guard let item = remote.item else {
      throw .service(.protocolError("an item without its attributes"))
    }
    itemClass = item.itemClass
    id = item.identifier
    reference = remote.reference ?? item.reference
    group = item.group
    accessControl = item.accessControl
    isSynchronizable = item.isSynchronizable
    created = item.created
    modified = item.modified
    attributes = ItemAttributes(item.attributes)
    data = remote.data
  }

  /// When it can be opened.
  public var accessible: ProtectionClass { accessControl.protection }

  /// An attribute by its name.
  public subscript<Value>(dynamicMember path: KeyPath<ItemAttributes, Value>) -> Value {
    attributes[keyPath: path]
  }

  /// Its data, for the first who takes it; nil where it was not asked for, or there is none.
  ///
  /// Copies of this value share it.
  public func takeData() -> Secret? { data?.take() }
}
