import Glibc
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

/// A database of format 1 is brought to the current one, wholly or not at all, and keeps every byte of
/// what it holds.
@Suite struct MigrationTests {
  /// A database as format 1 left it, with devices, a ledger and audit lines; closed, so without a log.
  private func formatOne() throws -> Place {
    let place = Place()
    let store = try place.open()
    var generator = SeededGenerator(seed: 5)
    var changes: [StateChange] = (0..<20).map { _ in .device(Sample.randomDevice(&generator)) }
    changes.append(.device(Sample.device(failures: 2)))
    try store.commitAndWait(changes)
    for number in UInt64(1)...50 {
      let line = Sample.line(number, outcome: .success)
      try store.commitAndWait([.audit(line), .device(Sample.device(failures: 3))])
    }
    store.close()
    try place.edit(
      """
      DROP TABLE term; DROP TABLE item; DROP TABLE keychain; DROP TABLE keybag;
      PRAGMA user_version = 1; VACUUM
      """
    )
    let database = try Database.open(place.database, .readOnly)
    #expect(try Schema.isExact(database, format: 1))
    return place
  }

  /// Every value of every row that format 1 has, as SQLite writes it down.
  private func content(of place: Place) throws -> [String] {
    let database = try Database.open(place.database, .readOnly)
    var lines: [String] = []
    let queries: [StaticString] = [
      """
      SELECT owner || name || sequence || trusted || hex(record) || hex(tag) FROM device
      ORDER BY owner, name
      """,
      "SELECT id || sequence || lost || hex(tag) FROM ledger",
      """
      SELECT owner || '|' || line || hex(id) || action || device || caller_uid || '|' || caller_pid
        || policy || reason || simulated || began || '|' || ended || outcome || method || finger
        || attempts || detail
      FROM audit ORDER BY owner, line
      """,
    ]
    for query in queries {
      try database.prepare(query).eachRow { row in lines.append(row.text(0)) }
    }
    return lines
  }

  @Test func everythingIsKeptAndBothNewTablesWork() throws {
    let place = try formatOne()
    let before = try content(of: place)
    #expect(before.count == 72)
    let store = try place.open()
    #expect(store.state.distrusted.isEmpty && !store.state.mayHaveLostDevices)
    #expect(store.state.devices.count == 21)
    #expect(try content(of: place) == before)
    let item = Sample.item(1, terms: [Sample.term(1, 1)])
    try store.commitAndWait(
      [.keybag(Sample.identity(), [1])],
      items: [.add(item)],
      .guarded
    )
    #expect(try store.stored(like: item) == item)
    store.close()
    #expect(try place.load().distrusted.isEmpty)
    let database = try Database.open(place.database, .readOnly)
    #expect(try Schema.isExact(database))
    #expect(try database.integer("PRAGMA user_version") == 2)
  }

  @Test func aCrashAtAnyByteOfTheMigrationLeavesOneFormatOrTheOther() throws {
    let place = try formatOne()
    let old = Snapshot(of: place)
    let before = try content(of: place)
    // The migration's log, before anything checkpoints it.
    let database = try Database.openStore(at: place.database, foundingTag: [])
    let migrated = Snapshot(of: place)
    _ = consume database
    let log = try #require(migrated.log)
    #expect(migrated.database == old.database, "nothing but the log was written")
    var cuts = Array(stride(from: 32, through: log.count, by: 24 + 4096))
    cuts += [0, 1, 31, log.count - 1]
    cuts += cuts.filter { $0 > 32 && $0 < log.count }.flatMap { [$0 - 1, $0 + 1, $0 + 24] }
    for cut in cuts where cut <= log.count {
      var snapshot = migrated
      snapshot.log = Array(log[..<cut])
      let crashed = snapshot.restored()
      let state = try crashed.load()
      #expect(state.distrusted.isEmpty && !state.mayHaveLostDevices, "cut at \(cut)")
      #expect(try content(of: crashed) == before, "cut at \(cut)")
      let opened = try Database.open(crashed.database, .readOnly)
      #expect(try Schema.isExact(opened), "cut at \(cut)")
    }
  }

  @Test func aStepThatFailsUndoesTheOthers() throws {
    let place = try formatOne()
    let before = try content(of: place)
    let database = try Database.open(place.database, .readWrite)
    try database.execute("BEGIN IMMEDIATE")
    try Schema.migrate(database, from: 1)
    try database.execute("ROLLBACK")
    #expect(try Schema.isExact(database, format: 1))
    #expect(try database.integer("PRAGMA user_version") == 1)
    #expect(try content(of: place) == before)
  }

  @Test func aFormatOneDatabaseWithOtherTablesIsRefusedUnchanged() throws {
    let place = try formatOne()
    try place.edit("CREATE TABLE item (x)")
    let before = Snapshot(of: place)
    #expect(throws: StorageError.corrupt("\(place.database) has tables that are not ours")) {
      try place.open()
    }
    #expect(Snapshot(of: place) == before)
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func aMigrationOnAFullDiskSaysSoAndSucceedsLater() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 512))
    let place = disk.place()
    let old = Snapshot(of: try formatOne())
    place.put(old)
    let before = try content(of: place)
    disk.fill()
    #expect(throws: StorageError.full) { try place.open() }
    #expect(Snapshot(of: place).database == old.database)
    disk.empty()
    #expect(try place.load().devices.count == 21)
    #expect(try content(of: place) == before)
  }
}
