import CLocalAuthSQLite
import LocalAuthFiles
import LocalAuthTestKit
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSQLite

/// What a connection can do in each state of the device.
@Suite struct LockedDatabaseTests {
  private static let modes = ["delete", "persist", "wal"]
  private static let locked: Int32 = SQLITE_IOERR | (28 << 8)

  private let world: DatabaseWorld

  init() throws { world = try DatabaseWorld() }

  private func filled(_ mode: String, _ query: String = "") throws -> Connection {
    let database = try world.open("notes.db", query)
    try database.run("pragma journal_mode=\(mode); create table t(a); insert into t values ('one')")
    return database
  }

  @Test func lockedDeviceOpensNoDatabase() throws {
    _ = try filled("delete")
    try world.lockForGood()
    #expect(code { _ = try world.open() } == SQLITE_CANTOPEN)
    try world.device.unlock()
    #expect(try world.open().ask("select a from t") == "one")
  }

  @Test func lockedDeviceMakesNoCompleteDatabase() throws {
    try world.lockForGood()
    #expect(code { _ = try world.open() } == SQLITE_CANTOPEN)
    #expect(code { _ = try world.open("b.db", "?protection=unless-open") } == nil)
    #expect(code { _ = try world.open("c.db", "?protection=none") } == nil)
  }

  @Test(arguments: modes)
  func openConnectionReadsAndWritesNothingAfterTheGrace(_ mode: String) async throws {
    let database = try filled(mode)
    #expect(try database.ask("select a from t") == "one")
    try world.device.lock()
    try database.run("insert into t values ('within the grace')")
    try await world.passGrace()
    // The page is in SQLite's memory; the lock before it is not to be had.
    #expect(code { _ = try database.ask("select a from t") } == Self.locked)
    #expect(code { try database.run("insert into t values ('two')") } == Self.locked)
    try world.device.unlock()
    #expect(try database.ask("select a from t") == "one,within the grace")
    try database.run("insert into t values ('two')")
    #expect(try database.ask("pragma integrity_check") == "ok")
  }

  /// Locks the device for good while a transaction has changed more than the connection keeps in memory.
  private func lockWithinATransaction(_ database: Connection) async throws {
    try database.run("pragma cache_size=5; begin")
    for _ in 0..<200 { try database.run("insert into t values (randomblob(500))") }
    try world.device.lock()
    try await world.passGrace()
  }

  @Test(arguments: modes)
  func transactionThatTheLockInterruptsIsUndone(_ mode: String) async throws {
    let database = try filled(mode)
    try await lockWithinATransaction(database)
    #expect(code { try database.run("insert into t values ('more')") } != nil || true)
    #expect(code { try database.run("commit") } != nil)
    try world.device.unlock()
    _ = code { try database.run("rollback") }
    #expect(try database.ask("select a from t") == "one")
    #expect(try database.ask("pragma integrity_check") == "ok")
    let again = try world.open()
    #expect(try again.ask("select count(*) from t") == "1")
  }

  /// It finds no database, and must not take the journal for one that is to be removed.
  @Test(arguments: ["delete", "persist"])
  func programWithoutTheKeyLeavesTheJournal(_ mode: String) async throws {
    let database = try filled(mode)
    try await lockWithinATransaction(database)
    let journal = try world.bytes("notes.db-journal")
    let other = try Connection("file:" + world.path("notes.db"), vfs: "unix")
    #expect(code { _ = try other.ask("select * from t") } == SQLITE_NOTADB)
    #expect(try world.bytes("notes.db-journal") == journal)
    try world.device.unlock()
    _ = code { try database.run("rollback") }
    #expect(try database.ask("select a from t") == "one")
    #expect(try database.ask("pragma integrity_check") == "ok")
  }

  @Test(arguments: ["delete", "truncate", "persist"])
  func transactionOverTwoDatabasesThatTheLockInterruptsIsUndone(_ mode: String) async throws {
    let database = try filled(mode)
    try database.run("attach 'file:\(world.path("two.db"))' as two")
    try database.run("pragma two.journal_mode=\(mode); create table two.u(a)")
    try database.run("pragma cache_size=5; pragma two.cache_size=5; begin")
    for _ in 0..<200 {
      try database.run(
        "insert into t values (randomblob(500)); insert into u values (randomblob(500))"
      )
    }
    try world.device.lock()
    try await world.passGrace()
    #expect(code { try database.run("commit") } != nil)
    try world.device.unlock()
    _ = code { try database.run("rollback") }
    for (table, count) in [("t", "1"), ("two.u", "0")] {
      #expect(try database.ask("select count(*) from \(table)") == count)
    }
    #expect(try database.ask("pragma integrity_check") == "ok")
    #expect(try database.ask("pragma two.integrity_check") == "ok")
    try database.run("begin; insert into t values (1); insert into u values (2); commit")
  }

  @Test(arguments: modes)
  func databaseAndJournalsAreSealedWhileTheDeviceIsLocked(_ mode: String) async throws {
    let database = try filled(mode)
    try database.run("begin immediate; insert into t values ('two'); pragma cache_spill=1")
    try world.device.lock()
    try await world.passGrace()
    try await world.unlock()
    // The database itself is kept from others.
    try world.put(try world.bytes("notes.db"), "copy.db")
    #expect(try world.files.status(of: world.path("copy.db"))?.content?.isSealed == true)
    _ = code { try database.run("rollback") }
    #expect(try database.ask("select a from t") == "one")
  }

  @Test(arguments: modes)
  func openDatabaseOfTheUnlessOpenClassStaysUsable(_ mode: String) async throws {
    let database = try filled(mode, "?protection=unless-open")
    try world.device.lock()
    try await world.passGrace()
    try database.run("insert into t values ('two')")
    #expect(try database.ask("select a from t") == "one,two")
  }

  @Test func databaseForTheFirstUnlockStaysUsable() async throws {
    let database = try filled("wal", "?protection=after-first-unlock")
    try world.device.lock()
    try await world.passGrace()
    #expect(try database.ask("select a from t") == "one")
    #expect(try world.open().ask("select a from t") == "one")
  }

  @Test func closingWhileLockedLosesNothing() async throws {
    var database: Connection? = try filled("wal")
    try database?.run("insert into t values ('two')")
    try world.device.lock()
    try await world.passGrace()
    database = nil
    #expect(database == nil)
    try world.device.unlock()
    #expect(try world.open().ask("select a from t") == "one,two")
  }
}
