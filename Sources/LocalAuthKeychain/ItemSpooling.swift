public import LocalAuthCore

/// An item that waits in a spool, as it meets the keychain.
public struct SpooledItem: Hashable, Sendable {
  /// Its place in the spool; later items have higher ones.
  public var place: Int64
  /// Its class.
  public var itemClass: ItemClass
  /// Its identifier.
  public var identifier: ItemIdentifier
  /// The keyed hash of its primary key.
  public var key: ItemHash
  /// When it was last changed.
  public var modified: WallInstant
  /// What decides between items that were changed at the same time.
  public var digest: [UInt8]

  /// The item with these parts.
  public init(
    place: Int64,
    itemClass: ItemClass,
    identifier: ItemIdentifier,
    key: ItemHash,
    modified: WallInstant,
    digest: [UInt8]
  ) {
    self.place = place
    self.itemClass = itemClass
    self.identifier = identifier
    self.key = key
    self.modified = modified
    self.digest = digest
  }
}

/// The port to items of one device that wait for one commit, outside of memory.
///
/// They wait as they are sealed for the device, in a file that has no name and goes with this value. Whatever
/// was taken in is added by the commit, unless it is dropped before. For one thread at a time, which may be
/// another one from one call to the next.
public protocol ItemSpooling: AnyObject, Sendable {
  /// Takes in the names of an item, and nothing else of it.
  ///
  /// - Returns: false if its key or its identifier was taken in before.
  func note(_ key: ItemHash, _ identifier: ItemIdentifier) throws(StorageError) -> Bool

  /// Takes in an item with its digest.
  ///
  /// - Returns: false if its key or its identifier was taken in before; then it was not taken in again.
  func take(_ item: SealedItem, digest: [UInt8]) throws(StorageError) -> Bool

  /// Whether an item with this key was taken in.
  func holds(_ key: ItemHash) throws(StorageError) -> Bool

  /// Lends the item that is added with this key to `body`, if there is one.
  func lendItem(
    _ key: ItemHash,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError)

  /// The next items that were taken in, at most `limit`, in that order; 0 is before the first place.
  func items(after place: Int64, limit: Int) throws(StorageError) -> [SpooledItem]

  /// Adds nothing with this key.
  func drop(_ key: ItemHash) throws(StorageError)

  /// Adds `item` in place of the one with its key.
  func exchange(_ item: SealedItem) throws(StorageError)

  /// Has the item with this identifier removed before anything is added.
  func remove(_ identifier: ItemIdentifier) throws(StorageError)
}

extension ItemSpooling {
  /// Returns the result of `body` for the item that is added with this key; nil if there is none.
  public func withItem<R>(
    _ key: ItemHash,
    _ body: (borrowing StoredItem) -> R
  ) throws(StorageError) -> R? {
    var answer: R?
    try lendItem(key) { answer = body($0) }
    return answer
  }
}
