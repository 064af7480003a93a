import LocalAuthCore
import LocalAuthKeychain

/// The number that stands for a class in a row; never renumbered.
extension ItemClass {
  /// The stored number; nil for a class that is never stored.
  var storedNumber: Int64? {
    switch self {
    case .genericPassword: 1
    case .internetPassword: 2
    case .certificate: 3
    case .key: 4
    case .identity: nil
    }
  }

  /// The class with that number; nil if there is none.
  init?(storedNumber: Int64) {
    switch storedNumber {
    case 1: self = .genericPassword
    case 2: self = .internetPassword
    case 3: self = .certificate
    case 4: self = .key
    default: return nil
    }
  }
}

/// Writes items, inside the caller's transaction.
struct ItemTable: ~Copyable {
  private let number: Statement
  private let addKeychain: Statement
  private let insertItem: Statement
  private let insertTerm: Statement
  private let find: Statement
  private let deleteItem: Statement
  private let deleteTerm: Statement
  private let deleteItems: Statement
  private let deleteTerms: Statement
  private var usage: ItemUsage
  /// The keychain written to last; a number never changes once its transaction is committed.
  private var last: (device: DeviceIdentity, number: Int64)?

  /// Prepares the statements on `database`.
  init(
    _ database: borrowing Database,
    _ quota: UserQuota = UserQuota()
  ) throws(StorageError) {
    let usage = try ItemUsage(database, quota)
    let number = try database.prepare("SELECT number FROM keychain WHERE owner = ? AND name = ?")
    let addKeychain = try database.prepare("INSERT INTO keychain (owner, name) VALUES (?, ?)")
    let insertItem = try database.prepare(
      """
      INSERT INTO item (keychain, class, key, id, protection, class_key, sync, tombstone, modified,
        terms, access_control, wrapped_key, attributes, secret)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    )
    // A term that exists already, given twice or left behind by damage, is as good as a new one.
    let insertTerm = try database.prepare(
      """
      INSERT OR IGNORE INTO term (keychain, attribute, hash, class, key) VALUES (?, ?, ?, ?, ?)
      """
    )
    let find = try database.prepare(
      """
      SELECT class, key, terms, length(terms) + length(access_control) + length(wrapped_key)
        + length(attributes) + coalesce(length(secret), 0)
      FROM item WHERE keychain = ? AND id = ?
      """
    )
    let deleteItem = try database.prepare(
      "DELETE FROM item WHERE keychain = ? AND class = ? AND key = ?"
    )
    let deleteTerm = try database.prepare(
      """
      DELETE FROM term
      WHERE keychain = ? AND attribute = ? AND hash = ? AND class = ? AND key = ?
      """
    )
    let deleteItems = try database.prepare("DELETE FROM item WHERE keychain = ?")
    let deleteTerms = try database.prepare("DELETE FROM term WHERE keychain = ?")
    // All of these or none: a partly initialized value could not be destroyed.
    self.number = number
    self.addKeychain = addKeychain
    self.insertItem = insertItem
    self.insertTerm = insertTerm
    self.find = find
    self.deleteItem = deleteItem
    self.deleteTerm = deleteTerm
    self.deleteItems = deleteItems
    self.deleteTerms = deleteTerms
    self.usage = usage
  }

  /// Adds the item; its key and its identifier must be free.
  mutating func insert(_ item: SealedItem) throws(StorageError) {
    let header = item.header
    guard let itemClass = header.itemClass.storedNumber else {
      throw .failed("an identity is no item that could be stored")
    }
    guard item.byteCount <= SealedItem.mostBytes else {
      throw .failed("an item may have \(SealedItem.mostBytes) bytes, this one is larger")
    }
    let keychain = try number(for: header.device)
    try usage.note(1, bytes: Int64(item.byteCount), of: header.device)
    try unsafe header.key.withBytes { (key) throws(StorageError) in
      try unsafe insert(item, keychain, itemClass, key)
      for term in item.terms { try unsafe insert(term, keychain, itemClass, key) }
    }
  }

  private func insert(
    _ item: SealedItem,
    _ keychain: Int64,
    _ itemClass: Int64,
    _ key: UnsafeRawBufferPointer
  ) throws(StorageError) {
    let identifier = item.header.identifier
    _ = try unsafe withHalves(identifier.high, identifier.low) { (id) throws(StorageError) in
      try insertItem.run { (parameters) throws(StorageError) in
        parameters.set(1, keychain)
        // SAFETY: key and identifier live as long as the statement runs.
        try unsafe parameters.set(item, itemClass, key, id, from: 2)
      }
    }
  }

  private func insert(
    _ term: TermHash,
    _ keychain: Int64,
    _ itemClass: Int64,
    _ key: UnsafeRawBufferPointer
  ) throws(StorageError) {
    _ = try unsafe withHalves(term.high, term.low) { (hash) throws(StorageError) in
      try insertTerm.run { parameters in
        parameters.set(1, keychain)
        parameters.set(2, Int64(term.attribute))
        // SAFETY: both live as long as the statement runs.
        unsafe parameters.lend(3, hash)
        parameters.set(4, itemClass)
        unsafe parameters.lend(5, key)
      }
    }
  }

  /// The terms as a row stores them, 17 bytes each.
  static func bytes(of terms: [TermHash]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(17 * terms.count)
    for term in terms {
      bytes.append(term.attribute)
      unsafe withHalves(term.high, term.low) { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// Removes the item with that identifier; returns whether there was one.
  @discardableResult
  mutating func remove(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity
  ) throws(StorageError) -> Bool {
    guard let keychain = try existingNumber(of: device) else { return false }
    var found: (itemClass: Int64, key: [UInt8], terms: [UInt8], bytes: Int64)?
    try find.eachRow([.integer(keychain), .blob(identifier.bytes)]) { row in
      found = (row.integer(0), row.blob(1), row.blob(2), row.integer(3))
    }
    guard let found else { return false }
    try usage.note(-1, bytes: found.bytes, of: device)
    let place: [StatementValue] = [.integer(found.itemClass), .blob(found.key)]
    for start in stride(from: 0, to: found.terms.count - 16, by: 17) {
      try deleteTerm.run(
        [
          .integer(keychain), .integer(Int64(found.terms[start])),
          .blob(Array(found.terms[(start + 1)..<(start + 17)])),
        ] + place
      )
    }
    return try deleteItem.run([.integer(keychain)] + place) > 0
  }

  /// Removes every item of `device`.
  ///
  /// The keychain keeps its number, so that numbers cached by readers stay valid.
  mutating func removeAll(of device: DeviceIdentity) throws(StorageError) {
    guard let keychain = try existingNumber(of: device) else { return }
    try usage.note(0, bytes: 0, of: device)
    try deleteItems.run([.integer(keychain)])
    try deleteTerms.run([.integer(keychain)])
    try usage.recount(device)
  }

  /// Throws if the transaction takes a user over the quota.
  func checkUsage() throws(StorageError) { try usage.check() }

  /// Notes that the transaction is durable.
  mutating func transactionWasCommitted() { usage.transactionWasCommitted() }

  /// Drops cached numbers and usage after a transaction was rolled back.
  mutating func transactionWasUndone() {
    last = nil
    usage.transactionWasUndone()
  }

  /// The number of a device's keychain, which is made with its first row.
  mutating func number(for device: DeviceIdentity) throws(StorageError) -> Int64 {
    if let last, last.device == device { return last.number }
    let known = try existingNumber(of: device)
    let number = if let known { known } else { try newNumber(of: device) }
    last = (device, number)
    return number
  }

  /// The number of a device's keychain; nil if it has none.
  func existingNumber(of device: DeviceIdentity) throws(StorageError) -> Int64? {
    var found: Int64?
    try number.eachRow([.integer(Int64(device.owner)), .text(device.name)]) { row in
      found = row.integer(0)
    }
    return found
  }

  private func newNumber(of device: DeviceIdentity) throws(StorageError) -> Int64 {
    try addKeychain.run([.integer(Int64(device.owner)), .text(device.name)])
    guard let made = try existingNumber(of: device) else {
      throw .corrupt("a keychain that was just made is not there")
    }
    return made
  }
}
