import CLocalAuthSQLite
import Dispatch
import Glibc
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthTestKit
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthSQLite

/// A database with SQLite's own journals, whose files are protected ones.
@Suite struct ProtectedDatabaseTests {
  private let world: DatabaseWorld

  init() throws { world = try DatabaseWorld() }

  static let modes = ["delete", "truncate", "persist", "wal", "memory", "off"]

  /// What the second one made would take the place of what the first one writes into.
  @Test func twoWhoOpenOneEmptyDatabaseAtOnceMakeOneOfIt() throws {
    for round in 0..<50 {
      let path = world.path("empty-\(round)")
      try world.put([], "empty-\(round)")
      let openers = (0..<2).map { _ in OpenDatabases(world.files) }
      let opened = Mutex<[ProtectedDatabase]>([])
      let refusals = Mutex<[FileFailure]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        do throws(FileFailure) {
          let made = try openers[index].connect(path, for: .write, creates: true, .complete)
          opened.withLock { $0.append(made.database) }
        } catch {
          refusals.withLock { $0.append(error) }
        }
      }
      #expect(opened.withLock { $0.map(\.wasMoved) } == [false])
      #expect(refusals.withLock { $0 } == [.file(.busy)])
    }
  }

  private func status(of name: String) throws -> FileStatus? {
    try ProtectedFiles(on: world.device.device).status(of: world.path(name))
  }

  private func protection(of name: String) throws -> FileProtection? {
    try status(of: name)?.protection
  }

  @Test(arguments: modes)
  func nothingThatSQLiteWritesShowsTheText(_ mode: String) throws {
    let database = try world.open()
    try database.run("pragma journal_mode=\(mode); create table t(a)")
    // Pages go to the disk within the transaction, and then the journal does.
    try database.run("pragma cache_size=5; begin")
    for _ in 0..<200 {
      try database.run("insert into t values (hex(randomblob(500)) || 'geheimnis')")
    }
    #expect(try !world.isOnDisk("geheimnis"))
    try database.run("commit; begin; update t set a = 'geheimnis' || a")
    #expect(try !world.isOnDisk("geheimnis"))
    if ["delete", "wal"].contains(mode) {
      #expect(try world.names.count > 1, "the journal is beside the database")
    }
    try database.run("commit")
    #expect(try !world.isOnDisk("geheimnis"))
    #expect(try database.ask("select count(*) from t where a like 'geheimnis%'") == "200")
    #expect(try database.ask("pragma integrity_check") == "ok")
  }

  @Test(arguments: modes)
  func databaseOpensAgain(_ mode: String) throws {
    do {
      let database = try world.open()
      try database.run("pragma journal_mode=\(mode); create table t(a); insert into t values (1)")
    }
    let database = try world.open()
    try database.run("insert into t values (2)")
    #expect(try database.ask("select a from t") == "1,2")
  }

  @Test func sealedOnceTheLastConnectionCloses() throws {
    var one: Connection? = try world.open()
    var two: Connection? = try world.open()
    try one?.run("pragma journal_mode=wal; create table t(a)")
    try two?.run("insert into t values (1)")
    one = nil
    #expect(try two?.ask("select a from t") == "1")
    two = nil
    #expect(one == nil && two == nil)
    #expect(try status(of: "notes.db")?.content?.isSealed == true)
    #expect(try world.names == ["notes.db"])
  }

  // MARK: What protects it

  @Test(
    arguments: zip(
      [Int32(0x0010_0000), 0x0020_0000, 0x0030_0000, 0x0040_0000],
      [FileProtection.complete, .completeUnlessOpen, .afterFirstUnlock, .always]
    )
  )
  func flagsOfApplesSystemsDecide(_ flag: Int32, _ expected: FileProtection) throws {
    try world.open(flags: flag).run("create table t(a)")
    #expect(try protection(of: "notes.db") == expected)
  }

  @Test(arguments: FileProtection.allCases)
  func parameterOfTheURIDecidesBeforeTheFlags(_ expected: FileProtection) throws {
    let query = "?protection=\(expected.word)"
    try world.open("notes.db", query, flags: 0x0040_0000).run("create table t(a)")
    #expect(try protection(of: "notes.db") == expected)
  }

  @Test func directorysDefaultDecidesOtherwise() throws {
    try world.open().run("create table t(a)")
    #expect(try protection(of: "notes.db") == .complete)
    try DirectoryDefault.set(.afterFirstUnlock, of: world.directory)
    try world.open("other.db").run("create table t(a)")
    #expect(try protection(of: "other.db") == .afterFirstUnlock)
  }

  @Test func unknownProtectionMakesNoDatabase() throws {
    #expect(code { _ = try world.open("notes.db", "?protection=secret") } == SQLITE_MISUSE)
    #expect(code { _ = try world.open(flags: 0x0050_0000) } == SQLITE_MISUSE)
    #expect(try world.names == [])
  }

  @Test func journalHasThePermissionsOfItsDatabase() throws {
    let database = try world.open()
    try database.run("pragma journal_mode=wal; create table t(a)")
    // SAFETY: the strings are C strings for the calls, and the structure lives for them.
    #expect(unsafe chmod(world.path("notes.db"), 0o640) == 0)
    try database.run("pragma journal_mode=delete; begin; insert into t values (1)")
    var status = stat()
    #expect(unsafe stat(world.path("notes.db-journal"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  // MARK: Others

  @Test func anotherProcessIsKeptOut() throws {
    let database = try world.open()
    try database.run("create table t(a)")
    // The lock belongs to how the file was opened, so this is what another process sees.
    // SAFETY: the string is a C string for the call.
    let other = unsafe open(world.path("notes.db"), O_RDWR)
    #expect(flock(other, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK)
    close(other)
  }

  @Test func databaseThatAnotherProcessHasIsBusy() throws {
    try world.open().run("create table t(a)")
    // SAFETY: the string is a C string for the call.
    let other = unsafe open(world.path("notes.db"), O_RDWR)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    #expect(code { _ = try world.open() } == SQLITE_BUSY)
    close(other)
    #expect(try world.open().ask("select count(*) from t") == "0")
  }

  @Test(arguments: ["delete", "wal"])
  func connectionsOfOneProcessObeySQLitesLocks(_ mode: String) throws {
    let one = try world.open()
    let two = try world.open()
    try one.run("pragma journal_mode=\(mode); create table t(a); begin immediate")
    #expect(code { try two.run("begin immediate") } == SQLITE_BUSY)
    try one.run("insert into t values (1); commit")
    #expect(try two.ask("select a from t") == "1")
    try two.run("begin; insert into t values (2); rollback")
    #expect(try one.ask("select a from t") == "1")
  }

  @Test func plainDatabaseIsRefused() throws {
    try Connection("file:" + world.path("plain.db"), vfs: "unix").run("create table t(a)")
    #expect(code { _ = try world.open("plain.db") } == SQLITE_NOTADB)
  }

  @Test func databaseThatWasProtectedInItsPlaceIsUsed() throws {
    try Connection("file:" + world.path("plain.db"), vfs: "unix")
      .run("create table t(a); insert into t values (7)")
    try world.files.protect(world.path("plain.db"), .complete)
    try world.open("plain.db").run("insert into t values (8)")
    #expect(try world.files.reclass(world.path("plain.db"), to: .afterFirstUnlock))
    try world.open("plain.db").run("insert into t values (9)")
    #expect(try world.files.unprotect(world.path("plain.db")))
    let plain = try Connection("file:" + world.path("plain.db"), vfs: "unix")
    #expect(try plain.ask("select a from t") == "7,8,9")
  }

  @Test func databaseWithAJournalStaysAsItIs() throws {
    let plain = try Connection("file:" + world.path("plain.db"), vfs: "unix")
    try plain.run("pragma journal_mode=wal; create table t(a)")
    #expect(failure { try world.files.protect(world.path("plain.db"), .complete) } == .hasJournal)
    let database = try world.open()
    try database.run("pragma journal_mode=wal; create table t(a)")
    try world.put(try world.bytes("notes.db"), "copy.db")
    try world.put(try world.bytes("notes.db-wal"), "copy.db-wal")
    #expect(failure { _ = try world.files.unprotect(world.path("copy.db")) } == .hasJournal)
    #expect(
      failure { _ = try world.files.reclass(world.path("copy.db"), to: .always) } == .hasJournal
    )
  }

  /// An encrypted log would hide from SQLite what was committed.
  @Test func journalsOfAPlainDatabaseStayAsTheyAre() throws {
    let path = world.path("plain.db")
    let plain = try Connection("file:" + path, vfs: "unix")
    try plain.run("pragma journal_mode=wal; create table t(a); insert into t values (42)")
    for suffix in ["-wal", "-shm"] {
      let before = try world.bytes("plain.db" + suffix)
      #expect(failure { try world.files.protect(path + suffix, .complete) } == .isJournal)
      #expect(try world.bytes("plain.db" + suffix) == before)
    }
    let other = try Connection("file:" + world.path("other.db"), vfs: "unix")
    try other.run("create table t(a); begin; insert into t values (1)")
    #expect(
      failure { try world.files.protect(world.path("other.db-journal"), .complete) } == .isJournal
    )
    try plain.run("insert into t values (43)")
    #expect(try Connection("file:" + path, vfs: "unix").ask("select a from t") == "42,43")
  }

  @Test func fileThatIsOnlyCalledAJournalIsProtected() throws {
    for (name, beside) in [("a-wal", nil), ("b-journal", "b"), ("c-shm", "c")] {
      try world.put(Array("text".utf8), name)
      if let beside { try world.put(Array("no database".utf8), beside) }
      try world.files.protect(world.path(name), .complete)
    }
  }

  @Test func protectedFileOfAnotherLayoutIsReadOnly() throws {
    try Connection("file:" + world.path("plain.db"), vfs: "unix")
      .run("create table t(a); insert into t values (7)")
    let content = try world.bytes("plain.db")
    // SAFETY: the bytes are the array's own during the call.
    try unsafe world.files.write(content.span.bytes, to: world.path("other.db"))
    let database = try world.open("other.db")
    #expect(try database.ask("select a from t") == "7")
    #expect(code { try database.run("insert into t values (8)") } == SQLITE_READONLY)
  }

  @Test func smallPagesAreRefusedWithAReason() throws {
    let database = try world.open()
    #expect(code { try database.run("pragma page_size=1024") } == SQLITE_ERROR)
    #expect(database.message == "a protected database has pages of at least 4096 bytes")
  }

  @Test(arguments: [4096, 8192, 65536])
  func largerPagesWork(_ size: Int) throws {
    do {
      let database = try world.open()
      try database.run("pragma page_size=\(size); create table t(a)")
      for _ in 0..<50 { try database.run("insert into t values (randomblob(3000))") }
    }
    let database = try world.open()
    #expect(try database.ask("pragma page_size") == "\(size)")
    #expect(try database.ask("select sum(length(a)) from t") == "150000")
  }

  @Test func symbolicLinkLeadsToTheDatabase() throws {
    try world.open().run("create table t(a)")
    // SAFETY: the strings are C strings for the call.
    #expect(unsafe symlink(world.path("notes.db"), world.path("link.db")) == 0)
    #expect(try world.open("link.db").ask("select count(*) from t") == "0")
  }
}
