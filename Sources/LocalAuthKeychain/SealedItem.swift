public import LocalAuthCore

/// What the store knows about an item without opening it.
public struct ItemHeader: Hashable, Sendable {
  /// The device whose keychain holds it.
  public var device: DeviceIdentity
  /// Its permanent identifier.
  public var identifier: ItemIdentifier
  /// Its class; never ``ItemClass/identity``, which is not stored.
  public var itemClass: ItemClass
  /// The keyed hash of its primary key, unique on the device.
  public var key: ItemHash
  /// Its protection class.
  public var protection: ProtectionClass
  /// The number of the class key that wraps its own key.
  public var classKey: UInt64
  /// Whether it is meant for the user's other devices too.
  public var isSynchronizable: Bool
  /// Whether it is the tombstone of a deleted item.
  public var isTombstone: Bool
  /// When it was last changed.
  public var modified: WallInstant

  /// The header with these parts.
  public init(
    device: DeviceIdentity,
    identifier: ItemIdentifier,
    itemClass: ItemClass,
    key: ItemHash,
    protection: ProtectionClass,
    classKey: UInt64,
    isSynchronizable: Bool = false,
    isTombstone: Bool = false,
    modified: WallInstant
  ) {
    self.device = device
    self.identifier = identifier
    self.itemClass = itemClass
    self.key = key
    self.protection = protection
    self.classKey = classKey
    self.isSynchronizable = isSynchronizable
    self.isTombstone = isTombstone
    self.modified = modified
  }
}

/// An item as it is written: its header, its search hashes, and sealed bytes that the store never
/// interprets.
///
/// The store does not authenticate items: the code that seals them binds everything in ``header``
/// and ``accessControl`` to the sealed bytes.
public struct SealedItem: Hashable, Sendable {
  /// The part that can be read without opening the item.
  public var header: ItemHeader
  /// The search hashes.
  public var terms: [TermHash]
  /// The encoding of its access control, in the clear.
  public var accessControl: [UInt8]
  /// Its own key, wrapped.
  public var wrappedKey: [UInt8]
  /// Its attributes, sealed.
  public var attributes: [UInt8]
  /// Its data, sealed; nil if it has none.
  public var secret: [UInt8]?

  /// The item with these parts.
  public init(
    header: ItemHeader,
    terms: [TermHash],
    accessControl: [UInt8],
    wrappedKey: [UInt8],
    attributes: [UInt8],
    secret: [UInt8]?
  ) {
    self.header = header
    self.terms = terms
    self.accessControl = accessControl
    self.wrappedKey = wrappedKey
    self.attributes = attributes
    self.secret = secret
  }

  /// The largest total size of an item's variable parts, in bytes: 4 MiB; callers have lower limits
  /// of their own.
  public static let mostBytes = 4 << 20

  /// The total size of the parts of variable size, in bytes.
  public var byteCount: Int {
    terms.count * 17 + accessControl.count + wrappedKey.count + attributes.count
      + (secret?.count ?? 0)
  }
}
