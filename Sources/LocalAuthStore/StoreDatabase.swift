import LocalAuthCore

extension Database {
  /// Opens the store's database, creating it if it does not exist; a nil `path` means one in
  /// memory.
  ///
  /// A file that is damaged, belongs to another program or has a newer format is refused before
  /// anything is written. A read-only file is opened for reading if it has its tables; see
  /// ``isReadOnly``. `foundingTag` authenticates the ledger of a store without devices.
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
    let format = try database.checkContent(path: path)
    guard !database.isReadOnly else {
      guard let format else { throw obstacle ?? .unwritable("\(path) can only be read") }
      guard format == Schema.format else {
        throw .unwritable("\(path) has an earlier format: let it be written once")
      }
      return database
    }
    try database.beginLogging(path: path)
    if format == nil { try database.found(with: foundingTag) }
    if let format, format < Schema.format {
      try database.alone { () throws(StorageError) in
        for step in Schema.steps(from: format) { try database.execute(step) }
      }
    }
    return database
  }

  /// Throws if the content is not ours; returns its format, or nil if there is none yet.
  ///
  /// The header was checked before; this also sees the log's pages, which may be newer.
  private func checkContent(path: String) throws(StorageError) -> Int64? {
    let format = try integer("PRAGMA user_version") ?? 0
    let application = try integer("PRAGMA application_id") ?? 0
    try FormatMarker.judge(application: application, format: format, path: path)
    if format == 0 {
      guard try integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        throw .corrupt("\(path) belongs to another program")
      }
      return nil
    }
    guard try Schema.isExact(self, format: format) else {
      throw .corrupt("\(path) has tables that are not ours")
    }
    try checkPages(path: path)
    return format
  }

  /// Checks for damage: in the whole file if that takes at most 10 ms, otherwise in the tables that
  /// decide.
  ///
  /// For 100 000 audit lines 40 ms were measured. Damage in the unchecked audit fails the commits
  /// and pages that reach it.
  private func checkPages(path: String) throws(StorageError) {
    let isSmall = try integer("PRAGMA page_count") ?? 0 <= Self.mostPagesToCheck
    let checks: [StaticString] =
      isSmall
      ? ["PRAGMA quick_check(1)"]
      : [
        "PRAGMA quick_check(device)", "PRAGMA quick_check(keybag)", "PRAGMA quick_check(watermark)",
      ]
    var findings: [String?] = []
    for check in checks { findings.append(try text(check)) }
    for finding in findings where finding != "ok" {
      // SQLite reports its finding in several lines, and an error has one.
      let words = (finding ?? "no answer").split(separator: "\n").joined(separator: " ")
      throw .corrupt("\(path): \(words)")
    }
  }

  /// The largest database, in pages, that is checked whole: 4 MiB.
  private static let mostPagesToCheck: Int64 = 1024

  /// Turns on the write-ahead log: every commit is on disk when it returns, and none runs an
  /// automatic checkpoint.
  private func beginLogging(path: String) throws(StorageError) {
    guard try text("PRAGMA journal_mode = WAL") == "wal" else {
      throw .failed("\(path): this file system cannot hold a write-ahead log")
    }
    try execute("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0")
    // Removed data is overwritten: a wrapped key must not outlive its item in a free page.
    try execute("PRAGMA secure_delete = ON")
    countLogPages()
  }

  /// Creates the tables and the ledger in one transaction.
  private func found(with tag: [UInt8]) throws(StorageError) {
    try alone { () throws(StorageError) in
      for step in Schema.steps(from: 0) { try execute(step) }
      try WriterStatements(self).replaceLedger.run([.integer(0), .integer(1), .blob(tag)])
    }
  }

  /// Runs `body` as one transaction.
  private func alone(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    try execute("BEGIN IMMEDIATE")
    do {
      try body()
      try execute("COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }
}
