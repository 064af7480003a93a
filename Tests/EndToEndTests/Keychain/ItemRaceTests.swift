import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization
import Testing

/// Sixteen who write and sixteen who read, each over a connection of their own, on one device.
@Suite struct ItemRaceTests {
  private static let writers = 16
  private static let readers = 16
  private static let rounds = 10
  /// Attributes that each writer has for itself, so that updates of one item must not undo each other.
  private static let own = [
    "labl", "icmt", "desc", "crtr", "type", "invi", "nega", "alis", "path", "sdmn", "bin0", "bin1",
    "bin2", "bin3", "binn", "bini",
  ]

  private static let none: JSONValue = [:]

  private let scratch = Scratch()
  private let daemon: DaemonProcess

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim")
  }

  @Test func oneKeyIsAddedOnceHoweverManyTry() throws {
    for round in 0..<Self.rounds {
      let query = JSONValue.password("race", "round \(round)")
      let outcomes = try concurrently(Self.writers) { [daemon] index in
        let client = try daemon.connect()
        let item = query.adding(ItemVersion.attributes(index))
        return try client.item("Add", on: "sim", item, ["data": ItemVersion.data(index)]).outcome
      }
      #expect(outcomes.count { $0 == "success" } == 1, "\(outcomes)")
      #expect(outcomes.count { $0 == "duplicateItem" } == Self.writers - 1, "\(outcomes)")
      let wanted = query.setting(["r_Data": true, "r_Attributes": true])
      let found = try daemon.connect().item("Copy", on: "sim", wanted)
      #expect(found.items.first.flatMap(ItemVersion.of) == outcomes.firstIndex(of: "success"))
    }
  }

  @Test func noUpdateOfAnotherAttributeIsLost() throws {
    let query: JSONValue = ["class": "inet", "srvr": "shared"]
    let client = try daemon.connect()
    #expect(try client.item("Add", on: "sim", query, ["data": "AAAA"]).isDone)
    let losses = try concurrently(Self.writers) { [daemon] index in
      let client = try daemon.connect()
      let name = Self.own[index]
      for round in 1...Self.rounds {
        let value = Self.value(round, of: name)
        let changes: [String: JSONValue] = ["changes": Self.none.setting([name: value])]
        let outcome = try client.item("Update", on: "sim", query, changes).outcome
        guard outcome == "success" else { return "\(name) \(round): \(outcome)" }
        // What was acknowledged is there at once, whatever the others do.
        let copy = try client.item("Copy", on: "sim", query.setting(["r_Attributes": true]))
        guard Self.holds(copy, name, round) else { return "\(name) \(round) was lost" }
      }
      return ""
    }
    #expect(losses.allSatisfy { $0.isEmpty }, "\(losses)")
    let last = try client.item("Copy", on: "sim", query.setting(["r_Attributes": true]))
    #expect(Self.own.filter { !Self.holds(last, $0, Self.rounds) } == [])
  }

  private static func value(_ round: Int, of name: String) -> JSONValue {
    // Numbers, marks and data, as the attribute takes them.
    switch name {
    case "crtr", "type", "invi", "nega": .number(round)
    case "alis", "bin0", "bin1", "bin2", "bin3", "binn", "bini":
      none.setting(["data": ItemVersion.data(round)])
    default: .text("\(round)")
    }
  }

  private static func holds(_ copy: ItemAnswer, _ name: String, _ round: Int) -> Bool {
    copy.items.first?["attributes"]?[name] == value(round, of: name)
  }

  /// Readers see whole versions only, never fewer than before, and everybody is served.
  @Test func readersSeeWholeVersionsWhileOthersWrite() throws {
    let client = try daemon.connect()
    for account in 0..<Self.writers {
      let item = JSONValue.password("race", "\(account)").adding(ItemVersion.attributes(0))
      #expect(try client.item("Add", on: "sim", item, ["data": ItemVersion.data(0)]).isDone)
    }
    let writing = Atomic(Self.writers)
    let findings = try concurrently(Self.writers + Self.readers) { [daemon] index in
      let client = try daemon.connect()
      if index < Self.writers {
        defer { writing.subtract(1, ordering: .relaxed) }
        return try Self.write(account: index, with: client)
      }
      var reads = 0
      var newest = [Int](repeating: 0, count: Self.writers)
      repeat {
        if let fault = try Self.read(with: client, &newest) { return fault }
        reads += 1
      } while writing.load(ordering: .relaxed) > 0
      return reads > 0 ? nil : "a reader starved"
    }
    #expect(findings.allSatisfy { $0 == nil }, "\(findings.compactMap { $0 })")
    var newest = [Int](repeating: 0, count: Self.writers)
    #expect(try Self.read(with: client, &newest) == nil)
    #expect(newest.allSatisfy { $0 == Self.rounds }, "\(newest)")
    #expect(try client.item("Delete", on: "sim", .password("race")).isDone)
    #expect(try daemon.stop() == .status(0))
  }

  private static func write(account: Int, with client: WireClient) throws -> String? {
    let query = JSONValue.password("race", "\(account)")
    for round in 1...rounds {
      let answer = try client.item(
        "Update",
        on: "sim",
        query,
        ["changes": ItemVersion.attributes(round), "data": ItemVersion.data(round)]
      )
      guard answer.isDone else { return "writer \(account): \(answer.outcome) \(answer.message)" }
    }
    return nil
  }

  private static func read(with client: WireClient, _ newest: inout [Int]) throws -> String? {
    let query = JSONValue.password("race").setting([
      "m_Limit": "m_LimitAll", "r_Data": true, "r_Attributes": true,
    ])
    let items = try client.allItems(on: "sim", query)
    guard items.count == writers else { return "\(items.count) items" }
    for item in items {
      guard let account = item["attributes"]?["acct"]?.string.flatMap({ Int($0) }),
        let version = ItemVersion.of(item)
      else { return "torn: \(item)" }
      guard version >= newest[account] else { return "\(account) went back to \(version)" }
      newest[account] = version
    }
    return nil
  }

  /// Whole programs, which start at once and know nothing of each other.
  @Test func programsRaceAsConnectionsDo() throws {
    let words = ["--home", daemon.home, "--device", "sim", "keychain"]
    let reports = try concurrently(Self.writers + Self.readers) { index in
      index < Self.writers
        ? try Authctl.run(
          words + ["add", "--account", "me", "--service", "programs", "--stdin"],
          input: "secret \(index)\n"
        ) : try Authctl.run(words + ["get", "--account", "me", "--service", "programs"])
    }
    let writes = reports[..<Self.writers]
    #expect(writes.count { $0.status == 0 } == 1)
    #expect(writes.count { $0.status == 21 } == Self.writers - 1)
    let winner = writes.firstIndex { $0.status == 0 } ?? -1
    for report in reports[Self.writers...] {
      #expect(report.status == 20 || report.output == "secret \(winner)", "\(report)")
    }
  }
}
