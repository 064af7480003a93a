public import LocalAuthCore
public import LocalAuthKeychain

extension Store: ItemStoring {
  /// Lends the item of `device` with this class and key to `body`, if there is one.
  ///
  /// Reads on the caller's thread without waiting for a commit. An in-memory store does wait for
  /// commits, and `body` must not call it.
  public func lendItem(
    _ itemClass: ItemClass,
    _ key: ItemHash,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError) {
    try withItemReader { (reader) throws(StorageError) in
      try reader.item(itemClass, key, of: device, body)
    }
  }

  /// Lends the item of `device` with this identifier to `body`, if there is one.
  ///
  /// The same rules apply as for ``lendItem(_:_:of:to:)``.
  public func lendItem(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError) {
    try withItemReader { (reader) throws(StorageError) in
      try reader.item(identifier, of: device, body)
    }
  }

  /// The rows of a device's synchronization, in no order.
  ///
  /// The same rules apply as for ``lendItem(_:_:of:to:)``.
  public func syncRows(of device: DeviceIdentity) throws(StorageError) -> [SealedRow] {
    try withItemReader { (reader) throws(StorageError) in try reader.syncRows(of: device) }
  }

  /// Lends at most `limit` items to `body`, one by one in key order, until `body` returns false.
  ///
  /// The same rules apply as for ``lendItem(_:_:of:to:)``.
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

  /// Lends at most `limit` items of a class to `body`, one by one, oldest first, until `body`
  /// returns false.
  ///
  /// The same rules apply as for ``lendItem(_:_:of:to:)``.
  public func eachItem(
    _ itemClass: ItemClass,
    of device: DeviceIdentity,
    after cursor: ItemIdentifier?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemAgePage {
    try withItemReader { (reader) throws(StorageError) in
      try reader.page(itemClass, of: device, after: cursor, limit: limit, body)
    }
  }
}
