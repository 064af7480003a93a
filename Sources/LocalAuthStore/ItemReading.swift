import LocalAuthCore
import LocalAuthKeychain

/// Reads items over one connection; one thread at a time uses it.
struct ItemReader: ~Copyable {
  private let number: Statement
  private let byKey: Statement
  private let byIdentifier: Statement
  private let byClass: Statement
  private let byAge: Statement
  private let nextOfTerm: Statement
  private let begin: Statement
  private let end: Statement
  /// Numbers of keychains, which never change once they are given.
  private var numbers: [DeviceIdentity: Int64] = [:]
  /// The one that was asked for last.
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
    // The index has the class of each row: those of other classes are passed over in it.
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
    let begin = try database.prepare("BEGIN")
    let end = try database.prepare("COMMIT")
    // All of these or none: a value with a half of its statements could not be destroyed.
    self.number = number
    self.byKey = byKey
    self.byIdentifier = byIdentifier
    self.byClass = byClass
    self.byAge = byAge
    self.nextOfTerm = nextOfTerm
    self.begin = begin
    self.end = end
  }

  /// Lends itself, for whoever holds it as an optional.
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
        // A damaged page can lead the search to another row than the one it was made for.
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

  /// Shows the moment of the first read from now on until ``leave()``; each read is cheaper for it,
  /// because none of them locks the log.
  mutating func stay() throws(StorageError) {
    guard !isStaying else { return }
    try begin.run()
    isStaying = true
  }

  /// Ends what ``stay()`` began.
  mutating func leave() {
    guard isStaying else { return }
    isStaying = false
    // After some errors SQLite has ended it by itself.
    _ = try? end.run()
  }

  /// Lends items to `body` in the order of their keys, see ``ItemReading/eachItem(_:after:limit:_:)``.
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
    // In one transaction, or the page would not show one moment; it makes each step cheaper too.
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

  /// Lends items to `body`, the oldest first, see ``ItemReading/eachItem(_:of:after:limit:_:)``.
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
        // SAFETY: the bytes live as long as the statement runs; no bytes need a place too.
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
        // An identifier of another size is damage, and the list ends there.
        page.next = isWanted ? nil : row.identifier
        return isWanted
      }
    }
    return page
  }

  /// How far a page has come.
  private struct Walk {
    let keychain: Int64
    let itemClass: Int64
    var left: Int
    var last: ItemHash?
    var damaged = 0
    /// Whether nothing comes after ``last``.
    var isAtEnd = false
    var page: ItemPage { ItemPage(next: isAtEnd ? nil : last, damaged: damaged) }

    /// Takes the row; false when no more are wanted.
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

  /// All items of a class: one range of the table.
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
        // SAFETY: the bytes live as long as the statement runs; no bytes need a place too.
        unsafe parameters.lend(3, bytes.baseAddress == nil ? Row.noBytes : bytes)
        parameters.set(4, Int64(state.left))
      } _: { row in
        let isWanted = state.take(row, of: device, body)
        // A key of another size is damage; the page ends there rather than going round in circles.
        if let key = row.key { state.last = key }
        state.isAtEnd = isWanted
        return isWanted
      }
    }
    walk = state
  }

  /// The items that have all terms.
  ///
  /// Every term has its items in the order of their keys; each step leaps to the first that is not
  /// before what another term had last, so it costs no more than the rarest term has items, times the
  /// number of terms.
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
      // Nothing lies between a key and the key with a zero byte behind it.
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
          // SAFETY: both live as long as the statement runs; no bytes need a place too.
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

  /// Lends the item of `key`, if it is there.
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
    // Terms come and go with their rows, in one transaction: one without is left behind by damage.
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
