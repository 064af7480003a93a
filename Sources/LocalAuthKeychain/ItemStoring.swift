public import LocalAuthCore

/// One change to the items of a device.
public enum ItemChange: Hashable, Sendable {
  /// Stores a new item; ``StorageError/duplicate`` if its key or its identifier is taken, also by a
  /// tombstone, which can be removed by the same commit.
  case add(SealedItem)
  /// Stores the item over the one of the same device and identifier, which may have had another key;
  /// ``StorageError/missing`` if there is none, ``StorageError/duplicate`` if the key is another's.
  case replace(SealedItem)
  /// Removes the item of this identifier, if it is there.
  case remove(DeviceIdentity, ItemIdentifier)
}

/// Which items a page is of.
public struct ItemLookup: Hashable, Sendable {
  /// Whose keychain.
  public var device: DeviceIdentity
  /// Their class.
  public var itemClass: ItemClass
  /// The hashes that each of them has; none for all items of the class.
  public var terms: [TermHash]

  /// The items of `device` of that class that have all `terms`.
  public init(device: DeviceIdentity, itemClass: ItemClass, terms: [TermHash] = []) {
    self.device = device
    self.itemClass = itemClass
    self.terms = terms
  }
}

/// What one page was.
public struct ItemPage: Hashable, Sendable {
  /// Where the next page begins; nil when there is nothing more.
  public var next: ItemHash?
  /// How many rows cannot be items, because somebody changed them; they were passed over.
  public var damaged: Int

  /// The page that ends before `next`.
  public init(next: ItemHash?, damaged: Int) {
    self.next = next
    self.damaged = damaged
  }
}

/// What one page by age was.
public struct ItemAgePage: Hashable, Sendable {
  /// After which item the next page begins; nil when there is nothing more.
  public var next: ItemIdentifier?
  /// How many rows cannot be items, because somebody changed them; they were passed over.
  public var damaged: Int

  /// The page that ends with `next`.
  public init(next: ItemIdentifier?, damaged: Int) {
    self.next = next
    self.damaged = damaged
  }
}

/// The port to stored items, for reading.
///
/// Reading happens on the caller's thread and shows what was committed; a commit whose completion has not
/// run may be seen or not. An item is lent for the time of a call; while it is, nothing waits for it but
/// the store's housekeeping, so that call should be short. Damage throws ``StorageError/corrupt(_:)``.
public protocol ItemReading: Sendable {
  /// Lends the item of `device` with this class and key to `body`, if there is one.
  func lendItem(
    _ itemClass: ItemClass,
    _ key: ItemHash,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError)

  /// Lends the item of `device` with this identifier to `body`, if there is one.
  func lendItem(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError)

  /// Lends items to `body` one by one, in the order of their keys and at most `limit`, until it says
  /// false.
  ///
  /// A page begins after the item whose key is `cursor`, or with the first. It shows one moment; between
  /// two pages items may come and go, and an item whose key is changed may be seen twice or not at all.
  func eachItem(
    _ lookup: ItemLookup,
    after cursor: ItemHash?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemPage

  /// Lends the items of a class to `body` one by one, the oldest first, which is the order of their
  /// identifiers, and at most `limit`, until it says false.
  ///
  /// A page begins after `cursor`, or with the first, as one of ``eachItem(_:after:limit:_:)`` does.
  func eachItem(
    _ itemClass: ItemClass,
    of device: DeviceIdentity,
    after cursor: ItemIdentifier?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemAgePage
}

/// The port to all that is stored: who has it can write.
public protocol ItemStoring: StateStoring, ItemReading {
  /// Makes `changes` and then `items` durable in one transaction, in the order of the calls.
  ///
  /// As ``StateStoring/commit(_:_:completion:)``. Many items in one commit cost one wait for the disk.
  func commit(
    _ changes: [StateChange],
    items: [ItemChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  )
}

extension ItemStoring {
  /// Makes `changes` durable, as a commit without items.
  public func commit(
    _ changes: [StateChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) { commit(changes, items: [], kind, completion: completion) }
}

extension ItemReading {
  /// What `body` makes of the item of `device` with this class and key; nil when there is none.
  @inlinable
  public func withItem<R: ~Copyable>(
    _ itemClass: ItemClass,
    _ key: ItemHash,
    of device: DeviceIdentity,
    _ body: (borrowing StoredItem) -> R
  ) throws(StorageError) -> R? {
    var answer: R?
    try lendItem(itemClass, key, of: device) { answer = body($0) }
    return answer
  }

  /// What `body` makes of the item of `device` with this identifier; nil when there is none.
  @inlinable
  public func withItem<R: ~Copyable>(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity,
    _ body: (borrowing StoredItem) -> R
  ) throws(StorageError) -> R? {
    var answer: R?
    try lendItem(identifier, of: device) { answer = body($0) }
    return answer
  }
}
