import Glibc
import LocalAuthCore
import Testing

@testable import LocalAuthStore

/// A database of an earlier format is brought up when it is opened, and nothing in it is lost.
@Suite struct FormatTests {
  /// A place whose database has the earlier `format`, with a device, a keybag and audit lines.
  private func earlier(_ format: Int64 = 2, at place: Place = Place()) throws -> Place {
    let store = try place.open()
    try store.commitAndWait(
      [.device(Sample.device(failures: 2))] + (1...3).map { .audit(Sample.line($0)) }
    )
    store.close()
    // Not what the newest format wrote, cut down: tables that the earlier one made.
    let (newer, older) = (place.file("newer.sqlite"), place.database)
    #expect(unsafe rename(older, newer) == 0)
    let database = try RawDatabase(older)
    for step in Schema.steps where step.format <= format {
      try database.execute(step.text.description)
    }
    try database.execute("ATTACH '\(newer)' AS newer")
    for table in ["keybag", "keychain", "item", "term"] {
      try database.execute("INSERT INTO main.\(table) SELECT * FROM newer.\(table)")
    }
    try database.execute(
      """
      INSERT INTO main.device SELECT * FROM newer.device WHERE owner >= 0;
      INSERT INTO main.ledger SELECT 1, sequence, 1 - trusted, tag FROM newer.device WHERE owner = -1;
      INSERT INTO main.audit SELECT \(format == 2 ? Self.firstColumns : "*") FROM newer.audit
      """
    )
    return place
  }

  private static let firstColumns = """
    owner, line, id, action, device, caller_uid, caller_pid, policy, reason, simulated, began, ended,
    outcome, method, finger, attempts, detail
    """

  /// The line as the earlier format kept it.
  private func plain(_ number: UInt64, _ format: Int64 = 2) -> AuditRecord {
    var line = Sample.line(number)
    guard format == 2 else { return line }
    (line.program, line.programPath, line.terminal, line.shownAction) = ("", "", "", "")
    return line
  }

  @Test(arguments: [2, 3, 4] as [Int64])
  func everythingIsThereAndTrustedAfterwards(_ format: Int64) throws {
    let place = try earlier(format)
    let store = try place.open()
    #expect(store.state.devices == [Sample.device(failures: 2)])
    #expect(store.state.distrusted.isEmpty && !store.state.mayHaveLostDevices)
    let lines = try store.audit(owner: 1000, device: nil, limit: 9)
    #expect(lines == (1...3).map { plain($0, format) })
  }

  @Test func aLedgerThatMissesDevicesStillDoes() throws {
    let place = try earlier(4)
    try place.edit("DELETE FROM device")
    for _ in 0..<2 { #expect(try place.load().mayHaveLostDevices) }
  }

  @Test func newLinesFollowWithWhatTheyHaveMore() throws {
    let place = try earlier()
    let store = try place.open()
    try store.commitAndWait([.audit(Sample.line(4))])
    store.close()
    let again = try place.open()
    let lines = try again.audit(owner: 1000, device: nil, limit: 2)
    #expect(lines == [plain(3), Sample.line(4)])
  }

  @Test(arguments: [2, 3, 4] as [Int64])
  func itHasTheTablesOfANewDatabaseThen(_ format: Int64) throws {
    let place = try earlier(format)
    try place.open().close()
    let database = try Database.open(place.database, .readOnly)
    #expect(try database.integer("PRAGMA user_version") == Schema.format)
    #expect(try Schema.isExact(database))
  }

  @Test func tablesThatAreNotOursAreRefusedAndNotBroughtUp() throws {
    let place = try earlier()
    try place.edit("CREATE TABLE theirs (x)")
    let before = Snapshot(of: place)
    #expect(throws: StorageError.corrupt("\(place.database) has tables that are not ours")) {
      try place.open()
    }
    #expect(Snapshot(of: place) == before)
  }

  @Test(.enabled(if: SmallFileSystem.isPossible, "only root can mount a file system"))
  func oneThatCanOnlyBeReadIsLeftAsItIs() throws {
    let disk = try #require(SmallFileSystem(kibibytes: 1024))
    let place = try earlier(at: disk.place())
    disk.makeReadOnly()
    let before = Snapshot(of: place)
    #expect(
      throws: StorageError.unwritable(
        "\(place.database) has an earlier format: let it be written once"
      )
    ) { try place.open() }
    #expect(Snapshot(of: place) == before)
  }

  /// What a crash leaves while it is brought up: any beginning of the log.
  @Test func aCrashWhileItIsBroughtUpLosesNothing() throws {
    let place = try earlier()
    let tag = TestTagger().tag(over: Ledger().message)
    let database = try Database.openStore(at: place.database, foundingTag: tag)
    let whole = Snapshot(of: place)
    #expect(try database.integer("PRAGMA user_version") == Schema.format)
    let log = try #require(whole.log)
    #expect(!log.isEmpty)
    for cut in Array(stride(from: 0, through: log.count, by: 512)) + [31, 32, log.count] {
      var snapshot = whole
      snapshot.log = Array(log[..<cut])
      let again = try snapshot.restored().open()
      let comment: Comment = "cut at \(cut)"
      #expect(again.state.devices == [Sample.device(failures: 2)], comment)
      #expect(again.state.distrusted.isEmpty, comment)
      let lines = try again.audit(owner: 1000, device: nil, limit: 9)
      #expect(lines == (1...3).map { plain($0) }, comment)
      again.close()
    }
  }
}
