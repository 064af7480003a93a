import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// Rows that met in ways that nobody thought of at first.
@Suite struct SyncTableFaultsTests {
  /// A circle whose tables have a checkpoint with the row "settings", and entries behind it.
  private func longTables(
    _ place: ScratchDirectory
  ) throws -> (circle: SyncCircle, first: SyncDevice) {
    let circle = try SyncCircle("first", checkpointInterval: 4, in: place)
    let first = circle.devices[0]
    try first.write(row: "settings", ["theme": .text("dark")])
    try first.synchronize()
    for number in 0..<9 as Range<Int64> {
      try first.write(row: "r", ["n": .integer(number)])
      try first.synchronize()
    }
    return (circle, first)
  }

  private func expectEqual(_ devices: [SyncDevice], row: String, _ note: Comment = "") throws {
    let rows = try devices.map { try $0.row(row) }
    #expect(Set(rows).count == 1, "\(note) they differ: \(rows)")
    for device in devices {
      let replica = try #require(device.replica(of: .tables))
      #expect(replica.alarm == nil, "\(note) alarm")
      #expect(replica.outbox.waiting.isEmpty, "\(note) something still waits")
    }
  }

  @Test func rowsThatComeTogetherAreInTheOrderOfTheirChanges() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "oldest", ["n": .integer(0)])
    try circle.exchange()
    circle.hub.isDown = true
    let rows = ["g", "c", "a", "h", "b", "f", "e", "d"]
    for row in rows {
      first.clock.pass(.seconds(1))
      try first.write(row: row, ["n": .integer(1)])
    }
    circle.hub.isDown = false
    try circle.exchange()
    for device in [first, second] {
      #expect(try device.page().rows.map(\.key.row.text) == ["oldest"] + rows)
    }
  }

  @Test func aRowJustBelowTheLimitStaysReadable() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let blob = CellValue.blob([UInt8](repeating: 7, count: 65_460))
    try first.write(row: "a", ["b": blob])
    #expect(throws: Never.self) { try first.row("a") }
    try circle.exchange()
    #expect((try? second.row("a")) == ["b": blob])
    #expect(first.replica(of: .tables)?.outbox.waiting.isEmpty == true)
  }

  @Test func aRowHasRoomForTheMakersOfAllColumns() throws {
    let place = ScratchDirectory()
    let (_, first, _) = try SyncCircle.pair(in: place)
    var values: [ExactText: CellValue] = [:]
    for number in 0..<1000 {
      values[ExactText("c\(number)")] = .text(String(repeating: "x", count: 30))
    }
    #expect(throws: EngineError.self, "its makers have no room") {
      try first.write(row: "a", values)
    }
    #expect(try first.row("a") == nil)
  }

  @Test func aRowFromBeforeTheCircleStaysReadable() throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    var values: [ExactText: CellValue] = [:]
    for number in 0..<1000 {
      values[ExactText("c\(number)")] = .text(String(repeating: "x", count: 10))
    }
    try first.write(row: "a", values)
    #expect(try first.row("a") == values)
    try first.found(by: code)
    try first.synchronize()
    try first.synchronize()
    #expect(throws: Never.self) { try first.row("a") }
  }

  @Test func whatIsEditedDuringTheFirstDownloadIsSentOrKept() throws {
    let place = ScratchDirectory()
    let (circle, first) = try longTables(place)
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    second.clock.pass(.seconds(3600))
    var isBetween = false
    try second.enter(as: "second", by: first) {
      circle.onReply(
        to: second,
        where: { if case .zonePull(.tables, _, _) = $0 { true } else { false } }
      ) {
        isBetween = true
        #expect((try? second.row("settings")) == ["theme": .text("dark")])
        second.engine.writeTables(
          [TableChange("notes", "settings", ["theme": .text("light")])],
          second.tables,
          caller: second.caller
        ) { _ in }
      }
    }
    for device in [second, first, second, first] { try device.synchronize() }
    #expect(isBetween)
    try second.restart()
    for device in [second, first, second, first] { try device.synchronize() }
    try expectEqual([first, second], row: "settings")
  }

  @Test func rowsOfAnotherCircleDoNotPoisonThisOne() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    try first.write(row: "settings", ["theme": .text("dark")])
    try first.synchronize()
    let code = InvitationCode.generate()
    let own = ModelHub(founder: try #require(code.hubRole()))
    let second = try SyncDevice(own, in: place.file("second"))
    try second.write(row: "settings", ["theme": .text("own"), "size": .integer(12)])
    try second.found(by: code)
    try second.synchronize()
    try second.leave()
    try second.restart(reaching: circle.hub)
    try second.enter(as: "second", by: first)
    for device in [second, first, second, first] { try device.synchronize() }
    try expectEqual([first, second], row: "settings")
  }

  @Test func whoLeavesWithSomethingUnsentDoesNotPoisonTheCircle() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "settings", ["theme": .text("dark")])
    try circle.exchange()
    circle.hub.isDown = true
    try second.write(row: "settings", ["size": .integer(12)])
    _ = try? second.synchronize()
    try second.leave()
    circle.hub.isDown = false
    try second.enter(as: "again", by: first)
    for device in [second, first, second, first] { try device.synchronize() }
    try expectEqual([first, second], row: "settings")
  }

  @Test func whoComesBackAfterAPurgeDoesNotPoisonTheCircle() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second, third) = (circle.devices[0], circle.devices[1], circle.devices[2])
    try first.write(row: "a", ["x": .text("old")])
    try circle.exchange()
    #expect(try third.row("a") == ["x": .text("old")])
    try second.delete(row: "a")
    for device in [second, first, second, first] { try device.synchronize() }
    func isPurged() -> Bool {
      circle.hub.zones[.tables]?.entries.contains { $0.changes.contains { $0.body == nil } }
        ?? false
    }
    for _ in 0..<12 where !isPurged() {
      for device in [first, second] { device.clock.pass(.seconds(12 * 24 * 3600)) }
      circle.hub.time = WallInstant(
        milliseconds: circle.hub.time.milliseconds + 12 * 24 * 3_600_000
      )
      for device in [second, first, second, first] { try device.synchronize() }
      try first.write(row: "tick", ["n": .integer(Int64(circle.hub.time.milliseconds))])
      for device in [second, first, second, first] { try device.synchronize() }
    }
    #expect(isPurged())
    try second.write(row: "a", ["y": .text("new")])
    for device in [second, first] { try device.synchronize() }
    #expect(try first.row("a") == ["y": .text("new")])
    third.clock.pass(.seconds(150 * 24 * 3600))
    for device in [third, first, second, third, first, second] { try device.synchronize() }
    try expectEqual([first, second, third], row: "a")
    #expect(try third.row("a") == ["y": .text("new")])
  }

  @Test func whatGaveWayBeforeTheDownloadEndedCanBeBroughtBack() throws {
    let place = ScratchDirectory()
    let (circle, first) = try longTables(place)
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    var role: HubRole?
    circle.hub.passage = { asking, request in
      if asking == role, case .zonePull(.tables, _, _) = request { .isLost } else { .arrives }
    }
    try second.enter(as: "second", by: first) { role = second.role }
    #expect(try second.row("settings") == ["theme": .text("dark")])
    #expect(second.synchronizer?.state.hasTables == false)
    try second.write(row: "settings", ["theme": .text("mine")])
    first.clock.pass(.seconds(60))
    second.clock.pass(.seconds(60))
    try first.write(row: "settings", ["theme": .text("darker")])
    try first.synchronize()
    circle.hub.passage = nil
    for device in [second, first, second, first] { try device.synchronize() }
    try expectEqual([first, second], row: "settings")
    let here = try second.row("settings")
    if here == ["theme": .text("darker")] {
      let lost = try first.conflicts() + second.conflicts()
      #expect(lost.map(\.subject) == [.row(try #require(TableKey("local", "notes", "settings")))])
      let mine = try second.conflicts()
      if let lost = mine.first {
        #expect(throws: Never.self) { try second.resolve(lost.identifier, .restore) }
        #expect(try second.row("settings") == ["theme": .text("mine")])
      }
    }
  }

  @Test func aDeletionThatIsLaterThanAllEditsStandsAlsoWhereTheyWereMerged() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second, third) = (circle.devices[0], circle.devices[1], circle.devices[2])
    try first.write(row: "a", ["x": .integer(1), "y": .integer(1)])
    try circle.exchange()
    circle.hub.isDown = true
    second.clock.pass(.seconds(10))
    try second.write(row: "a", ["x": .integer(2)])
    third.clock.pass(.seconds(20))
    try third.write(row: "a", ["y": .integer(3)])
    first.clock.pass(.seconds(100))
    try first.delete(row: "a")
    for device in circle.devices { device.clock.pass(.seconds(200)) }
    circle.hub.isDown = false
    for device in [second, third, second, first, third, second, first] { try device.synchronize() }
    try expectEqual(circle.devices, row: "a")
    #expect(try first.row("a") == nil, "the deletion was the last thing that a person did")
  }

  @Test func aColumnThatComesBackFromABackupGoesToTheOthers() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["n": .integer(1)])
    try circle.exchange()
    // The backup is of another device of the same person, which has a column that this row has not.
    let other = try KeychainRig()
    other.clock.moment.wall = first.clock.moment.wall
    try other.change([TableChange("notes", "a", ["m": .integer(2)])])
    let backup = try other.backup()
    _ = try first.merge(backup)
    #expect(try first.row("a") == ["n": .integer(1), "m": .integer(2)])
    for device in [first, second, first, second] { try device.synchronize() }
    try first.restart()
    for device in [first, second, first, second] { try device.synchronize() }
    try expectEqual([first, second], row: "a")
  }
}
