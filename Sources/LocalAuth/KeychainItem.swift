import LocalAuthClient
public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// An item returned by the keychain; its attributes are also members: `item.account`.
///
/// The value is a snapshot; later changes to the item do not affect it.
@dynamicMemberLookup
public struct KeychainItem: Sendable, Identifiable {
  /// The item's class.
  public let itemClass: ItemClass
  /// The item's permanent identifier, unaffected by any change to it.
  public let id: ItemIdentifier
  /// A reference that can be stored and stays valid across processes, restarts and changes of
  /// attributes.
  public let reference: PersistentReference
  /// The access group it belongs to.
  public let group: String
  /// When the item can be opened, and with what proof.
  public let accessControl: AccessControl
  /// Whether the item is also meant for the user's other devices.
  public let isSynchronizable: Bool
  /// When the item was added, to the millisecond.
  public let created: WallInstant
  /// When the item was last changed; later than the time in any earlier answer.
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

  /// When the item can be opened.
  public var accessible: ProtectionClass { accessControl.protection }

  /// An attribute by its name.
  public subscript<Value>(dynamicMember path: KeyPath<ItemAttributes, Value>) -> Value {
    attributes[keyPath: path]
  }

  /// Takes the item's data; nil if it was taken before, was not requested, or does not exist.
  ///
  /// Copies of this value share the data, so only one of them can take it.
  public func takeData() -> Secret? { data?.take() }
}
