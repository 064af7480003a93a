import LocalAuthCore

/// The writer's statements, prepared once.
struct WriterStatements: ~Copyable {
  let begin: Statement
  let end: Statement
  let putDevice: Statement
  let removeDevice: Statement
  private let readKeybags: Statement
  private let clearKeybags: Statement
  private let addKeybag: Statement
  /// Updates the ledger only if its tag is the one the writer knows.
  let putLedger: Statement
  /// Writes the ledger unconditionally.
  let replaceLedger: Statement
  let setTrust: Statement

  /// Prepares the statements on `database`.
  init(_ database: borrowing Database) throws(StorageError) {
    let begin = try database.prepare("BEGIN IMMEDIATE")
    let end = try database.prepare("COMMIT")
    let putDevice = try database.prepare(
      """
      INSERT INTO device (owner, name, sequence, trusted, record, tag) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner, name) DO UPDATE SET sequence = excluded.sequence,
        trusted = excluded.trusted, record = excluded.record, tag = excluded.tag
      """
    )
    let removeDevice = try database.prepare("DELETE FROM device WHERE owner = ? AND name = ?")
    let readKeybags = try database.prepare("SELECT owner, name, sequence, sealed, tag FROM keybag")
    let clearKeybags = try database.prepare("DELETE FROM keybag")
    let addKeybag = try database.prepare(
      "INSERT INTO keybag (owner, name, sequence, sealed, tag) VALUES (?, ?, ?, ?, ?)"
    )
    let putLedger = try database.prepare(
      "UPDATE device SET sequence = ?, trusted = ?, tag = ? WHERE owner = -1 AND tag = ?"
    )
    let replaceLedger = try database.prepare(
      """
      INSERT OR REPLACE INTO device (owner, name, sequence, trusted, record, tag)
      VALUES (-1, '', ?, ?, x'', ?)
      """
    )
    let setTrust = try database.prepare(
      "UPDATE device SET trusted = ? WHERE owner = ? AND name = ?"
    )
    // All of these or none: a partly initialized value could not be destroyed.
    self.begin = begin
    self.end = end
    self.putDevice = putDevice
    self.removeDevice = removeDevice
    self.readKeybags = readKeybags
    self.clearKeybags = clearKeybags
    self.addKeybag = addKeybag
    self.putLedger = putLedger
    self.replaceLedger = replaceLedger
    self.setTrust = setTrust
  }

  /// Rewrites all keybags, without that of `identity`, and with `row` unless it is nil.
  ///
  /// A destroyed class key must be gone once its commit is durable. Emptying the table overwrites
  /// each of its pages; changing one row could leave copies between the cells of the others.
  /// Keybags are few and change with the passcode.
  func rewriteKeybags(
    without identity: DeviceIdentity,
    adding row: [StatementValue]?
  ) throws(StorageError) {
    var rows: [[StatementValue]] = []
    var isThere = false
    try readKeybags.eachRow { row in
      if row.integer(0) == Int64(identity.owner), row.text(1) == identity.name {
        isThere = true
      } else {
        rows.append([
          .integer(row.integer(0)), .text(row.text(1)), .integer(row.integer(2)),
          .blob(row.blob(3)), .blob(row.blob(4)),
        ])
      }
    }
    guard isThere || row != nil else { return }
    try clearKeybags.run()
    for row in rows { try addKeybag.run(row) }
    if let row { try addKeybag.run(row) }
  }
}
