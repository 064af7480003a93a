public import LocalAuthCore

/// One change to the items of a device.
public enum ItemChange: Hashable, Sendable {
  /// Stores a new item.
  ///
  /// Fails with ``StorageError/duplicate`` if its key or its identifier is taken, even by a
  /// tombstone; the same commit may remove that tombstone first.
  case add(SealedItem)
  /// Replaces the item of the same device and identifier, which may have had another key.
  ///
  /// Fails with ``StorageError/missing`` if there is none, and with ``StorageError/duplicate`` if
  /// another item has the key.
  case replace(SealedItem)
  /// Removes the item with this identifier, if it exists.
  case remove(DeviceIdentity, ItemIdentifier)
}

/// The items that a page lists.
public struct ItemLookup: Hashable, Sendable {
  /// The device whose keychain is read.
  public var device: DeviceIdentity
  /// Their class.
  public var itemClass: ItemClass
  /// The hashes that each item must have; none for all items of the class.
  public var terms: [TermHash]

  /// The items of `device` of that class that have all `terms`.
  public init(device: DeviceIdentity, itemClass: ItemClass, terms: [TermHash] = []) {
    self.device = device
    self.itemClass = itemClass
    self.terms = terms
  }
}

/// The result of reading one page.
public struct ItemPage: Hashable, Sendable {
  /// The key after which the next page begins; nil if there are no more items.
  public var next: ItemHash?
  /// The number of rows that were skipped, because tampering or damage made them invalid.
  public var damaged: Int

  /// The page that ends with `next`.
  public init(next: ItemHash?, damaged: Int) {
    self.next = next
    self.damaged = damaged
  }
}

/// The result of reading one page by age.
public struct ItemAgePage: Hashable, Sendable {
  /// The item after which the next page begins; nil if there are no more items.
  public var next: ItemIdentifier?
  /// The number of rows that were skipped, because tampering or damage made them invalid.
  public var damaged: Int

  /// The page that ends with `next`.
  public init(next: ItemIdentifier?, damaged: Int) {
    self.next = next
    self.damaged = damaged
  }
}

/// The port to stored items, for reading.
///
/// Reads run on the caller's thread and show what was committed; a commit whose completion has not
/// run may be visible or not. An item is lent for the duration of a call; meanwhile only the
/// store's housekeeping waits, so the call should be short. Damage throws
/// ``StorageError/corrupt(_:)``.
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

  /// The rows of a device's synchronization, in no order.
  func syncRows(of device: DeviceIdentity) throws(StorageError) -> [SealedRow]

  /// Lends at most `limit` items to `body`, one by one in key order, until `body` returns false.
  ///
  /// A page begins after the item whose key is `cursor`, or with the first item. It shows one
  /// moment; between two pages items may be added and removed, and an item whose key changes may be
  /// seen twice or not at all.
  func eachItem(
    _ lookup: ItemLookup,
    after cursor: ItemHash?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemPage

  /// Lends at most `limit` items of a class to `body`, one by one, oldest first, until `body`
  /// returns false.
  ///
  /// Oldest first is the order of the identifiers. A page begins after `cursor`, or with the first
  /// item, under the rules of ``eachItem(_:after:limit:_:)``.
  func eachItem(
    _ itemClass: ItemClass,
    of device: DeviceIdentity,
    after cursor: ItemIdentifier?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemAgePage
}

/// The port to all stored state, for reading and writing.
public protocol ItemStoring: StateStoring, ItemReading {
  /// Makes `changes` and then `items` durable in one transaction, in the order of the calls.
  ///
  /// The rules of ``StateStoring/commit(_:_:completion:)`` apply. Many items in one commit cost one
  /// wait for the disk.
  func commit(
    _ changes: [StateChange],
    items: [ItemChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  )

  /// Makes an empty spool for items of `device`, in the store's own place.
  func spool(of device: DeviceIdentity) throws(StorageError) -> any ItemSpooling

  /// Makes `changes`, and then what `spool` has, durable in one transaction, however much it is.
  ///
  /// The rules of ``StateStoring/commit(_:_:completion:)`` apply. The spool must be one of this store, and
  /// belongs to the commit until `completion` runs.
  func commit(
    _ changes: [StateChange],
    spool: any ItemSpooling,
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
  /// Returns the result of `body` for the item of `device` with this class and key; nil if there is
  /// none.
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

  /// Returns the result of `body` for the item of `device` with this identifier; nil if there is
  /// none.
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
