import CLocalAuthSQLite
import Foundation
import Glibc
import LocalAuthFileFormat
import LocalAuthTestKit
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import LocalAuthSQLite

/// What SQLite does beyond one database and its journal.
@Suite struct SeveralDatabasesTests {
  private let world: DatabaseWorld

  init() throws { world = try DatabaseWorld() }

  @Test func transactionOverTwoDatabasesIsOne() throws {
    let database = try world.open("one.db")
    try database.run("attach 'file:\(world.path("two.db"))' as two")
    try database.run("create table t(a); create table two.u(a)")
    try database.run("begin; insert into t values (1); insert into u values (2); commit")
    try database.run("begin; insert into t values (3); insert into u values (4); rollback")
    #expect(try database.ask("select a from t union all select a from u") == "1,2")
    #expect(try world.names == ["one.db", "two.db"])
    #expect(try world.bytes("two.db").starts(with: Array("LAF1".utf8)))
  }

  /// What an earlier transaction left is longer, and SQLite cuts it behind the reference.
  @Test func referenceToASuperJournalIsInClearAlsoWhereTheJournalWasLonger() throws {
    let databases = OpenDatabases(world.files)
    let connection = try databases.connect(world.path("a.db"), for: .write, creates: true, nil)
    let path = world.path("a.db-journal")
    let file = FileDescriptor(owning: unsafe open(path, O_RDWR | O_CREAT, 0o600))
    let journal = try DatabaseJournal(of: connection.database, file, isLog: false, newPath: nil)
    func write(_ bytes: [UInt8], _ offset: Int) throws {
      try unsafe bytes.withUnsafeBytes { try unsafe journal.write($0, at: offset) }
    }
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    let record = Array("/mj".utf8) + [0, 0, 0, 3, 0, 0, 0, 1] + magic
    try write([UInt8](repeating: 7, count: 30_000), 0)
    try write(Array(record.dropLast(8)), 9000)
    try write(magic, 9011)
    try journal.truncate(to: 9019)
    try journal.synchronize()
    #expect(try world.bytes("a.db-journal").suffix(record.count) == record[...])
    #expect(try journal.length == 9019)
    try journal.close()
    try connection.close()
  }

  @Test func vacuumAndCopiesArePossible() throws {
    let database = try world.open()
    try database.run("create table t(a)")
    for _ in 0..<100 { try database.run("insert into t values (randomblob(2000))") }
    let whole = try world.bytes("notes.db").count
    try database.run("delete from t where rowid > 5; vacuum")
    #expect(try world.bytes("notes.db").count < whole / 5)
    try database.run("vacuum into 'file:\(world.path("copy.db"))?vfs=\(world.vfs)'")
    #expect(try world.open("copy.db").ask("select count(*) from t") == "5")
    // A copy for another program is an act of its own.
    try database.run("vacuum into 'file:\(world.path("plain.db"))?vfs=unix'")
    #expect(
      try Connection("file:" + world.path("plain.db"), vfs: "unix").ask("select count(*) from t")
        == "5"
    )
  }

  /// SQLite sorts in a file that has no name; the process's descriptors lead to it.
  @Test func whatSQLiteSortsIsNotOnTheDiskInPlainText() throws {
    let database = try world.open()
    try database.run("pragma temp_store=file; pragma cache_size=10; create table t(a)")
    try database.run("create temp table s(a); pragma temp.cache_size=5")
    try database.run(
      """
      with recursive c(x) as (select 1 union all select x+1 from c where x < 3000)
      insert into s select 'sorted secret' || x from c
      """
    )
    var seen = 0
    for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      let link = "/proc/self/fd/\(entry)"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
      guard let target, target.hasSuffix("(deleted)"), target.contains("/#") else { continue }
      guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: link)) else { continue }
      seen += 1
      #expect(bytes.range(of: Data("sorted secret".utf8)) == nil, "\(target)")
    }
    #expect(seen > 0, "SQLite has a temporary file")
    #expect(try database.ask("select count(*) from s where a like 'sorted secret%'") == "3000")
  }

  /// The same statements on a database of ours and one of the system's.
  @Test(arguments: ["delete", "truncate", "persist", "wal"])
  func everyAnswerIsThatOfAPlainDatabase(_ mode: String) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let plain = try Connection("file:" + world.path("plain.db"), vfs: "unix")
    var ours = try world.open()
    for database in [plain, ours] {
      try database.run("pragma journal_mode=\(mode); pragma cache_size=8")
      try database.run("create table t(id integer primary key, a, b); create index i on t(b)")
    }
    for step in 0..<200 {
      let statement = Self.statement(step, &random)
      #expect(
        code { try plain.run(statement) } == code { try ours.run(statement) },
        "seed \(seed) step \(step): \(statement)"
      )
      if step % 40 == 39 {
        _ = code { try plain.run("commit") }
        _ = code { try ours.run("commit") }
        ours = try world.open()
        try ours.run("pragma cache_size=8")
        let sum = "select count(*), sum(id), sum(length(a)), group_concat(b) from t"
        #expect(try plain.ask(sum) == ours.ask(sum), "seed \(seed) step \(step)")
        #expect(try ours.ask("pragma integrity_check") == "ok", "seed \(seed) step \(step)")
      }
    }
  }

  private static func statement(_ step: Int, _ random: inout SeededGenerator) -> String {
    let row = Int.random(in: 0..<120, using: &random)
    let size = Int.random(in: 0...9000, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return "begin"
    case 1: return "commit"
    case 2: return "rollback"
    case 3: return "delete from t where id between \(row) and \(row + 10)"
    case 4:
      return
        "update t set b = b + \(step), a = hex(zeroblob(\(size / 2))) where id % 7 = \(row % 7)"
    case 5: return step % 5 == 0 ? "vacuum" : "savepoint s; delete from t; rollback to s; release s"
    default: return "insert or replace into t values (\(row), hex(zeroblob(\(size))), \(step))"
    }
  }
}
