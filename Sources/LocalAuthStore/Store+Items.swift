public import LocalAuthCore
public import LocalAuthKeychain

extension Store: ItemStoring {
  /// Lends the item of `device` with this class and key to `body`; nil when there is none.
  ///
  /// It reads on the caller's thread and never waits for a commit, unless the store is in memory: then
  /// `body` must not call the store.
  public func withItem<R: ~Copyable>(
    _ itemClass: ItemClass,
    _ key: ItemHash,
    of device: DeviceIdentity,
    _ body: (borrowing StoredItem) -> R
  ) throws(StorageError) -> R? {
    try withItemReader { (reader) throws(StorageError) in
      try reader.item(itemClass, key, of: device, body)
    }
  }

  /// Lends the item of `device` with this identifier to `body`; nil when there is none.
  ///
  /// As ``withItem(_:_:of:_:)``.
  public func withItem<R: ~Copyable>(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity,
    _ body: (borrowing StoredItem) -> R
  ) throws(StorageError) -> R? {
    try withItemReader { (reader) throws(StorageError) in
      try reader.item(identifier, of: device, body)
    }
  }

  /// Lends items to `body` one by one, in the order of their keys and at most `limit`, until it says
  /// false.
  ///
  /// As ``withItem(_:_:of:_:)``.
  public func eachItem(
    _ lookup: ItemLookup,
    after cursor: ItemHash?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemPage {
    try withItemReader { (reader) throws(StorageError) in
      try reader.page(lookup, after: cursor, limit: limit, body)
    }
  }
}
