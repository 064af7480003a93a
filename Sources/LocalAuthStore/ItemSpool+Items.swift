import LocalAuthCore
import LocalAuthKeychain

/// What comes into a spool, and what the commit takes out of it.
extension ItemSpool {
  /// Takes in the names of an item; see ``ItemSpooling/note(_:_:)``.
  func note(
    _ key: ItemHash,
    _ identifier: ItemIdentifier
  ) throws(StorageError) -> Bool {
    try note(key, identifier, at: nil)
  }

  private func note(
    _ key: ItemHash,
    _ identifier: ItemIdentifier,
    at place: Int64?
  ) throws(StorageError) -> Bool {
    let isNew = try unsafe withHalves(identifier.high, identifier.low) {
      (bytes) throws(StorageError) in
      // SAFETY: the bytes live as long as the statement runs.
      try statements.noteIdentifier.run { parameters in unsafe parameters.lend(1, bytes) }
    }
    guard isNew > 0 else { return false }
    return try unsafe key.withBytes { (bytes) throws(StorageError) in
      try statements.noteKey.run { parameters in
        // SAFETY: as above.
        unsafe parameters.lend(1, bytes)
        // A parameter that is not set is NULL.
        if let place { parameters.set(2, place) }
      }
    } > 0
  }

  /// Takes in an item with its digest; see ``ItemSpooling/take(_:digest:)``.
  func take(_ item: SealedItem, digest: [UInt8]) throws(StorageError) -> Bool {
    guard try note(item.header.key, item.header.identifier, at: lastPlace + 1) else { return false }
    try insert(item, digest: digest)
    return true
  }

  /// Whether an item with this key was taken in.
  func holds(_ key: ItemHash) throws(StorageError) -> Bool {
    var isThere = false
    try statements.findKey.eachRow([.blob(key.bytes)]) { _ in isThere = true }
    return isThere
  }

  /// See ``ItemSpooling/lendItem(_:to:)``.
  func lendItem(
    _ key: ItemHash,
    to body: (borrowing StoredItem) -> Void
  ) throws(StorageError) {
    try statements.find.eachRow([.blob(key.bytes)]) { (row) throws(StorageError) in
      body(try row.item(of: device))
    }
  }

  /// The next items that were taken in; see ``ItemSpooling/items(after:limit:)``.
  func items(after place: Int64, limit: Int) throws(StorageError) -> [SpooledItem] {
    var items: [SpooledItem] = []
    try statements.next.eachRow([.integer(place), .integer(Int64(limit))]) {
      (row) throws(StorageError) in
      guard let itemClass = ItemClass(storedNumber: row.integer(0)), let key = row.key,
        let identifier = row.identifier
      else { throw .corrupt("a spool has an item that was never taken in") }
      items.append(
        SpooledItem(
          place: row.integer(5),
          itemClass: itemClass,
          identifier: identifier,
          key: key,
          modified: WallInstant(milliseconds: row.integer(3)),
          digest: row.blob(4)
        )
      )
    }
    return items
  }

  /// Adds nothing with this key.
  func drop(_ key: ItemHash) throws(StorageError) {
    try statements.place.run([.null, .blob(key.bytes)])
  }

  /// Adds `item` in place of the one with its key.
  func exchange(_ item: SealedItem) throws(StorageError) {
    try insert(item, digest: nil)
    try statements.place.run([.integer(lastPlace), .blob(item.header.key.bytes)])
  }

  /// Has the item with this identifier removed before anything is added.
  func remove(_ identifier: ItemIdentifier) throws(StorageError) {
    try statements.remove.run([.blob(identifier.bytes)])
    hasRemoved = true
  }

  // MARK: For the commit

  /// Passes the identifier of each item that is removed to `body`.
  func eachRemoved(
    _ body: (ItemIdentifier) throws(StorageError) -> Void
  ) throws(StorageError) {
    try statements.removed.eachRow { (row) throws(StorageError) in
      guard let identifier = ItemIdentifier(bytes: row.blob(0)) else {
        throw .corrupt("a spool has an identifier that is none")
      }
      try body(identifier)
    }
  }

  /// Passes each item that is added to `body`, in the order of the keys.
  func eachAdded(
    _ body: (borrowing StoredItem) throws(StorageError) -> Void
  ) throws(StorageError) {
    try statements.added.eachRow { (row) throws(StorageError) in
      try body(try row.item(of: device))
    }
  }

  private func insert(_ item: SealedItem, digest: [UInt8]?) throws(StorageError) {
    let header = item.header
    guard let itemClass = header.itemClass.storedNumber else {
      throw .failed("an identity is no item that could be stored")
    }
    let place = lastPlace + 1
    try unsafe header.key.withBytes { (key) throws(StorageError) in
      try unsafe withHalves(header.identifier.high, header.identifier.low) {
        (identifier) throws(StorageError) in
        _ = try statements.insert.run { (parameters) throws(StorageError) in
          // SAFETY: key and identifier live as long as the statement runs.
          try unsafe parameters.set(item, itemClass, key, identifier, from: 1)
          // A parameter that is not set is NULL.
          if let digest { try parameters.copy(14, digest) }
          parameters.set(15, place)
        }
      }
    }
    lastPlace = place
  }
}
