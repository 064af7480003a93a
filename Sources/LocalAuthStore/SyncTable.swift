import LocalAuthCore

/// Writes what devices keep of their synchronization, inside the caller's transaction.
struct SyncTable: ~Copyable {
  private let put: Statement
  private let remove: Statement
  private let removeAll: Statement
  private let putWatermarks: Statement
  private let removeWatermarks: Statement

  /// Prepares the statements on `database`.
  init(_ database: borrowing Database) throws(StorageError) {
    let put = try database.prepare(
      "INSERT OR REPLACE INTO sync (keychain, key, sealed) VALUES (?, ?, ?)"
    )
    let remove = try database.prepare("DELETE FROM sync WHERE keychain = ? AND key = ?")
    let removeAll = try database.prepare("DELETE FROM sync WHERE keychain = ?")
    let putWatermarks = try database.prepare(
      "INSERT OR REPLACE INTO watermark (owner, name, sequence, places, tag) VALUES (?, ?, ?, ?, ?)"
    )
    let removeWatermarks = try database.prepare(
      "DELETE FROM watermark WHERE owner = ? AND name = ?"
    )
    // All of these or none: a partly initialized value could not be destroyed.
    self.put = put
    self.remove = remove
    self.removeAll = removeAll
    self.putWatermarks = putWatermarks
    self.removeWatermarks = removeWatermarks
  }

  /// Writes or removes a row of the keychain with this number.
  func write(_ row: SealedRow, of keychain: Int64) throws(StorageError) {
    guard let sealed = row.sealed else {
      try remove.run([.integer(keychain), .blob(row.name)])
      return
    }
    try put.run([.integer(keychain), .blob(row.name), .blob(sealed)])
  }

  /// Removes every row of the keychain with this number.
  func removeRows(of keychain: Int64) throws(StorageError) {
    try removeAll.run([.integer(keychain)])
  }

  /// Writes the watermarks of a device; nil removes them.
  func write(_ row: WatermarkRow?, of device: DeviceIdentity) throws(StorageError) {
    let key: [StatementValue] = [.integer(Int64(device.owner)), .text(device.name)]
    guard let row else {
      try removeWatermarks.run(key)
      return
    }
    try putWatermarks.run(
      key + [.integer(Int64(bitPattern: row.sequence)), .blob(row.places), .blob(row.tag)]
    )
  }
}

/// How far a device verified what others sent, as the database has it.
struct WatermarkRow {
  var sequence: UInt64
  var places: [UInt8]
  var tag: [UInt8]

  func isGenuine(of device: DeviceIdentity, under tagger: any RecordTagger) -> Bool {
    let message = Ledger.message(.watermark, of: device, sequence: sequence, places)
    return tagger.verify(tag, over: message)
  }
}
