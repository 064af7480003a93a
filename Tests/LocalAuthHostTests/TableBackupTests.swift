import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthStore
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthService

/// Rows in backups.
@Suite struct TableBackupTests {
  private func newRig() throws -> KeychainRig {
    let rig = try KeychainRig()
    rig.groups = AccessGroups(["local", "more"])
    return rig
  }

  private func fill(_ rig: some TableCalls) throws {
    try rig.change([
      TableChange("t", "a", ["n": .integer(1), "word": .text("one")]),
      TableChange("t", "b", ["blob": .blob([0, 1, 2]), "none": .null, "half": .real(0.5)]),
      TableChange("u", "a", ["n": .integer(7)]), TableChange("t", "gone", ["n": .integer(9)]),
    ])
    try rig.change([TableChange("t", "gone", nil)])
    try rig.change([TableChange("t", "m", ["n": .integer(3)])], rig.tableRequest("more"))
  }

  private func made() throws -> (rig: KeychainRig, backup: [UInt8]) {
    let rig = try newRig()
    try fill(rig)
    return (rig, try rig.backup())
  }

  /// Fills a device and closes it.
  private func kept() throws -> (scratch: StateScratch, backup: [UInt8]) {
    let scratch = StateScratch()
    try StateRig.found(scratch.path)
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.create("sim", passcode: "1234"))
    try fill(rig)
    defer { rig.close() }
    return (scratch, try rig.backup())
  }

  private func rows(
    _ rig: some TableCalls,
    _ group: String? = nil
  ) throws -> [TableKey: [ExactText: CellValue]] {
    var rows: [TableKey: [ExactText: CellValue]] = [:]
    for row in try rig.tablePage(after: nil, rig.tableRequest(group)).rows {
      rows[row.key] = row.values
    }
    return rows
  }

  @Test func anotherDeviceHasTheRowsThatTheBackupHas() throws {
    let (old, backup) = try made()
    let header = try BackupHeader(unverified: Array(backup.prefix(BackupFormat.headerSize)))
    #expect(header.counts.total == 4 && header.counts.totalLeftOut == 0, "a deleted row is none")
    let new = try newRig()
    #expect(try new.merge(backup).fates == [.restored: 4])
    #expect(try rows(new) == rows(old) && rows(new).count == 3)
    #expect(try rows(new, "more") == rows(old, "more"))
    #expect(try new.tableRow("gone") == nil)
    let before = try new.rows()
    #expect(try new.merge(backup).fates == [.older: 4])
    #expect(try new.rows() == before)
  }

  @Test func ofEachColumnTheLaterValueStands() throws {
    let (rig, backup) = try made()
    rig.clock.pass(.seconds(5))
    try rig.change([TableChange("t", "a", ["n": .integer(2)])])
    #expect(try rig.merge(backup).fates == [.older: 4])
    #expect(try rig.tableRow("a") == ["n": .integer(2), "word": .text("one")])
    let other = try newRig()
    try other.change([TableChange("t", "a", ["n": .integer(0), "own": .integer(5)])])
    let later = try newRig()
    later.clock.pass(.seconds(9))
    other.clock.pass(.seconds(10))
    try fill(later)
    #expect(try other.merge(later.backup()).fates == [.restored: 4])
    #expect(
      try other.tableRow("a") == ["n": .integer(1), "word": .text("one"), "own": .integer(5)]
    )
  }

  @Test func aRowThatIsTooLongTogetherWithTheOneHereIsSaidToBeSkipped() throws {
    let long = CellValue.blob([UInt8](repeating: 1, count: TableRow.bytesMax * 2 / 3))
    let (rig, other) = try (newRig(), newRig())
    try rig.change([TableChange("t", "long", ["a": long]), TableChange("t", "own", ["a": long])])
    let backup = try rig.backup()
    try other.change([TableChange("t", "long", ["b": long])])
    let before = try other.rows()
    let preview = try other.bring(backup, for: .preview(.merge))
    #expect(preview.report.fates == [.restored: 1, .skipped: 1])
    #expect(preview.items.first { $0.name == "t/long" }?.fate == .skipped)
    #expect(try other.rows() == before)
    #expect(try other.merge(backup).fates == [.restored: 1, .skipped: 1])
    #expect(try other.tableRow("long") == ["b": long] && other.tableRow("own") == ["a": long])
    try other.change([TableChange("t", "long", nil)])
    #expect(try other.merge(backup).fates == [.restored: 1, .older: 1], "now there is room")
    #expect(try other.tableRow("long") == ["a": long])
  }

  @Test func aReplacingRestoreKeepsRowsThatTheBackupHasNot() throws {
    let (rig, backup) = try made()
    try rig.change([TableChange("t", "own", ["n": .integer(4)])])
    #expect(
      try rig.bring(backup, for: .restore(.replace), passcode: "1234", deaths: 0).report.deaths == 0
    )
    #expect(try rig.tableRow("own") == ["n": .integer(4)])
  }

  @Test func aDeletedRowComesBack() throws {
    let (rig, backup) = try made()
    rig.clock.pass(.seconds(5))
    try rig.change([TableChange("t", "a", nil)])
    #expect(try rig.merge(backup).fates == [.restored: 1, .older: 3])
    #expect(try rig.tableRow("a") == ["n": .integer(1), "word": .text("one")])
  }

  @Test func whoFollowsTheRowsHearsOfThoseThatCameBack() throws {
    let (_, backup) = try made()
    let new = try newRig()
    var follower = TableFollower()
    try follower.ask { try new.tablePage(after: $0) }
    let token = try new.engine.tableToken(new.tableRequest(), caller: new.caller)
    var told: [TableToken?] = []
    let watch = try new.engine.watchTables(new.tableRequest(), caller: new.caller) {
      told.append($0)
    }
    var between: [TableToken] = []
    _ = try new.bring(backup, for: .restore(.merge)) {
      between.append(try new.engine.tableToken(new.tableRequest(), caller: new.caller))
    }
    #expect(between == [token])
    #expect(told.count > 1 && told.last != token)
    try follower.ask { try new.tablePage(after: $0) }
    #expect(follower.beginnings == 0)
    #expect(Set(follower.rows.keys) == ["a", "b"])
    watch.end()
  }

  @Test func aPreviewAndAVerificationSayTheSameAndChangeNothing() throws {
    let (_, backup) = try made()
    let new = try newRig()
    try new.change([TableChange("u", "a", ["n": .integer(7)])])
    let before = try new.rows()
    let preview = try new.bring(backup, for: .preview(.merge))
    #expect(preview.report.fates == [.restored: 3, .older: 1])
    #expect(Set(preview.items.map(\.name)) == ["t/a", "t/b", "u/a", "t/m"])
    #expect(try new.bring(backup, for: .verify).report.fates == [.restored: 4])
    #expect(try new.rows() == before)
  }

  @Test func whoMayNotUseAGroupNeitherBacksItsRowsUpNorRestoresThem() throws {
    let (rig, backup) = try made()
    rig.groups = AccessGroups(["local"])
    let few = try rig.backup()
    let other = try newRig()
    #expect(try other.merge(few).fates == [.restored: 3])
    let third = try newRig()
    third.groups = AccessGroups(["local"])
    #expect(try third.merge(backup).fates == [.restored: 3, .skipped: 1])
    #expect(try rows(third, "more").isEmpty)
  }

  @Test func aFullDiskBringsNoRow() throws {
    let (_, backup) = try made()
    let new = try newRig()
    try new.put(row: "own", 1)
    let before = try rows(new)
    let token = try new.engine.tableToken(new.tableRequest(), caller: new.caller)
    _ = new.disk.failing { _ in true }
    #expect(throws: EngineError.self) { try new.merge(backup) }
    new.disk.heal()
    #expect(try rows(new) == before)
    #expect(try new.engine.tableToken(new.tableRequest(), caller: new.caller) == token)
    #expect(try new.merge(backup).fates == [.restored: 4])
    var follower = TableFollower()
    try follower.ask { try new.tablePage(after: $0 ?? token) }
    #expect(Set(follower.rows.keys) == ["a", "b"])
  }

  @Test func aRowThatWasDamagedComesBack() throws {
    let (scratch, backup) = try kept()
    try ItemRows(scratch.path + "/" + StateFiles.database)
      .execute("UPDATE item SET secret = zeroblob(length(secret))")
    let rig = try #require(try StateRig(opening: scratch.path))
    rig.unlock("sim", "1234")
    #expect(throws: EngineError.self) { _ = try rig.tableRow("a") }
    let damaged = try rig.backup()
    let header = try BackupHeader(unverified: Array(damaged.prefix(BackupFormat.headerSize)))
    #expect(header.counts.total == 0 && header.counts.leftOut[.otherDevice, default: 0] >= 4)
    #expect(try rig.merge(backup).fates[.restored] == 4)
    #expect(try rig.tableRow("a") == ["n": .integer(1), "word": .text("one")])
    #expect(try rows(rig, "more").count == 1)
  }

  @Test func aLockedDeviceCountsItsRowsOnce() throws {
    let (scratch, _) = try kept()
    let rig = try #require(try StateRig(opening: scratch.path))
    let backup = try rig.backup(isPartial: true)
    let header = try BackupHeader(unverified: Array(backup.prefix(BackupFormat.headerSize)))
    #expect(header.counts.total == 0)
    #expect(header.counts.leftOut == [.locked: 5], "which of them is deleted is not known")
  }

  @Test func manyRowsComeBackInTheOrderOfTheirChanges() throws {
    let rig = try newRig()
    let names = (0..<700).map { "r\($0)" }
    try rig.change(
      names.map { TableChange("t", $0, ["n": .blob(Array(repeating: 7, count: 2000))]) }
    )
    try rig.change([TableChange("t", "r5", ["n": .integer(1)])])
    let new = try newRig()
    #expect(try new.merge(rig.backup()).fates == [.restored: 700])
    var order: [String] = []
    var token: TableToken?
    while order.count < 700 {
      let page = try new.tablePage(after: token)
      order += page.rows.map(\.key.row.text)
      token = page.token
    }
    #expect(order == names.filter { $0 != "r5" } + ["r5"])
  }
}
