import LocalAuthCore
import LocalAuthService
import LocalAuthStore
import LocalAuthSync
import LocalAuthTestSupport
import LocalAuthWire
import Testing

@testable import LocalAuthHost

/// Tables of one device, and how they lie on its disk.
@Suite struct TableTests {
  private func kept() throws -> StateScratch {
    let scratch = StateScratch()
    try StateRig.found(scratch.path)
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.create("sim", passcode: "1234"))
    try rig.change([
      TableChange("findable table", "findable row", ["findable column": .text("findable text")])
    ])
    try rig.put(row: "a", 1)
    rig.close()
    return scratch
  }

  private func open(_ scratch: StateScratch) throws -> StateRig {
    let rig = try #require(try StateRig(opening: scratch.path))
    rig.unlock("sim", "1234")
    return rig
  }

  // MARK: Who and when

  @Test func rowsAreThereAfterAStartOnceTheDeviceIsUnlocked() throws {
    let scratch = try kept()
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.objection { _ = try rig.tablePage() }?.code == .itemLocked)
    #expect(rig.objection { try rig.put(row: "a", 2) }?.code == .itemLocked)
    #expect(rig.unlock("sim", "1234"))
    #expect(try rig.tableRow("a") == ["n": .integer(1)])
    #expect(try rig.tablePage().rows.count == 2)
  }

  @Test func aGroupOfOthersIsRefused() throws {
    let rig = try KeychainRig()
    try rig.put(row: "a", 1)
    let foreign = rig.tableRequest("local", groups: ["more"])
    #expect(
      rig.objection { _ = try rig.tablePage(after: nil, foreign) }?.code == .accessGroupNotAllowed
    )
    let none = rig.tableRequest(groups: [])
    #expect(
      rig.objection { _ = try rig.tablePage(after: nil, none) }?.code == .accessGroupNotAllowed
    )
    #expect(try rig.tablePage(after: nil, rig.tableRequest("more")).rows.isEmpty)
  }

  @Test func rowsOfOneWriteAreThereTogetherOrNotAtAll() throws {
    let rig = try KeychainRig()
    try rig.put(row: "a", 1)
    let failures = rig.disk.failing { _ in true }
    let changes = ["a", "b", "c"].map { TableChange("t", $0, ["n": .integer(2)]) }
    guard case .internalError = rig.objection({ try rig.change(changes) }) else {
      Issue.record("it was written")
      return
    }
    #expect(failures.count == 1)
    rig.disk.heal()
    #expect(try rig.tablePage().rows.map(\.values) == [["n": .integer(1)]])
    #expect(try rig.change(changes).changes == 3)
    #expect(try rig.tablePage().rows.count == 3)
  }

  @Test func oneRowThatAWriteNamesTwiceIsWrittenOnce() throws {
    let rig = try KeychainRig()
    let changes = [
      TableChange("t", "a", ["n": .integer(1)]), TableChange("t", "b", ["n": .integer(1)]),
      TableChange("t", "a", nil), TableChange("t", "a", ["m": .integer(2)]),
    ]
    #expect(try rig.change(changes).changes == 2)
    #expect(try rig.tableRow("a") == ["m": .integer(2)])
    #expect(try rig.tablePage().rows.map(\.key.row) == ["b", "a"])
    let many = (0...Engine.tableRowsMax).map { TableChange("t", "\($0)", [:]) }
    #expect(throws: EngineError.self) { try rig.change(many) }
    #expect(try rig.tablePage().rows.count == 2)
  }

  @Test func aSmallWriteThatWouldRewriteMuchIsRefusedWhole() throws {
    let rig = try KeychainRig()
    let long = String(repeating: "x", count: 60_000)
    let rows = (0..<150).map { "\($0)" }
    var before: TableToken?
    for few in [rows[..<75], rows[75...]] {
      before = try rig.change(few.map { TableChange("t", $0, ["long": .text(long)]) }).token
    }
    #expect(
      throws: EngineError.limitReached(
        "One write changes rows of at most 16 MiB: write them in several steps."
      )
    ) { try rig.change(rows.map { TableChange("t", $0, ["n": .integer(1)]) }) }
    #expect(try rig.tablePage(after: before).rows.isEmpty)
    #expect(
      try rig.change(rows[..<100].map { TableChange("t", $0, ["n": .integer(1)]) }).changes == 100
    )
    #expect(try rig.change(rows.map { TableChange("t", $0, nil) }).changes == 150)
  }

  @Test func whatIsThereAlreadyIsNoChange() throws {
    let rig = try KeychainRig()
    try rig.put(row: "a", 1)
    let token = try rig.tablePage().token
    #expect(try rig.put(row: "a", 1).changes == 0)
    #expect(try rig.change([TableChange("t", "none", nil)]).changes == 0)
    #expect(try rig.tablePage(after: token).rows.isEmpty)
  }

  // MARK: What changed

  @Test func whoAsksWhileRowsAreWrittenMissesNone() throws {
    let scratch = StateScratch()
    try StateRig.found(scratch.path)
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.create("sim", passcode: "1234"))
    defer { rig.close() }
    var follower = TableFollower()
    for round in 0..<300 as Range<Int64> {
      var isDone = false
      let change = TableChange("t", "r\(round % 7)", ["n": .integer(round)])
      rig.engine.writeTables([change], rig.tableRequest(), caller: rig.caller) { _ in
        isDone = true
      }
      while !isDone {
        try follower.ask { try rig.tablePage(after: $0) }
        rig.engine.completionsArrived()
      }
      try follower.ask { try rig.tablePage(after: $0) }
      #expect(follower.rows["r\(round % 7)"] == ["n": .integer(round)])
    }
  }

  @Test func numbersGoOnAfterEachStart() throws {
    let scratch = try kept()
    var follower = TableFollower()
    for round in 0..<5 as Range<Int64> {
      let rig = try open(scratch)
      for number in 0..<9 as Range<Int64> { try rig.put(row: "r\(number)", round * 9 + number) }
      try follower.ask { try rig.tablePage(after: $0) }
      #expect(follower.rows.count == 11 && follower.beginnings == 0)
      #expect(follower.rows["r8"] == ["n": .integer(round * 9 + 8)])
      try rig.change([
        TableChange("t", "last", ["n": .integer(round)]), TableChange("t", "last", nil),
      ])
      rig.close()
    }
  }

  @Test func anErasedDeviceHasNoRowsAndWhoKnewSomeBeginsAnew() throws {
    let rig = try KeychainRig()
    for number in 0..<5 as Range<Int64> { try rig.put(row: "r\(number)", number) }
    var follower = TableFollower()
    try follower.ask { try rig.tablePage(after: $0) }
    var heard = 0
    let watch = try rig.engine.watchTables(rig.tableRequest(), caller: rig.caller) { _ in
      heard += 1
    }
    defer { watch.end() }
    try rig.wait { rig.engine.erase("sim", caller: rig.caller, then: $0) }
    #expect(heard == 2)
    for number in 0..<9 as Range<Int64> { try rig.put(row: "s\(number)", number) }
    try follower.ask { try rig.tablePage(after: $0) }
    #expect(follower.beginnings == 1)
    #expect(follower.rows.keys.sorted() == (0..<9).map { "s\($0)" })
  }

  // MARK: The disk

  @Test func neitherNamesNorValuesLieOnTheDisk() throws {
    let scratch = try kept()
    let rig = try open(scratch)
    try rig.change([
      TableChange("another table", "another row", ["another column": .text("another text")])
    ])
    for (file, bytes) in StateFiles(of: scratch.path).contents {
      for word in ["table", "row", "column", "text"] {
        for text in ["findable \(word)", "another \(word)"] {
          #expect(!bytes.contains(Array(text.utf8)), "\(text) in \(file)")
        }
      }
    }
  }

  @Test func aRowThatWasChangedIsAnErrorIsLeftOutAndCanBeDeleted() throws {
    for sql: StaticString in [
      "UPDATE item SET secret = zeroblob(length(secret))",
      "UPDATE item SET attributes = zeroblob(length(attributes))",
    ] {
      let scratch = try kept()
      try ItemRows(scratch.path + "/" + StateFiles.database).execute(sql)
      let rig = try open(scratch)
      #expect(throws: EngineError.self) { try rig.tableRow("a") }
      #expect(throws: EngineError.self) { try rig.put(row: "a", 2) }
      let page = try rig.tablePage()
      #expect(page.rows.isEmpty && page.damaged == 2 && page.isLast)
      #expect(try rig.change([TableChange("t", "a", nil)]).changes == 1)
      #expect(try rig.tableRow("a") == nil)
      try rig.put(row: "a", 3)
      #expect(try rig.tableRow("a") == ["n": .integer(3)])
    }
  }

  // MARK: Limits

  @Test func aPageOfLongNamesFitsAReply() throws {
    let rig = try KeychainRig()
    let table = String(repeating: "\"", count: 128)
    for start in stride(from: 0, to: 1000, by: 100) {
      let names = (start..<start + 100).map { number in
        String(repeating: "\"", count: 506) + String(100_000 + number)
      }
      try rig.change(names.map { TableChange(table, $0, ["n": .null]) })
      try rig.change(names.map { TableChange(table, $0, nil) })
    }
    var (token, count): (TableToken?, Int) = (nil, 0)
    while true {
      let reply = TableMessages.ChangesReply(try rig.tablePage(after: token))
      var frame: [UInt8] = []
      try IncomingReply.write(reply, to: &frame)
      #expect(frame.count < WireLimits().frameBytesMax)
      count += reply.rows.count
      token = TableToken(reply.token)
      guard reply.more, count < 2000 else { break }
    }
    #expect(count == 1000)
  }
}
