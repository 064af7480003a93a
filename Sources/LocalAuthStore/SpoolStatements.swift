import LocalAuthCore
import LocalAuthKeychain

/// The tables of a spool, and its statements, prepared once.
struct SpoolStatements: ~Copyable {
  let noteIdentifier: Statement
  let noteKey: Statement
  let findKey: Statement
  let insert: Statement
  let next: Statement
  let place: Statement
  let remove: Statement
  let added: Statement
  let find: Statement
  let removed: Statement

  /// Every page stays in the one transaction, so there is nothing to undo, to sync or to share.
  private static let settings: StaticString = """
    PRAGMA journal_mode = MEMORY;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -4096;
    """

  /// `name` has the items by key, and where what is added is; NULL adds nothing.
  private static let tables: StaticString = """
    CREATE TABLE name (key BLOB PRIMARY KEY, place INTEGER) STRICT, WITHOUT ROWID;
    CREATE TABLE identifier (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
    CREATE TABLE item (
      place INTEGER PRIMARY KEY,
      class INTEGER NOT NULL,
      key BLOB NOT NULL,
      id BLOB NOT NULL,
      protection INTEGER NOT NULL,
      class_key INTEGER NOT NULL,
      sync INTEGER NOT NULL,
      tombstone INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      terms BLOB NOT NULL,
      access_control BLOB NOT NULL,
      wrapped_key BLOB NOT NULL,
      attributes BLOB NOT NULL,
      secret BLOB,
      digest BLOB
    ) STRICT;
    CREATE TABLE removed (id BLOB NOT NULL) STRICT;
    """

  /// Makes the tables in an empty database, begins its transaction, and prepares the statements.
  init(_ database: borrowing Database) throws(StorageError) {
    try database.execute(Self.settings)
    try database.execute(Self.tables)
    try database.execute("BEGIN EXCLUSIVE")
    let noteIdentifier = try database.prepare("INSERT OR IGNORE INTO identifier VALUES (?)")
    let noteKey = try database.prepare("INSERT OR IGNORE INTO name VALUES (?, ?)")
    let findKey = try database.prepare("SELECT 1 FROM name WHERE key = ?")
    let insert = try database.prepare(
      """
      INSERT INTO item (class, key, id, protection, class_key, sync, tombstone, modified, terms,
        access_control, wrapped_key, attributes, secret, digest, place)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    )
    // What is added in place of another one has no digest, because it is not decided about.
    let next = try database.prepare(
      """
      SELECT class, key, id, modified, digest, place FROM item
      WHERE place > ? AND digest IS NOT NULL ORDER BY place LIMIT ?
      """
    )
    let place = try database.prepare("UPDATE name SET place = ? WHERE key = ?")
    let remove = try database.prepare("INSERT INTO removed VALUES (?)")
    // In the order of the keys the pages of the keychain are written one after another.
    let added = try database.prepare(
      """
      SELECT class, item.key, id, protection, class_key, sync, tombstone, modified, terms,
        access_control, wrapped_key, attributes, secret
      FROM name CROSS JOIN item ON item.place = name.place ORDER BY name.key
      """
    )
    let find = try database.prepare(
      """
      SELECT class, item.key, id, protection, class_key, sync, tombstone, modified, terms,
        access_control, wrapped_key, attributes, secret
      FROM name CROSS JOIN item ON item.place = name.place WHERE name.key = ?
      """
    )
    let removed = try database.prepare("SELECT id FROM removed")
    // All of these or none: a partly initialized value could not be destroyed.
    self.noteIdentifier = noteIdentifier
    self.noteKey = noteKey
    self.findKey = findKey
    self.insert = insert
    self.next = next
    self.place = place
    self.remove = remove
    self.added = added
    self.find = find
    self.removed = removed
  }
}
