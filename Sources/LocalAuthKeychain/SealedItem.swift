public import LocalAuthCore

/// What the store knows of an item without opening anything.
public struct ItemHeader: Hashable, Sendable {
  /// Whose keychain it lies in.
  public var device: DeviceIdentity
  /// Its name for good.
  public var identifier: ItemIdentifier
  /// Its class; never ``ItemClass/identity``, which is no item.
  public var itemClass: ItemClass
  /// The keyed hash of its primary key, which no other item of the device has.
  public var key: ItemHash
  /// Its protection class.
  public var protection: ProtectionClass
  /// The number of the class key that its own key is wrapped under.
  public var classKey: UInt64
  /// Whether it is meant for the user's other devices too.
  public var isSynchronizable: Bool
  /// Whether it is the trace of a synchronizable item that was deleted.
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

/// An item as it is written: its header, what it is found by, and sealed bytes that the store keeps and
/// never interprets.
///
/// The store does not authenticate items: whoever seals them binds everything in ``header`` and
/// ``accessControl`` to the sealed bytes.
public struct SealedItem: Hashable, Sendable {
  /// What is known without opening anything.
  public var header: ItemHeader
  /// The hashes it is found by.
  public var terms: [TermHash]
  /// The encoding of its access control, in the clear.
  public var accessControl: [UInt8]
  /// Its own key, wrapped.
  public var wrappedKey: [UInt8]
  /// Its attributes, sealed.
  public var attributes: [UInt8]
  /// Its data, sealed; nil where it has none.
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

  /// The most bytes that an item may have in all its parts: 4 MiB; callers have limits of their own below it.
  public static let mostBytes = 4 << 20

  /// Bytes of all parts that have no fixed size.
  public var byteCount: Int {
    terms.count * 17 + accessControl.count + wrappedKey.count + attributes.count
      + (secret?.count ?? 0)
  }
}
