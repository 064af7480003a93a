import Glibc
import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

/// A database that cannot be used gives a clear error and stays byte for byte as it was.
@Suite struct RefusalTests {
  private func filled() throws -> Place {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device(failures: 2)), .audit(Sample.line(1))])
    store.close()
    return place
  }

  /// Opens the store, which must fail, and returns the error once the files proved unchanged.
  private func refusal(
    _ place: Place,
    sourceLocation: SourceLocation = #_sourceLocation
  )
    -> StorageError?
  {
    let before = Snapshot(of: place)
    do throws(StorageError) {
      try place.open().close()
      Issue.record("it was opened", sourceLocation: sourceLocation)
      return nil
    } catch {
      #expect(Snapshot(of: place) == before, "unchanged", sourceLocation: sourceLocation)
      return error
    }
  }

  @Test func aFileThatIsNoDatabaseIsRefused() {
    for text in ["hello", String(repeating: "not a database ", count: 1000), "SQLite format 3"] {
      let place = Place()
      Files.write(place.database, Array(text.utf8))
      #expect(
        refusal(place)
          == .corrupt("\(place.database) is not a database")
      )
    }
  }

  @Test func anotherProgramsDatabaseIsRefused() throws {
    let place = Place()
    Files.write(place.database, [])
    try place.edit("CREATE TABLE theirs (x); PRAGMA application_id = 99")
    let foreign = StorageError.corrupt(
      "\(place.database) belongs to another program"
    )
    #expect(refusal(place) == foreign)
    try place.edit("PRAGMA application_id = 0")
    #expect(refusal(place) == foreign)
  }

  @Test(arguments: [6, 7, 1_000_000] as [Int64])
  func aDatabaseFromTheFutureIsRefused(_ format: Int64) throws {
    let place = try filled()
    try place.edit("PRAGMA user_version = \(format); CREATE TABLE later (x)")
    #expect(refusal(place) == .fromTheFuture(format: format))
  }

  @Test(arguments: [1, -1] as [Int64]) func aFormatThatNeverWasIsRefused(_ format: Int64) throws {
    let place = try filled()
    try place.edit("PRAGMA user_version = \(format)")
    #expect(refusal(place) == .corrupt("\(place.database) has a format that was never released"))
  }

  @Test func tablesOfAnotherFormatThanTheMarkerSaysAreRefused() throws {
    let place = try filled()
    try place.edit("PRAGMA user_version = 2")
    #expect(refusal(place) == .corrupt("\(place.database) has tables that are not ours"))
  }

  @Test func theFutureIsSeenInTheLogToo() throws {
    let place = try filled()
    let editor = try Database.open(place.database, .readWrite)
    try editor.execute("PRAGMA user_version = 7")
    let copy = Snapshot(of: place).restored()
    #expect(Snapshot(of: copy).log?.isEmpty == false)
    #expect(refusal(copy) == .fromTheFuture(format: 7))
  }

  @Test func damagedPagesAreRefused() throws {
    let place = try filled()
    var snapshot = Snapshot(of: place)
    let size = snapshot.database?.count ?? 0
    for index in 4096..<size { snapshot.database?[index] = 0xA5 }
    let damaged = snapshot.restored()
    guard case .corrupt(let text) = refusal(damaged) else {
      Issue.record("not corrupt")
      return
    }
    #expect(text.contains(damaged.database))
  }

  @Test func aShortenedFileIsRefused() throws {
    let snapshot = Snapshot(of: try filled())
    for size in [50, 99, 100, 1000, 4096, 8192] {
      var shortened = snapshot
      shortened.database = snapshot.database.map { Array($0[..<size]) }
      guard case .corrupt = refusal(shortened.restored()) else {
        Issue.record("\(size) bytes were not called corrupt")
        continue
      }
    }
  }

  @Test(arguments: [
    "CREATE TABLE more (x)", "CREATE INDEX more ON device (tag)",
    "CREATE TRIGGER more AFTER UPDATE ON device BEGIN DELETE FROM audit; END",
    "CREATE VIEW more AS SELECT * FROM device", "DROP TABLE audit",
    "ALTER TABLE device ADD COLUMN more TEXT",
  ])
  func anotherSchemaIsRefused(_ sql: String) throws {
    let place = try filled()
    try place.edit(sql)
    #expect(
      refusal(place)
        == .corrupt(
          "\(place.database) has tables that are not ours"
        )
    )
  }

  @Test func aPathThatIsADirectoryOrHasNoneIsRefused() {
    let place = Place()
    unsafe mkdir(place.database, 0o700)
    guard case .failed = refusal(place) else { return #expect(Bool(false)) }
    unsafe rmdir(place.database)
    #expect(throws: StorageError.self) {
      try Store(
        path: place.file("none/state.db"),
        tagger: TestTagger(),
        mirror: place.openMirror(),
        copy: place.openMirror(),
        raising: Sample.raising
      )
    }
  }

  /// The store opens and tells what it holds; every commit says why it cannot be, and changes nothing.
  private func expectOnlyReads(
    _ place: Place,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = Snapshot(of: place)
    let store = try place.open()
    #expect(store.state.devices.count == 1, sourceLocation: sourceLocation)
    for kind in [CommitKind.guarded, .ordinary] {
      let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) {
        try store.commitAndWait([.audit(Sample.line(9))], kind)
      }
      guard case .unwritable = error else {
        Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
        continue
      }
    }
    _ = try store.audit(owner: 1000, device: nil, limit: 10)
    store.close()
    #expect(Snapshot(of: place) == before, "unchanged", sourceLocation: sourceLocation)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
  func withoutPermissionItIsOnlyRead() throws {
    let place = try filled()
    unsafe chmod(place.database, 0o400)
    try expectOnlyReads(place)
    unsafe chmod(place.database, 0o600)
    unsafe chmod(place.path, 0o500)
    defer { unsafe chmod(place.path, 0o700) }
    try expectOnlyReads(place)
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func onAReadOnlyFileSystemItIsOnlyRead() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 1024))
    let place = disk.place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device())])
    store.close()
    disk.makeReadOnly()
    try expectOnlyReads(place)
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func tamperingIsNoticedWhereNothingCanBeWritten() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 1024))
    let place = disk.place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device())])
    store.close()
    unsafe unlink(place.mirror)
    disk.makeReadOnly()
    #expect(try place.load().distrusted == [Sample.identity()])
    #expect(try place.load().distrusted == [Sample.identity()], "at each start")
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func whatMustBeMadeIsRefusedWhereNothingCanBeWritten() throws {
    let empty = try #require(SmallFileSystem(kibibytes: 64))
    empty.makeReadOnly()
    guard case .unwritable = refusal(empty.place()) else { return #expect(Bool(false)) }
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func aNewStoreOnAFullDiskSaysSo() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 64))
    disk.fill()
    #expect(throws: StorageError.full) { try disk.place().open() }
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func anExistingStoreOnAFullDiskSaysSoAndLosesNothing() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 512))
    let store = try disk.place().open()
    try store.commitAndWait([.device(Sample.device(failures: 2))])
    store.close()
    disk.fill()
    let full = try disk.place().open()
    #expect(full.state == StoredState(devices: [Sample.device(failures: 2)]))
    #expect(throws: StorageError.full) { try full.commitAndWait([.device(Sample.device())]) }
    full.close()
    unsafe unlink(disk.place().database + "-shm")
    disk.fill()
    #expect(refusal(disk.place()) == .full)
    disk.empty()
    #expect(try disk.place().load() == StoredState(devices: [Sample.device(failures: 2)]))
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func aDiskThatFillsUpFailsCommitsAndLosesNoneThatSucceeded() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 512))
    let store = try disk.place().open()
    var succeeded: UInt32 = 0
    var failure: StorageError?
    for failures in UInt32(1)...1000 where failure == nil {
      do throws(StorageError) {
        try store.commitAndWait([
          .device(Sample.device(failures: failures)), .audit(Sample.line(UInt64(failures))),
        ])
        succeeded = failures
      } catch {
        failure = error
      }
    }
    #expect(failure == .full)
    // The same again: a smaller commit may find room in what the failed one left of itself.
    let again = Sample.line(UInt64(succeeded) + 1)
    #expect(throws: StorageError.full) {
      try store.commitAndWait([.device(Sample.device()), .audit(again)])
    }
    #expect(try store.audit(owner: 1000, device: nil, limit: 1).count == 1)
    let crashed = Snapshot(of: disk.place()).restored()
    #expect(try crashed.load() == StoredState(devices: [Sample.device(failures: succeeded)]))
    store.close()
    #expect(
      try Snapshot(of: disk.place()).restored().load()
        == StoredState(devices: [Sample.device(failures: succeeded)])
    )
  }

  @Test func aDatabaseThatSomebodyElseWritesIsOwned() throws {
    let place = try filled()
    let other = try Database.open(place.database, .readWrite)
    try other.execute("BEGIN EXCLUSIVE; DELETE FROM audit")
    let store = try place.open()
    #expect(throws: StorageError.owned) { try store.commitAndWait([.device(Sample.device())]) }
    try other.execute("ROLLBACK")
    try store.commitAndWait([.device(Sample.device())])
  }
}
