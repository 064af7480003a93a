import CLocalAuthSQLite
import Glibc
import LocalAuthCore
import Testing

@testable import LocalAuthStore

@Suite struct DatabaseTests {
  @Test func valuesComeBackAsTheyWereBound() throws {
    let database = try Database.open("", .memory)
    let echo = try database.prepare("SELECT ?1, ?2, ?3, ?4, ?5, ?6")
    var rows = 0
    try echo.eachRow([
      .integer(.min), .text("grüße\u{0}!"), .blob([0, 255]), .null, .text(""), .blob([]),
    ]) { row in
      rows += 1
      let (number, text, blob) = (row.integer(0), row.text(1), row.blob(2))
      #expect(number == .min && text == "grüße\u{0}!" && blob == [0, 255])
      let nulls = (3..<6).map { row.isNull($0) }
      #expect(nulls == [true, false, false])
      let (emptyText, emptyBlob) = (row.text(4), row.blob(5))
      #expect(emptyText.isEmpty && emptyBlob.isEmpty)
    }
    #expect(rows == 1)
  }

  @Test func aStatementForgetsWhatWasBound() throws {
    let database = try Database.open("", .memory)
    let echo = try database.prepare("SELECT ?1")
    var seen: [Int64?] = []
    try echo.eachRow([.integer(5)]) { row in seen.append(row.isNull(0) ? nil : row.integer(0)) }
    try echo.eachRow { row in seen.append(row.isNull(0) ? nil : row.integer(0)) }
    #expect(seen == [5, nil])
  }

  @Test func errorsNameTheStatementAndNeverAValue() throws {
    let database = try Database.open("", .memory)
    try database.execute("CREATE TABLE t (v TEXT PRIMARY KEY CHECK (length(v) < 5)) STRICT")
    let insert = try database.prepare("INSERT INTO t VALUES (?)")
    do throws(StorageError) {
      try insert.run([.text("hunter2")])
      Issue.record("it was inserted")
    } catch {
      let words = "\(error)"
      #expect(words.contains("INSERT INTO t VALUES (?)"))
      #expect(!words.contains("hunter2"))
    }
  }

  @Test func nothingInASchemaActs() throws {
    let database = try Database.open("", .memory)
    try database.execute(
      """
      CREATE TABLE t (v); CREATE TABLE log (v);
      CREATE TRIGGER spy AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.v); END;
      INSERT INTO t VALUES (1)
      """
    )
    #expect(try database.integer("SELECT count(*) FROM log") == 0)
    #expect(throws: StorageError.self) {
      try database.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema")
    }
  }

  @Test func aNameThatLooksLikeAURIIsAName() {
    #expect(throws: StorageError.self) {
      _ = try Database.open("file:/nowhere/x?mode=memory", .readOnly)
    }
  }

  @Test(
    arguments: [
      (SQLITE_FULL, 0, StorageError.full), (SQLITE_IOERR, ENOSPC, .full),
      (SQLITE_IOERR, EDQUOT, .full), (SQLITE_IOERR, EFBIG, .full),
      (SQLITE_IOERR | 19 << 8, 0, .full), (SQLITE_CANTOPEN, ENOSPC, .full),
      (SQLITE_BUSY, 0, .owned), (SQLITE_BUSY | 1 << 8, 0, .owned), (SQLITE_LOCKED, 0, .owned),
      (SQLITE_PROTOCOL, 0, .owned),
      (SQLITE_READONLY, 0, .unwritable("f: words")),
      (SQLITE_READONLY | 4 << 8, 0, .unwritable("f: words")),
      (SQLITE_CANTOPEN, EACCES, .unwritable("f: Permission denied")),
      (SQLITE_IOERR, EROFS, .unwritable("f: Read-only file system")),
      (
        SQLITE_CORRUPT, 0,
        .corrupt("f: words")
      ),
      (
        SQLITE_NOTADB, 0,
        .corrupt("f: words")
      ),
      (SQLITE_IOERR | 4 << 8, EIO, .failed("f: words, Input/output error (SQLite 1034) in: sql")),
      (SQLITE_NOMEM, 0, .failed("f: words (SQLite 7) in: sql")),
    ] as [(Int32, Int32, StorageError)]
  )
  func everyCodeHasItsError(_ code: Int32, _ number: Int32, _ expected: StorageError) {
    let error = DatabaseError(code: code, systemError: number, message: "words", sql: "sql")
    #expect(error.storageError(file: "f") == expected)
  }
}
