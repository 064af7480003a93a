import LocalAuthCore

extension Database {
  /// Opens the store's database, creating it when it does not exist; nil for one in memory.
  ///
  /// A file that is damaged, foreign or from the future is refused before anything is written. One that
  /// can only be read is opened for reading, where it has its tables; see ``isReadOnly``.
  /// `foundingTag` vouches for the ledger of a store without devices.
  static func openStore(
    at path: String?,
    foundingTag: [UInt8]
  ) throws(StorageError) -> Database {
    guard let path else {
      let database = try Database.open("", .memory)
      try database.found(with: foundingTag)
      return database
    }
    let obstacle = try FormatMarker.check(path: path)
    let database = try Database.open(path, obstacle == nil ? .readWrite : .readOnly)
    let isEmpty = try database.checkContent(path: path)
    guard !database.isReadOnly else {
      guard !isEmpty else { throw obstacle ?? .unwritable("\(path) can only be read") }
      return database
    }
    try database.beginLogging(path: path)
    if isEmpty { try database.found(with: foundingTag) }
    return database
  }

  /// Refuses content that is not ours; says whether there is none yet.
  ///
  /// The header was looked at before; this sees the log's pages too, which may be newer.
  private func checkContent(path: String) throws(StorageError) -> Bool {
    let format = try integer("PRAGMA user_version") ?? 0
    let application = try integer("PRAGMA application_id") ?? 0
    try FormatMarker.judge(application: application, format: format, path: path)
    if format == 0 {
      guard try integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        throw .corrupt("\(path) belongs to another program")
      }
      return true
    }
    guard try Schema.isExact(self) else { throw .corrupt("\(path) has tables that are not ours") }
    try checkPages(path: path)
    return false
  }

  /// Looks for damage, in the whole file while that takes 10 ms at most (40 ms were measured for
  /// 100 000 audit lines), else in the tables that decide; damage in the audit then fails the
  /// commits and pages that meet it.
  private func checkPages(path: String) throws(StorageError) {
    let isSmall = try integer("PRAGMA page_count") ?? 0 <= Self.mostPagesToCheck
    let checks: [StaticString] =
      isSmall
      ? ["PRAGMA quick_check(1)"]
      : [
        "PRAGMA quick_check(device)", "PRAGMA quick_check(ledger)", "PRAGMA quick_check(keybag)",
      ]
    var findings: [String?] = []
    for check in checks { findings.append(try text(check)) }
    for finding in findings where finding != "ok" {
      // SQLite's finding is a report of several lines, and an error is one.
      let words = (finding ?? "no answer").split(separator: "\n").joined(separator: " ")
      throw .corrupt("\(path): \(words)")
    }
  }

  /// 4 MiB.
  private static let mostPagesToCheck: Int64 = 1024

  /// Every commit is on the disk when it returns, and no commit pays for a checkpoint.
  private func beginLogging(path: String) throws(StorageError) {
    guard try text("PRAGMA journal_mode = WAL") == "wal" else {
      throw .failed("\(path): this file system cannot hold a write-ahead log")
    }
    try execute("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0")
    // What was removed is overwritten: a wrapped key must not outlive its item in a free page.
    try execute("PRAGMA secure_delete = ON")
    countLogPages()
  }

  /// Makes the tables and the ledger, all or nothing.
  private func found(with tag: [UInt8]) throws(StorageError) {
    try execute("BEGIN IMMEDIATE")
    do {
      try execute(Schema.tables)
      try prepare("INSERT INTO ledger (id, sequence, lost, tag) VALUES (1, 0, 0, ?)")
        .run([.blob(tag)])
      try execute("COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }
}
