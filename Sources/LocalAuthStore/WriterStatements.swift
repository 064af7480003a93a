import LocalAuthCore

/// What the writer says to SQLite, prepared once.
struct WriterStatements: ~Copyable {
  let begin: Statement
  let end: Statement
  let putDevice: Statement
  let removeDevice: Statement
  let putKeybag: Statement
  let removeKeybag: Statement
  /// Changes the ledger only if it is the one that we know.
  let putLedger: Statement
  /// Writes the ledger whatever there was.
  let replaceLedger: Statement
  let setTrust: Statement

  /// Prepares them on `database`.
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
    let putKeybag = try database.prepare(
      """
      INSERT INTO keybag (owner, name, sequence, sealed, tag) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (owner, name) DO UPDATE SET sequence = excluded.sequence,
        sealed = excluded.sealed, tag = excluded.tag
      """
    )
    let removeKeybag = try database.prepare("DELETE FROM keybag WHERE owner = ? AND name = ?")
    let putLedger = try database.prepare(
      "UPDATE ledger SET sequence = ?, lost = ?, tag = ? WHERE id = 1 AND tag = ?"
    )
    let replaceLedger = try database.prepare(
      "INSERT OR REPLACE INTO ledger (id, sequence, lost, tag) VALUES (1, ?, ?, ?)"
    )
    let setTrust = try database.prepare(
      "UPDATE device SET trusted = ? WHERE owner = ? AND name = ?"
    )
    // All of these or none: a value with a half of its statements could not be destroyed.
    self.begin = begin
    self.end = end
    self.putDevice = putDevice
    self.removeDevice = removeDevice
    self.putKeybag = putKeybag
    self.removeKeybag = removeKeybag
    self.putLedger = putLedger
    self.replaceLedger = replaceLedger
    self.setTrust = setTrust
  }
}
