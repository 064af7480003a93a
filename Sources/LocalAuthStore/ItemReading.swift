import LocalAuthCore
import LocalAuthKeychain

/// Reads items over one connection; used by one thread at a time.
struct ItemReader: ~Copyable {
  private let number: Statement
  private let byKey: Statement
  private let byIdentifier: Statement
  private let byClass: Statement
  private let byAge: Statement
  private let nextOfTerm: Statement
  private let syncRows: Statement
  private let begin: Statement
  private let end: Statement
  /// The numbers of keychains; a number never changes once assigned.
  private var numbers: [DeviceIdentity: Int64] = [:]
  /// The keychain looked up last.
  private var last: (device: DeviceIdentity, number: Int64)?
  /// Whether a transaction stays open between reads.
  private var isStaying = false

  /// Prepares the statements on `database`.
  init(_ database: borrowing Database) throws(StorageError) {
    let number = try database.prepare("SELECT number FROM keychain WHERE owner = ? AND name = ?")
    let byKey = try database.prepare(
      """
      SELECT class, key, id, protection, class_key, sync, tombstone, modified, terms,
        access_control, wrapped_key, attributes, secret
      FROM item WHERE keychain = ? AND class = ? AND key = ?
      """
    )
    let byIdentifier = try database.prepare(
      """
      SELECT class, key, id, protection, class_key, sync, tombstone, modified, terms,
        access_control, wrapped_key, attributes, secret
      FROM item WHERE keychain = ? AND id = ?
      """
    )
    let byClass = try database.prepare(
      """
      SELECT class, key, id, protection, class_key, sync, tombstone, modified, terms,
        access_control, wrapped_key, attributes, secret
      FROM item WHERE keychain = ? AND class = ? AND key > ? ORDER BY key LIMIT ?
      """
    )
    // The index contains each row's class, so rows of other classes are skipped within the index.
    let byAge = try database.prepare(
      """
      SELECT class, key, id, protection, class_key, sync, tombstone, modified, terms,
        access_control, wrapped_key, attributes, secret
      FROM item INDEXED BY item_id
      WHERE keychain = ? AND id > ? AND class = ? ORDER BY id LIMIT ?
      """
    )
    let nextOfTerm = try database.prepare(
      """
      SELECT key FROM term WHERE keychain = ? AND class = ? AND key >= ? AND attribute = ?
        AND hash = ? ORDER BY key LIMIT 1
      """
    )
    let syncRows = try database.prepare("SELECT key, sealed FROM sync WHERE keychain = ?")
    let begin = try database.prepare("BEGIN")
    let end = try database.prepare("COMMIT")
    // All of these or none: a partly initialized value could not be destroyed.
    self.number = number
    self.byKey = byKey
    self.byIdentifier = byIdentifier
    self.byClass = byClass
    self.byAge = byAge
    self.nextOfTerm = nextOfTerm
    self.syncRows = syncRows
    self.begin = begin
    self.end = end
  }

  /// Lends the reader itself, for callers that hold it as an optional.
  mutating func lend<R: ~Copyable>(
    _ body: (inout Self) throws(StorageError) -> R
  ) throws(StorageError) -> R { try body(&self) }

  /// Lends the item with that class and key to `body`, if there is one.
  mutating func item(
    _ itemClass: ItemClass,
    _ key: ItemHash,
    of device: DeviceIdentity,
    _ body: (borrowing StoredItem) -> Void
  ) throws(StorageError) {
    guard let itemClass = itemClass.storedNumber, let keychain = try keychain(of: device) else {
      return
    }
    try unsafe key.withBytes { (bytes) throws(StorageError) in
      try byKey.rows { parameters in
        parameters.set(1, keychain)
        parameters.set(2, itemClass)
        // SAFETY: the bytes live as long as the statement runs.
        unsafe parameters.lend(3, bytes)
      } _: { (row) throws(StorageError) in
        // A damaged page can lead the search to the wrong row.
        body(try row.item(of: device) { $0.key == key })
        return false
      }
    }
  }

  /// Lends the item with that identifier to `body`, if there is one.
  mutating func item(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity,
    _ body: (borrowing StoredItem) -> Void
  ) throws(StorageError) {
    guard let keychain = try keychain(of: device) else { return }
    try unsafe withHalves(identifier.high, identifier.low) { (bytes) throws(StorageError) in
      try byIdentifier.rows { parameters in
        parameters.set(1, keychain)
        // SAFETY: the bytes live as long as the statement runs.
        unsafe parameters.lend(2, bytes)
      } _: { (row) throws(StorageError) in
        body(try row.item(of: device) { $0.identifier == identifier })
        return false
      }
    }
  }

  /// The rows of a device's synchronization, in no order.
  mutating func syncRows(of device: DeviceIdentity) throws(StorageError) -> [SealedRow] {
    guard let keychain = try keychain(of: device) else { return [] }
    var rows: [SealedRow] = []
    try syncRows.eachRow([.integer(keychain)]) { row in
      rows.append(SealedRow(name: row.blob(0), sealed: row.blob(1)))
    }
    return rows
  }

  /// Keeps a transaction open until ``leave()``, so that all reads see the state at the first one.
  ///
  /// Each read is cheaper, because it does not lock the log.
  mutating func stay() throws(StorageError) {
    guard !isStaying else { return }
    try begin.run()
    isStaying = true
  }

  /// Ends the transaction that ``stay()`` began.
  mutating func leave() {
    guard isStaying else { return }
    isStaying = false
    // After some errors SQLite has already ended it.
    _ = try? end.run()
  }

  /// Lends items to `body` in key order; see ``ItemReading/eachItem(_:after:limit:_:)``.
  mutating func page(
    _ lookup: ItemLookup,
    after cursor: ItemHash?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemPage {
    guard let itemClass = lookup.itemClass.storedNumber, limit > 0,
      let keychain = try keychain(of: lookup.device)
    else { return ItemPage(next: nil, damaged: 0) }
    var walk = Walk(keychain: keychain, itemClass: itemClass, left: limit, last: cursor)
    guard !lookup.terms.isEmpty else {
      try scan(&walk, of: lookup.device, body)
      return walk.page
    }
    // One transaction makes the page consistent, and each step cheaper.
    guard !isStaying else {
      try intersect(&walk, lookup, body)
      return walk.page
    }
    try begin.run()
    do throws(StorageError) {
      try intersect(&walk, lookup, body)
    } catch {
      _ = try? end.run()
      throw error
    }
    try end.run()
    return walk.page
  }

  /// Lends items to `body`, oldest first; see ``ItemReading/eachItem(_:of:after:limit:_:)``.
  mutating func page(
    _ itemClass: ItemClass,
    of device: DeviceIdentity,
    after cursor: ItemIdentifier?,
    limit: Int,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> ItemAgePage {
    var page = ItemAgePage(next: nil, damaged: 0)
    guard let number = itemClass.storedNumber, limit > 0, let keychain = try keychain(of: device)
    else { return page }
    var left = limit
    let first = cursor?.bytes ?? []
    try unsafe first.span.bytes.withUnsafeBytes { (bytes) throws(StorageError) in
      try byAge.rows { parameters in
        parameters.set(1, keychain)
        // SAFETY: the bytes live as long as the statement runs; an empty value still needs an
        // address.
        unsafe parameters.lend(2, bytes.baseAddress == nil ? Row.noBytes : bytes)
        parameters.set(3, number)
        parameters.set(4, Int64(limit))
      } _: { row in
        left -= 1
        var isWanted = true
        do throws(StorageError) {
          isWanted = body(try row.item(of: device))
        } catch {
          page.damaged += 1
        }
        isWanted = isWanted && left > 0
        // An identifier of another size means damage; the list ends there.
        page.next = isWanted ? nil : row.identifier
        return isWanted
      }
    }
    return page
  }

  /// The progress of a page.
  private struct Walk {
    let keychain: Int64
    let itemClass: Int64
    var left: Int
    var last: ItemHash?
    var damaged = 0
    /// Whether no item follows ``last``.
    var isAtEnd = false
    var page: ItemPage { ItemPage(next: isAtEnd ? nil : last, damaged: damaged) }

    /// Lends the row's item to `body`; returns false if no more rows are wanted.
    mutating func take(
      _ row: borrowing Row,
      of device: DeviceIdentity,
      _ body: (borrowing StoredItem) -> Bool
    ) -> Bool {
      left -= 1
      do throws(StorageError) {
        let goesOn = body(try row.item(of: device))
        return goesOn && left > 0
      } catch {
        damaged += 1
        return left > 0
      }
    }
  }

  /// Visits all items of a class: one range of the table.
  private func scan(
    _ walk: inout Walk,
    of device: DeviceIdentity,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) {
    var state = walk
    state.isAtEnd = true
    let first = walk.last?.bytes ?? []
    try unsafe first.span.bytes.withUnsafeBytes { (bytes) throws(StorageError) in
      try byClass.rows { parameters in
        parameters.set(1, state.keychain)
        parameters.set(2, state.itemClass)
        // SAFETY: the bytes live as long as the statement runs; an empty value still needs an
        // address.
        unsafe parameters.lend(3, bytes.baseAddress == nil ? Row.noBytes : bytes)
        parameters.set(4, Int64(state.left))
      } _: { row in
        let isWanted = state.take(row, of: device, body)
        // A key of another size means damage; the cursor stays at the last valid key.
        if let key = row.key { state.last = key }
        state.isAtEnd = isWanted
        return isWanted
      }
    }
    // The next page would begin where this one did.
    if !state.isAtEnd, state.last == walk.last {
      throw .corrupt("\(walk.left) items in a row have no valid key")
    }
    walk = state
  }

  /// Visits the items that have all terms.
  ///
  /// Each term lists its items in key order. Each step seeks the first key of one term at or after
  /// the key that another term reached last, so the steps are at most the number of items of the
  /// rarest term times the number of terms.
  private func intersect(
    _ walk: inout Walk,
    _ lookup: ItemLookup,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) {
    var candidate = walk.last.map { $0.bytes + [0] } ?? []
    var agreeing = 0
    var index = 0
    while walk.left > 0 {
      guard let next = try key(of: lookup.terms[index], from: candidate, walk) else {
        walk.isAtEnd = true
        return
      }
      agreeing = next == candidate ? agreeing + 1 : 1
      candidate = next
      index = (index + 1) % lookup.terms.count
      guard agreeing >= lookup.terms.count else { continue }
      guard try visit(candidate, &walk, lookup.device, body) else { return }
      // No key lies between a key and the same key followed by a zero byte.
      candidate.append(0)
      agreeing = 0
    }
  }

  /// The first key at or after `first` of the items that have `term`.
  private func key(
    of term: TermHash,
    from first: [UInt8],
    _ walk: borrowing Walk
  ) throws(StorageError) -> [UInt8]? {
    var found: [UInt8]?
    let (keychain, itemClass) = (walk.keychain, walk.itemClass)
    try unsafe withHalves(term.high, term.low) { (hash) throws(StorageError) in
      try unsafe first.span.bytes.withUnsafeBytes { (bytes) throws(StorageError) in
        try nextOfTerm.rows { parameters in
          parameters.set(1, keychain)
          parameters.set(2, itemClass)
          // SAFETY: both live as long as the statement runs; an empty value still needs an address.
          unsafe parameters.lend(3, bytes.baseAddress == nil ? Row.noBytes : bytes)
          parameters.set(4, Int64(term.attribute))
          unsafe parameters.lend(5, hash)
        } _: { row in
          found = row.blob(0)
          return false
        }
      }
    }
    return found
  }

  /// Lends the item of `key`, if it exists; returns false if no more are wanted.
  private func visit(
    _ key: [UInt8],
    _ walk: inout Walk,
    _ device: DeviceIdentity,
    _ body: (borrowing StoredItem) -> Bool
  ) throws(StorageError) -> Bool {
    guard let hash = ItemHash(bytes: key) else {
      walk.damaged += 1
      return true
    }
    var state = walk
    var isWanted = true
    var isThere = false
    try unsafe hash.withBytes { (bytes) throws(StorageError) in
      try byKey.rows { parameters in
        parameters.set(1, state.keychain)
        parameters.set(2, state.itemClass)
        // SAFETY: the bytes live as long as the statement runs.
        unsafe parameters.lend(3, bytes)
      } _: { row in
        isThere = true
        isWanted = state.take(row, of: device, body)
        return false
      }
    }
    // Terms are written and removed with their rows, in one transaction; a term without a row means
    // damage.
    if !isThere { state.damaged += 1 }
    state.last = hash
    walk = state
    return isWanted
  }

  private mutating func keychain(of device: DeviceIdentity) throws(StorageError) -> Int64? {
    if let last, last.device == device { return last.number }
    if let known = numbers[device] {
      last = (device, known)
      return known
    }
    var found: Int64?
    try number.eachRow([.integer(Int64(device.owner)), .text(device.name)]) { row in
      found = row.integer(0)
    }
    numbers[device] = found
    return found
  }
}
