import LocalAuthCore
import LocalAuthKeychain

/// How a class is written in a row; never renumbered.
extension ItemClass {
  /// Its number; nil for what is never stored.
  var storedNumber: Int64? {
    switch self {
    case .genericPassword: 1
    case .internetPassword: 2
    case .certificate: 3
    case .key: 4
    case .identity: nil
    }
  }

  /// The class of that number; nil for any other.
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

  /// Prepares the statements on `database`.
  init(_ database: borrowing Database) throws(StorageError) {
    let number = try database.prepare("SELECT number FROM keychain WHERE owner = ? AND name = ?")
    let addKeychain = try database.prepare("INSERT INTO keychain (owner, name) VALUES (?, ?)")
    let insertItem = try database.prepare(
      """
      INSERT INTO item (keychain, class, key, id, protection, class_key, sync, tombstone, modified,
        terms, access_control, wrapped_key, attributes, secret)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    )
    // A term that is there already, given twice or left behind by damage, is as good as a new one.
    let insertTerm = try database.prepare(
      """
      INSERT OR IGNORE INTO term (keychain, attribute, hash, class, key) VALUES (?, ?, ?, ?, ?)
      """
    )
    let find = try database.prepare(
      "SELECT class, key, terms FROM item WHERE keychain = ? AND id = ?"
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
    // All of these or none: a value with a half of its statements could not be destroyed.
    self.number = number
    self.addKeychain = addKeychain
    self.insertItem = insertItem
    self.insertTerm = insertTerm
    self.find = find
    self.deleteItem = deleteItem
    self.deleteTerm = deleteTerm
    self.deleteItems = deleteItems
    self.deleteTerms = deleteTerms
  }

  /// Adds the item; its key and its identifier must be free.
  func insert(_ item: SealedItem) throws(StorageError) {
    let header = item.header
    guard let itemClass = header.itemClass.storedNumber else {
      throw .failed("an identity is no item that could be stored")
    }
    guard item.byteCount <= SealedItem.mostBytes else {
      throw .failed("an item may have \(SealedItem.mostBytes) bytes, this one is larger")
    }
    let known = try existingNumber(of: header.device)
    let keychain = if let known { known } else { try newNumber(of: header.device) }
    let key = header.key.bytes
    try insertItem.run([
      .integer(keychain), .integer(itemClass), .blob(key), .blob(header.identifier.bytes),
      .integer(Int64(header.protection.code)), .integer(Int64(bitPattern: header.classKey)),
      .integer(header.isSynchronizable ? 1 : 0), .integer(header.isTombstone ? 1 : 0),
      .integer(header.modified.milliseconds),
      .blob(item.terms.flatMap { [$0.attribute] + $0.bytes }), .blob(item.accessControl),
      .blob(item.wrappedKey), .blob(item.attributes), item.secret.map { .blob($0) } ?? .null,
    ])
    for term in item.terms {
      try insertTerm.run([
        .integer(keychain), .integer(Int64(term.attribute)), .blob(term.bytes),
        .integer(itemClass), .blob(key),
      ])
    }
  }

  /// Removes the item of that identifier; false when there was none.
  @discardableResult
  func remove(
    _ identifier: ItemIdentifier,
    of device: DeviceIdentity
  ) throws(StorageError) -> Bool {
    guard let keychain = try existingNumber(of: device) else { return false }
    var found: (itemClass: Int64, key: [UInt8], terms: [UInt8])?
    try find.eachRow([.integer(keychain), .blob(identifier.bytes)]) { row in
      found = (row.integer(0), row.blob(1), row.blob(2))
    }
    guard let found else { return false }
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
  /// The keychain keeps its number, so that a reader that knows it is never wrong.
  func removeAll(of device: DeviceIdentity) throws(StorageError) {
    guard let keychain = try existingNumber(of: device) else { return }
    try deleteItems.run([.integer(keychain)])
    try deleteTerms.run([.integer(keychain)])
  }

  private func existingNumber(of device: DeviceIdentity) throws(StorageError) -> Int64? {
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
