import CLocalAuthSQLite
import LocalAuthTestKit
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSQLite

/// A database that somebody changed who can write its directory.
@Suite struct TamperedDatabaseTests {
  private static let damaged: Int32 = SQLITE_IOERR | (32 << 8)

  private let world: DatabaseWorld

  init() throws { world = try DatabaseWorld() }

  private func fill(_ mode: String = "delete") throws {
    let database = try world.open()
    try database.run("pragma journal_mode=\(mode); create table t(a)")
    for number in 0..<40 {
      try database.run("insert into t values (\(number) || hex(zeroblob(900)))")
    }
  }

  @Test func everyChangedChunkIsSeen() throws {
    try fill()
    let sealed = try world.bytes("notes.db")
    for place in stride(from: 4096, to: sealed.count, by: 501) {
      var bytes = sealed
      bytes[place] ^= 0x40
      try world.put(bytes, "notes.db")
      let found = code { _ = try world.open().ask("select sum(length(a)) from t") }
      #expect(
        found == SQLITE_CORRUPT || found == Self.damaged,
        "byte \(place): \(String(describing: found))"
      )
    }
    try world.put(sealed, "notes.db")
    #expect(try world.open().ask("select count(*) from t") == "40")
  }

  @Test func everyCutAndEveryExchangedChunkIsSeen() throws {
    try fill()
    let sealed = try world.bytes("notes.db")
    let chunk = 4096 + 28
    for count in [1, 28, chunk, 3 * chunk] {
      try world.put(Array(sealed.dropLast(count)), "notes.db")
      #expect(code { _ = try world.open() } == SQLITE_CORRUPT, "\(count) bytes less")
      try world.put(sealed + sealed.suffix(count), "notes.db")
      #expect(code { _ = try world.open() } == SQLITE_CORRUPT, "\(count) bytes more")
    }
    let (one, two) = (4096 + chunk..<4096 + 2 * chunk, 4096 + 2 * chunk..<4096 + 3 * chunk)
    var bytes = sealed
    bytes.replaceSubrange(one, with: sealed[two])
    bytes.replaceSubrange(two, with: sealed[one])
    try world.put(bytes, "notes.db")
    #expect(code { _ = try world.open() } == SQLITE_CORRUPT)
  }

  @Test func chunkOfAnEarlierTimeIsSeen() throws {
    try fill()
    let early = try world.bytes("notes.db")
    try world.open().run("update t set a = 'x' || a")
    var bytes = try world.bytes("notes.db")
    let place = 4096 + 3 * (4096 + 28)..<4096 + 4 * (4096 + 28)
    #expect(bytes[place] != early[place])
    bytes.replaceSubrange(place, with: early[place])
    try world.put(bytes, "notes.db")
    #expect(code { _ = try world.open() } == SQLITE_CORRUPT)
  }

  /// A journal is genuine, and would take the database back in part.
  @Test func journalThatSomebodyKeptIsNotPlayedBack() throws {
    try fill()
    var journal: [UInt8] = []
    do {
      let database = try world.open()
      try database.run("pragma cache_size=5; begin; update t set a = 'y' || a")
      journal = try world.bytes("notes.db-journal")
      try database.run("commit")
    }
    #expect(journal.count > 8192)
    try world.put(journal, "notes.db-journal")
    let database = try world.open()
    #expect(try database.ask("select count(*) from t where a like 'y%'") == "40")
    #expect(try database.ask("pragma integrity_check") == "ok")
    try database.run("insert into t values ('more')")
    #expect(!world.exists("notes.db-journal"), "the next transaction replaces it")
  }

  @Test func logThatSomebodyKeptIsNotReplayed() throws {
    try fill("wal")
    var log: [UInt8] = []
    do {
      let database = try world.open()
      try database.run("update t set a = 'old' || a")
      log = try world.bytes("notes.db-wal")
      try database.run("update t set a = 'new' || a")
    }
    #expect(log.count > 8192)
    try world.put(log, "notes.db-wal")
    let database = try world.open()
    #expect(try database.ask("select count(*) from t where a like 'newold%'") == "40")
    #expect(try database.ask("pragma integrity_check") == "ok")
  }

  /// The program has the database open all the while, or is killed then.
  @Test(arguments: ["delete", "truncate", "persist"])
  func journalOfATransactionBeforeIsNotPlayedBack(_ mode: String) throws {
    try fill()
    let database = try world.open()
    try database.run("pragma journal_mode=\(mode); pragma cache_size=5")
    try database.run("begin; update t set a = 'y' || a")
    let journal = try world.bytes("notes.db-journal")
    #expect(journal.count > 10_000)
    try database.run("commit")
    try world.put(try world.bytes("notes.db"), "killed.db")
    for name in ["notes.db", "killed.db"] {
      try world.put(journal, name + "-journal")
      let found = name == "notes.db" ? database : try world.open(name)
      #expect(try found.ask("select count(*) from t where a like 'y%'") == "40", "\(name)")
      #expect(try found.ask("pragma integrity_check") == "ok")
      try found.run("update t set a = 'z' || a")
      #expect(try found.ask("select count(*) from t where a like 'zy%'") == "40", "\(name)")
    }
  }

  @Test func logFromBeforeItBeganAnewIsNotReplayed() throws {
    try fill("wal")
    let database = try world.open()
    try database.run("update t set a = 'old' || a")
    let log = try world.bytes("notes.db-wal")
    try database.run("pragma wal_checkpoint(restart)")
    try database.run("update t set a = 'new' || a")
    try database.run("pragma wal_checkpoint(passive)")
    try world.put(try world.bytes("notes.db"), "killed.db")
    try world.put(log, "killed.db-wal")
    let killed = try world.open("killed.db")
    #expect(try killed.ask("select count(*) from t where a like 'newold%'") == "40")
    #expect(try killed.ask("pragma integrity_check") == "ok")
    #expect(try database.ask("select count(*) from t where a like 'newold%'") == "40")
  }

  @Test func logOfAProgramThatWasKilledIsReplayed() throws {
    try fill("wal")
    let database = try world.open()
    for text in ["one", "two", "three"] {
      try database.run("update t set a = '\(text)' || a")
      try world.put(try world.bytes("notes.db"), "killed.db")
      try world.put(try world.bytes("notes.db-wal"), "killed.db-wal")
      let killed = try world.open("killed.db")
      #expect(try killed.ask("select count(*) from t where a like '\(text)%'") == "40")
      try database.run("pragma wal_checkpoint(restart)")
    }
  }

  @Test func journalOfAnotherDatabaseIsNotPlayedBack() throws {
    try fill()
    let other = try world.open("other.db")
    try other.run("create table t(a); insert into t values (1)")
    try other.run("pragma cache_size=5; begin; update t set a = 2")
    for _ in 0..<100 { try other.run("insert into t values (randomblob(900))") }
    let journal = try world.bytes("other.db-journal")
    let database = try world.open()
    try database.run("begin; insert into t values ('open')")
    // The database is being written, and has no journal yet that the disk knows of.
    try database.run("rollback")
    try world.put(journal, "notes.db-journal")
    #expect(try database.ask("select count(*) from t") == "40")
  }
}
