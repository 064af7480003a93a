import LocalAuthJSON
import LocalAuthTestSupport
import Testing

/// `kill -9` of the daemon between writes of rows, and in the middle of one.
@Suite struct TableCrashTests {
  private let scratch = Scratch()
  private static let tables = "io.localauth.Tables."
  private static let sim: JSONValue = ["device": "sim", "allowSimulated": true]
  private static let rows = ["a", "b"]

  /// An array of one number of a byte, as a binary property list in base64.
  private static func list(_ number: Int) -> JSONValue {
    let bytes =
      Array("bplist00".utf8) + [0xA1, 1, 0x10, UInt8(number % 256), 8, 10]
      + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 12]
    return .text(Base64Text.encode(bytes))
  }

  /// A write of the same number to both rows.
  private static func call(_ number: Int) -> JSONValue {
    let changes = rows.map { row -> JSONValue in
      ["table": "t", "row": .text(row), "columns": ["n"], "values": list(number)]
    }
    return sim.setting(["changes": JSONValue(.array(changes))])
  }

  private static func write(_ number: Int, _ client: WireClient) throws {
    let done = try client.call(tables + "Write", call(number))
    try #require(done.error == nil, "\(done)")
  }

  /// The numbers of both rows.
  private static func found(_ client: WireClient) throws -> [JSONValue?] {
    try rows.map { row in
      let reply = try client.call(
        tables + "Read",
        sim.setting(["table": "t", "row": .text(row)])
      )
      try #require(reply.error == nil, "\(reply)")
      return reply.parameters["row"]?["values"]
    }
  }

  /// What a program knows that asked with the token of before the kill.
  private struct Follower {
    var rows: [String: JSONValue] = [:]
    var token: JSONValue?

    mutating func ask(_ client: WireClient) throws {
      let call = token.map { sim.setting(["after": $0]) } ?? sim
      let page = try client.call(tables + "Changes", call).parameters
      #expect(page["anew"]?.boolean == false && page["more"]?.boolean == false)
      for row in page["rows"]?.elements ?? [] {
        rows[row["row"]?.string ?? ""] = row["values"]
      }
      token = page["token"]
      #expect(token?.string != nil)
    }
  }

  private func model() throws -> String {
    try scratch.model { try Self.write(0, $0) }
  }

  @Test func whatWasAnsweredIsThereAfterEachKillAndWhoFollowsMissesNothing() throws {
    var generator = Settings.generator("kills between writes of rows")
    let seed = generator.seed
    let home = try model()
    var follower = Follower()
    var (answered, sent) = (0, 0)
    for round in 0..<8 {
      let daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      let found = try Self.found(client)
      #expect(found[0] == found[1], "round \(round) SEED=\(seed)")
      let kept = (answered...sent).contains { Self.list($0) == found[0] }
      #expect(kept, "round \(round): neither \(answered) nor \(sent) SEED=\(seed)")
      try follower.ask(client)
      #expect(follower.rows["a"] == found[0] && follower.rows["b"] == found[1], "SEED=\(seed)")
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        sent += 1
        try Self.write(sent, client)
        answered = sent
        if Bool.random(using: &generator) { try follower.ask(client) }
      }
      // One more that may be answered or not.
      sent += 1
      try client.send(Self.tables + "Write", Self.call(sent))
      try daemon.crash()
    }
  }

  @Test(
    .enabled(if: Machine.compiler != nil, "needs a C compiler"),
    .disabled(if: Sanitizer.isActive, "a sanitizer lets nothing be loaded before it"),
    arguments: [StepKiller.Mode.killed, .powerCut]
  )
  func aWriteThatIsCutOffIsThereOrIsNot(_ mode: StepKiller.Mode) throws {
    let home = try model()
    let killer = try StepKiller(in: scratch)
    let steps = try killer.killAtEveryStep(mode, from: home, false) { client, isDone in
      try Self.write(1, client)
      isDone = true
    } _: { home, isDone, context in
      let daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      let found = try Self.found(client)
      #expect(found[0] == found[1], context)
      #expect(found[0] == Self.list(1) || (!isDone && found[0] == Self.list(0)), context)
      try daemon.stop()
    }
    #expect(steps > 3, "so few steps cannot be all")
  }
}
