import LocalAuthBackup
import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// Tables of two devices.
@Suite struct SyncTablesTests {
  // MARK: Backups

  @Test func rowsOfABackupGoToTheOtherDevices() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["title": .text("Milk"), "count": .integer(1)])
    try first.write(row: "b", ["title": .text("Eggs")])
    try circle.exchange()
    let backup = try first.backup()
    first.clock.pass(.seconds(5))
    second.clock.pass(.seconds(5))
    try second.write(row: "a", ["count": .integer(2)])
    try second.delete(row: "b")
    try circle.exchange()
    #expect(try first.merge(backup).fates == [.restored: 1, .older: 1])
    try circle.exchange()
    for device in [first, second] {
      #expect(
        try device.rows() == [
          "a": ["title": .text("Milk"), "count": .integer(2)], "b": ["title": .text("Eggs")],
        ]
      )
    }
    #expect(first.isQuiet(with: circle.hub) && second.isQuiet(with: circle.hub))
  }

  @Test func whatTheCircleKnowsOfADamagedRowStandsAgainstABackup() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["title": .text("Milk"), "count": .integer(1)])
    try first.write(row: "b", ["title": .text("Eggs")])
    try circle.exchange()
    let backup = try first.backup()
    try second.write(row: "a", ["count": .integer(2)])
    try circle.exchange()
    circle.hub.isDown = true
    try first.write(row: "b", ["count": .integer(12)])
    try first.write(row: "c", ["title": .text("Salt")])
    try first.damage(row: "a")
    #expect(throws: EngineError.self) { _ = try first.row("a") }
    #expect(try first.merge(backup).fates == [.restored: 1, .older: 1])
    #expect(try first.row("a") == ["title": .text("Milk"), "count": .integer(1)])
    try first.write(row: "b", ["unit": .text("pieces")])
    circle.hub.isDown = false
    try circle.exchange()
    for device in [first, second] {
      #expect(
        try device.rows() == [
          "a": ["title": .text("Milk"), "count": .integer(2)],
          "b": ["title": .text("Eggs"), "count": .integer(12), "unit": .text("pieces")],
          "c": ["title": .text("Salt")],
        ]
      )
    }
    #expect(first.isQuiet(with: circle.hub) && second.isQuiet(with: circle.hub))
  }

  @Test func whatIsDeletedWhileRowsAreFetchedOnceMoreIsGoneEverywhere() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    for row in ["a", "b"] { try first.write(row: row, ["title": .text("Milk")]) }
    try circle.exchange()
    let backup = try first.backup()
    circle.hub.isDown = true
    try first.damage(row: "a")
    #expect(try first.merge(backup).fates[.restored] == 1)
    first.clock.pass(.seconds(5))
    second.clock.pass(.seconds(5))
    try first.delete(row: "b")
    circle.hub.isDown = false
    try circle.exchange()
    for device in [first, second] {
      #expect(try device.rows().keys.sorted() == ["a"])
    }
    #expect(first.isQuiet(with: circle.hub) && second.isQuiet(with: circle.hub))
  }

  // MARK: Rows

  @Test func whatOneDeviceWritesTheOtherReadsAndIsToldOf() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let heard = try second.watchTables()
    try first.write(row: "a", ["title": .text("Milk"), "count": .integer(2)])
    try circle.exchange()
    #expect(try second.rows() == ["a": ["title": .text("Milk"), "count": .integer(2)]])
    #expect(heard.tokens.count == 2)
    try second.write(row: "a", ["count": .null])
    try circle.exchange()
    #expect(try first.row("a") == ["title": .text("Milk"), "count": .null])
    try first.delete(row: "a")
    try circle.exchange()
    #expect(try second.rows().isEmpty)
    #expect(try second.row("a") == nil)
  }

  @Test func columnsThatTwoDevicesWroteAtOnceAreBothThere() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["title": .text("Milk"), "count": .integer(1)])
    try circle.exchange()
    try first.write(row: "a", ["title": .text("Oat milk")])
    try second.write(row: "a", ["count": .integer(3)])
    try circle.exchange()
    let both: [ExactText: CellValue] = ["title": .text("Oat milk"), "count": .integer(3)]
    #expect(try first.row("a") == both)
    #expect(try second.row("a") == both)
    #expect(try first.conflicts().isEmpty && second.conflicts().isEmpty)
    #expect(first.isQuiet(with: circle.hub) && second.isQuiet(with: circle.hub))
  }

  @Test func ofOneColumnTheLaterWriteStandsAndTheOtherIsKept() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["title": .text("Milk")])
    try circle.exchange()
    try first.write(row: "a", ["title": .text("Oat milk")])
    second.clock.pass(.seconds(60))
    try second.write(row: "a", ["title": .text("Soy milk"), "count": .integer(1)])
    try circle.exchange()
    for device in [first, second] {
      #expect(try device.row("a") == ["title": .text("Soy milk"), "count": .integer(1)])
    }
    let lost = try first.conflicts() + second.conflicts()
    #expect(lost.map(\.subject) == [.row(try #require(TableKey("local", "notes", "a")))])
  }

  /// Neither had a row before, so that no keys are there when both write.
  @Test(arguments: [false, true], [false, true])
  func ofTwoMembersWhoUseTablesForTheFirstTimeAtOnceTheLaterWriteStandsAndNothingIsLost(
    laterComesFirst: Bool,
    isRestarted: Bool
  ) throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try circle.exchange()
    circle.hub.isDown = true
    try first.write(row: "a", ["title": .text("earlier"), "mine": .integer(1)])
    second.clock.pass(.seconds(10))
    try second.write(row: "a", ["title": .text("later"), "yours": .integer(2)])
    if isRestarted { for device in circle.devices { try device.restart() } }
    circle.hub.isDown = false
    let order = laterComesFirst ? [second, first] : [first, second]
    for device in order + order + order { try device.synchronize() }
    for device in order {
      #expect(
        try device.rows() == [
          "a": ["title": .text("later"), "mine": .integer(1), "yours": .integer(2)]
        ]
      )
    }
    #expect(try first.conflicts().count + second.conflicts().count == 1)
  }

  @Test func whatLostIsBroughtBack() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["title": .text("Milk")])
    try circle.exchange()
    try first.write(row: "a", ["title": .text("Oat milk")])
    second.clock.pass(.seconds(60))
    try second.write(row: "a", ["title": .text("Soy milk")])
    try circle.exchange()
    let holder = try first.conflicts().isEmpty ? second : first
    let lost = try #require(try holder.conflicts().first)
    try holder.resolve(lost.identifier, .restore)
    try circle.exchange()
    #expect(try first.row("a") == ["title": .text("Oat milk")])
    #expect(try second.row("a") == ["title": .text("Oat milk")])
  }

  @Test func whoSawAValueOverwritesItWhateverTheClockSays() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    first.clock.pass(.seconds(20 * 3600))
    try first.write(row: "a", ["title": .text("tomorrow")])
    try circle.exchange()
    try second.write(row: "a", ["title": .text("today")])
    try circle.exchange()
    #expect(try first.row("a") == ["title": .text("today")])
  }

  @Test func aClockThatIsYearsAheadDecidesNothing() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["title": .text("Milk")])
    try circle.exchange()
    first.clock.pass(.seconds(10 * 365 * 24 * 3600))
    try first.write(row: "a", ["title": .text("from 2036")])
    second.clock.pass(.seconds(3600))
    try second.write(row: "a", ["title": .text("an hour later")])
    try circle.exchange()
    #expect(try first.row("a") == ["title": .text("an hour later")])
    #expect(try second.row("a") == ["title": .text("an hour later")])
  }

  @Test func aWriteAndADeletionAtOnceLeaveDevicesEqualAndNothingIsLost() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["title": .text("Milk")])
    try first.write(row: "b", ["title": .text("Bread")])
    try circle.exchange()
    try first.delete(row: "a")
    try first.write(row: "b", ["title": .text("Rye bread")])
    second.clock.pass(.seconds(60))
    try second.write(row: "a", ["title": .text("Oat milk")])
    try second.delete(row: "b")
    try circle.exchange()
    for device in [first, second] {
      #expect(try device.rows() == ["a": ["title": .text("Oat milk")]])
    }
    let lost = try first.conflicts() + second.conflicts()
    #expect(lost.map(\.subject) == [.row(try #require(TableKey("local", "notes", "b")))])
    #expect(lost.map(\.isDeleted) == [true])
  }

  @Test func aRowIsMadeAnewAfterItWasDeleted() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["title": .text("Milk"), "count": .integer(9)])
    try circle.exchange()
    try second.delete(row: "a")
    try circle.exchange()
    try first.write(row: "a", ["title": .text("again")])
    try circle.exchange()
    #expect(try second.rows() == ["a": ["title": .text("again")]])
  }

  @Test func tablesOfOneGroupAreOneStoreAndOthersAreNot() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["n": .integer(1)], in: "local")
    try first.write(row: "a", ["n": .integer(2)], in: "more")
    try first.change([TableChange("other", "a", ["n": .integer(3)])])
    try circle.exchange()
    #expect(try second.rows(in: "local") == ["a": ["n": .integer(1)]])
    #expect(try second.rows(in: "more") == ["a": ["n": .integer(2)]])
    #expect(try second.report().zones.map(\.name) == [.items, .tables])
  }

  @Test func theHubIsToldNoTableNoRowNoColumnAndNoValue() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    try circle.devices[0].change([
      TableChange("recipes", "pancakes", ["colour": .text("turquoise")])
    ])
    try circle.exchange()
    #expect(try circle.devices[1].page().rows.map(\.key.table) == ["recipes"])
    for request in circle.hub.requests {
      let text = String(decoding: request.bytes(number: 1), as: UTF8.self)
      for word in ["recipes", "pancakes", "colour", "turquoise"] { #expect(!text.contains(word)) }
    }
  }

  @Test func whereNobodyHasRowsThereIsNoZone() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    try circle.devices[0].add("mail")
    try circle.exchange()
    #expect(circle.hub.zones[.tables] == nil)
  }

  @Test func thousandsOfRowsInOneWriteArrive() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let values = (0..<1000).map { TableChange("notes", "r\($0)", ["n": .integer(Int64($0))]) }
    #expect(try first.change(values).changes == 1000)
    try circle.exchange()
    let rows = try second.rows()
    #expect(rows.count == 1000 && rows["r999"] == ["n": .integer(999)])
  }

  // MARK: Before, and without, a circle

  @Test func whatAFreshDeviceWroteBeforeGivesWayToTheCirclesColumnByColumn() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    try first.write(row: "settings", ["theme": .text("dark")])
    try first.synchronize()
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    second.clock.pass(.seconds(3600))
    try second.write(row: "settings", ["theme": .text("default"), "size": .integer(12)])
    try second.write(row: "own", ["n": .integer(1)])
    try second.enter(as: "second", by: first)
    for device in [second, first, second] { try device.synchronize() }
    let both: [ExactText: CellValue] = ["theme": .text("dark"), "size": .integer(12)]
    for device in [first, second] {
      #expect(try device.rows() == ["settings": both, "own": ["n": .integer(1)]])
    }
  }

  @Test func whatIsWrittenBetweenTwoPagesOfTheFirstDownloadGivesWay() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    // More entries than a page has, and the row that counts in the last one.
    for number in 0..<260 as Range<Int64> {
      try first.write(row: "r", ["n": .integer(number)])
      try first.synchronize()
    }
    try first.write(row: "settings", ["theme": .text("dark")])
    try first.synchronize()
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    second.clock.pass(.seconds(3600))
    var isBetween = false
    try second.enter(as: "second", by: first) {
      circle.onReply(
        to: second,
        where: { if case .zonePull(.tables, let after, _) = $0 { after > 0 } else { false } }
      ) {
        isBetween = true
        second.engine.writeTables(
          [TableChange("notes", "settings", ["theme": .text("default")])],
          second.tables,
          caller: second.caller
        ) { _ in }
      }
    }
    for device in [second, first, second] { try device.synchronize() }
    #expect(isBetween)
    for device in [first, second] {
      #expect(try device.row("settings") == ["theme": .text("dark")])
    }
    #expect(try second.conflicts().count == 1)
  }

  @Test func whoFoundsACircleBringsItsRowsAndDeletionsStayHere() throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    try first.write(row: "a", ["n": .integer(1)])
    try first.write(row: "b", ["n": .integer(2)])
    try first.delete(row: "b")
    try first.found(by: code)
    let second = try SyncDevice(hub, in: place.file("second"))
    try second.enter(as: "second", by: first)
    for device in [first, second] { try device.synchronize() }
    #expect(try second.rows() == ["a": ["n": .integer(1)]])
  }

  @Test func whatWasWrittenWithoutKeysIsSentAfterTheUnlock() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["n": .integer(1)])
    try circle.exchange()
    try first.lock()
    try first.write(row: "a", ["n": .integer(2)])
    try circle.exchange()
    #expect(try second.row("a") == ["n": .integer(2)], "rows go while the device is locked")
    try first.restart(isUnlocked: false)
    #expect(throws: EngineError.self) { try first.row("a") }
    try first.unlock()
    try first.write(row: "a", ["n": .integer(3)])
    try circle.exchange()
    #expect(try second.row("a") == ["n": .integer(3)])
  }

  @Test func whoLeavesKeepsItsRowsAndBringsThemIntoAnotherCircle() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["n": .integer(1)])
    try circle.exchange()
    try second.leave()
    #expect(try second.rows() == ["a": ["n": .integer(1)]])
    try second.write(row: "b", ["n": .integer(2)])
    try second.enter(as: "again", by: first)
    for device in [second, first, second] { try device.synchronize() }
    for device in [first, second] {
      #expect(try device.rows() == ["a": ["n": .integer(1)], "b": ["n": .integer(2)]])
    }
  }

  // MARK: Changes since

  @Test func eachChangeIsListedOnceBehindWhatWasKnown() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["n": .integer(1)])
    try first.write(row: "b", ["n": .integer(1)])
    try circle.exchange()
    let known = try second.page()
    #expect(Set(known.rows.map(\.key.row)) == ["a", "b"] && known.isLast && !known.isAnew)
    #expect(try second.page(after: known.token).rows.isEmpty)
    try first.write(row: "a", ["n": .integer(2)])
    try first.delete(row: "b")
    try first.write(row: "a", ["n": .integer(3)])
    try circle.exchange()
    let news = try second.page(after: known.token)
    let changed = Dictionary(uniqueKeysWithValues: news.rows.map { ($0.key.row, $0.values) })
    #expect(changed == ["a": ["n": .integer(3)], "b": nil])
    #expect(try second.page(after: news.token).rows.isEmpty)
    try second.restart()
    #expect(try second.page(after: news.token).rows.isEmpty, "a start changes no numbers")
    #expect(try !second.page(after: news.token).isAnew)
  }

  @Test func whatWasKnownOfAnotherKeychainIsKnownOfNothing() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.write(row: "a", ["n": .integer(1)])
    try circle.exchange()
    let other = try first.page().token
    let page = try second.page(after: other)
    #expect(page.isAnew && page.rows.count == 1)
    let ahead = TableToken(generation: page.token.generation, revision: 1 << 40)
    #expect(try second.page(after: ahead).isAnew)
  }
}
