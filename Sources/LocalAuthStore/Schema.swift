import LocalAuthCore

/// The tables of the store.
///
/// `PRAGMA user_version` holds the format of a file, `PRAGMA application_id` marks it as ours.
enum Schema {
  /// The letters LAut.
  ///
  /// https://www.sqlite.org/pragma.html#pragma_application_id
  static let applicationID: Int32 = 0x4C41_7574

  /// The format that is written; the tables of a format never change.
  static let format: Int64 = 5

  /// The SQL that makes each format of the one before, beginning with an empty database.
  ///
  /// An earlier format is brought up to ``format`` when it is opened for writing. A new database is made by all steps,
  /// so that it has the same text as one that was brought up.
  static let steps: [(format: Int64, text: StaticString)] = [
    (2, tables), (3, additions), (4, synchronization), (5, fewerPages),
  ]

  /// The SQL that brings a database of `format` to the current one, in order; 0 is an empty one.
  static func steps(from format: Int64) -> [StaticString] {
    steps.filter { $0.format > format }.map(\.text)
  }

  /// Format 5: fewer pages for each commit.
  ///
  /// The ledger is a row of the devices' table, on the page that a commit of a device changes anyway, and no index finds an
  /// audit line by its identifier. The ledger has no owner and no name: -1 and ''. It is trusted if no device may be missing.
  static let fewerPages: StaticString = """
    CREATE TABLE device5 (
      owner INTEGER NOT NULL CHECK (owner BETWEEN -1 AND 4294967295),
      name TEXT NOT NULL
        CHECK (CASE owner WHEN -1 THEN name = ''
          ELSE name GLOB '[A-Za-z0-9]*' AND name NOT GLOB '*[^A-Za-z0-9._-]*' AND length(name) <= 64
          END),
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      trusted INTEGER NOT NULL CHECK (trusted IN (0, 1)),
      record BLOB NOT NULL,
      tag BLOB NOT NULL,
      PRIMARY KEY (owner, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO device5 SELECT -1, '', sequence, 1 - lost, x'', tag FROM ledger;
    INSERT INTO device5 SELECT owner, name, sequence, trusted, record, tag FROM device;
    DROP TABLE ledger;
    DROP TABLE device;
    ALTER TABLE device5 RENAME TO device;
    CREATE TABLE audit5 (
      owner INTEGER NOT NULL,
      line INTEGER NOT NULL,
      id BLOB NOT NULL CHECK (length(id) = 16),
      action TEXT NOT NULL,
      device TEXT NOT NULL,
      caller_uid INTEGER NOT NULL,
      caller_pid INTEGER NOT NULL,
      policy TEXT NOT NULL,
      reason TEXT NOT NULL,
      simulated INTEGER NOT NULL,
      began INTEGER NOT NULL,
      ended INTEGER,
      outcome TEXT,
      method TEXT NOT NULL,
      finger TEXT,
      attempts INTEGER NOT NULL,
      detail TEXT NOT NULL,
      program TEXT NOT NULL,
      program_path TEXT NOT NULL,
      terminal TEXT NOT NULL,
      shown_action TEXT NOT NULL,
      PRIMARY KEY (owner, line)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO audit5 SELECT owner, line, id, action, device, caller_uid, caller_pid, policy, reason,
      simulated, began, ended, outcome, method, finger, attempts, detail, program, program_path,
      terminal, shown_action FROM audit;
    DROP TABLE audit;
    ALTER TABLE audit5 RENAME TO audit;
    PRAGMA user_version = 5;
    """

  /// Format 4: what a device keeps of its synchronization, sealed row by row, and how far what others sent was verified.
  static let synchronization: StaticString = """
    CREATE TABLE sync (
      keychain INTEGER NOT NULL,
      key BLOB NOT NULL CHECK (length(key) = 32),
      sealed BLOB NOT NULL,
      PRIMARY KEY (keychain, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE watermark (
      owner INTEGER NOT NULL CHECK (owner BETWEEN 0 AND 4294967295),
      name TEXT NOT NULL
        CHECK (name GLOB '[A-Za-z0-9]*' AND name NOT GLOB '*[^A-Za-z0-9._-]*'
          AND length(name) <= 64),
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      places BLOB NOT NULL,
      tag BLOB NOT NULL,
      PRIMARY KEY (owner, name)
    ) STRICT, WITHOUT ROWID;
    PRAGMA user_version = 4;
    """

  /// Format 3: who a caller was, and what a person was shown.
  static let additions: StaticString = """
    ALTER TABLE audit ADD COLUMN program TEXT NOT NULL DEFAULT '';
    ALTER TABLE audit ADD COLUMN program_path TEXT NOT NULL DEFAULT '';
    ALTER TABLE audit ADD COLUMN terminal TEXT NOT NULL DEFAULT '';
    ALTER TABLE audit ADD COLUMN shown_action TEXT NOT NULL DEFAULT '';
    PRAGMA user_version = 3;
    """

  /// Format 2, in an empty database.
  static let tables: StaticString = """
    CREATE TABLE device (
      owner INTEGER NOT NULL CHECK (owner BETWEEN 0 AND 4294967295),
      name TEXT NOT NULL
        CHECK (name GLOB '[A-Za-z0-9]*' AND name NOT GLOB '*[^A-Za-z0-9._-]*'
          AND length(name) <= 64),
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      trusted INTEGER NOT NULL CHECK (trusted IN (0, 1)),
      record BLOB NOT NULL,
      tag BLOB NOT NULL,
      PRIMARY KEY (owner, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ledger (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      lost INTEGER NOT NULL CHECK (lost IN (0, 1)),
      tag BLOB NOT NULL
    ) STRICT;
    CREATE TABLE audit (
      owner INTEGER NOT NULL,
      line INTEGER NOT NULL,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      action TEXT NOT NULL,
      device TEXT NOT NULL,
      caller_uid INTEGER NOT NULL,
      caller_pid INTEGER NOT NULL,
      policy TEXT NOT NULL,
      reason TEXT NOT NULL,
      simulated INTEGER NOT NULL,
      began INTEGER NOT NULL,
      ended INTEGER,
      outcome TEXT,
      method TEXT NOT NULL,
      finger TEXT,
      attempts INTEGER NOT NULL,
      detail TEXT NOT NULL,
      PRIMARY KEY (owner, line)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE keybag (
      owner INTEGER NOT NULL CHECK (owner BETWEEN 0 AND 4294967295),
      name TEXT NOT NULL
        CHECK (name GLOB '[A-Za-z0-9]*' AND name NOT GLOB '*[^A-Za-z0-9._-]*'
          AND length(name) <= 64),
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      sealed BLOB NOT NULL,
      tag BLOB NOT NULL,
      PRIMARY KEY (owner, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE keychain (
      number INTEGER PRIMARY KEY,
      owner INTEGER NOT NULL CHECK (owner BETWEEN 0 AND 4294967295),
      name TEXT NOT NULL,
      UNIQUE (owner, name)
    ) STRICT;
    CREATE TABLE item (
      keychain INTEGER NOT NULL,
      class INTEGER NOT NULL CHECK (class BETWEEN 1 AND 4),
      key BLOB NOT NULL CHECK (length(key) = 32),
      id BLOB NOT NULL CHECK (length(id) = 16),
      protection INTEGER NOT NULL CHECK (protection BETWEEN 0 AND 255),
      class_key INTEGER NOT NULL,
      sync INTEGER NOT NULL CHECK (sync IN (0, 1)),
      tombstone INTEGER NOT NULL CHECK (tombstone IN (0, 1)),
      modified INTEGER NOT NULL,
      terms BLOB NOT NULL CHECK (length(terms) % 17 = 0),
      access_control BLOB NOT NULL,
      wrapped_key BLOB NOT NULL,
      attributes BLOB NOT NULL,
      secret BLOB,
      PRIMARY KEY (keychain, class, key)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX item_id ON item (keychain, id);
    CREATE TABLE term (
      keychain INTEGER NOT NULL,
      attribute INTEGER NOT NULL CHECK (attribute BETWEEN 0 AND 255),
      hash BLOB NOT NULL CHECK (length(hash) = 16),
      class INTEGER NOT NULL,
      key BLOB NOT NULL,
      PRIMARY KEY (keychain, attribute, hash, class, key)
    ) STRICT, WITHOUT ROWID;
    PRAGMA application_id = 0x4C417574;
    PRAGMA user_version = 2;
    """

  /// Whether the database has exactly the tables of `format`; anything added could act on our
  /// writes.
  static func isExact(
    _ database: borrowing Database,
    format: Int64 = format
  ) throws(StorageError) -> Bool {
    let model = try Database.open("", .memory)
    for step in steps where step.format <= format { try model.execute(step.text) }
    return try description(of: database) == description(of: model)
  }

  private static func description(of database: borrowing Database) throws(StorageError) -> [String]
  {
    var objects: [String] = []
    // Statistics, which ANALYZE leaves behind, are the only objects that may be added.
    let query = try database.prepare(
      """
      SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '')
      FROM sqlite_schema WHERE name NOT GLOB 'sqlite_stat[0-9]' ORDER BY type, name
      """
    )
    try query.eachRow { row in objects.append(row.text(0)) }
    return objects
  }
}
