import LocalAuthJSON
import LocalAuthTestSupport
import Testing

/// `kill -9` of the daemon between writes to a key-value store, and in the middle of one.
@Suite struct KeyValueCrashTests {
  private let scratch = Scratch()
  private static let store = "io.localauth.KeyValues."
  private static let sim: JSONValue = ["device": "sim", "allowSimulated": true]

  /// The text of three digits as a binary property list in base64.
  private static func list(_ number: Int) -> JSONValue {
    let digits = String(number + 100).utf8
    let bytes =
      Array("bplist00".utf8) + [0x53] + digits + [8]
      + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 12]
    return .text(Base64Text.encode(bytes))
  }

  private static func write(_ number: Int, _ client: WireClient) throws {
    let changes = ["a", "b"].map { key -> JSONValue in
      ["key": .text(key), "value": list(number)]
    }
    let done = try client.call(
      store + "Write",
      sim.setting(["changes": JSONValue(.array(changes))])
    )
    try #require(done.error == nil, "\(done)")
  }

  private static func values(_ client: WireClient) throws -> [String: JSONValue] {
    let reply = try client.call(store + "Read", sim)
    try #require(reply.error == nil, "\(reply)")
    var values: [String: JSONValue] = [:]
    for entry in reply.parameters["values"]?.elements ?? [] {
      values[entry["key"]?.string ?? ""] = entry["value"]
    }
    return values
  }

  private func model() throws -> String {
    try scratch.model { try Self.write(0, $0) }
  }

  @Test func whatWasAnsweredIsThereAfterEachKillAndNothingIsHalfWritten() throws {
    var generator = Settings.generator("kills between writes")
    let seed = generator.seed
    let home = try model()
    var (answered, sent) = (0, 0)
    for round in 0..<8 {
      let daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      let found = try Self.values(client)
      #expect(found["a"] == found["b"], "round \(round) SEED=\(seed)")
      let kept = (answered...sent).contains { Self.list($0) == found["a"] }
      #expect(kept, "round \(round): neither \(answered) nor \(sent) SEED=\(seed)")
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        sent += 1
        try Self.write(sent, client)
        answered = sent
      }
      // One more that may be answered or not.
      sent += 1
      try client.send(
        Self.store + "Write",
        Self.sim.setting([
          "changes": [
            ["key": "a", "value": Self.list(sent)], ["key": "b", "value": Self.list(sent)],
          ]
        ])
      )
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
      let found = try Self.values(client)
      #expect(found["a"] == found["b"], context)
      #expect(found["a"] == Self.list(1) || (!isDone && found["a"] == Self.list(0)), context)
      try daemon.stop()
    }
    #expect(steps > 3, "so few steps cannot be all")
  }

  /// Two programs that write the same keys at once end with one of their writes, whole.
  @Test func twoWritersLeaveOneWriteWhole() throws {
    let daemon = try DaemonProcess(home: try model())
    _ = try concurrently(2) { writer in
      let client = try daemon.connect()
      for number in 0..<100 { try Self.write(writer * 100 + number + 1, client) }
      return writer
    }
    let client = try daemon.connect()
    let found = try Self.values(client)
    #expect(found["a"] == found["b"])
    #expect(found["a"] == Self.list(100) || found["a"] == Self.list(200))
    let watch = try client.call(Self.store + "Watch", Self.sim)
    #expect(watch.parameters["revision"]?.integer == 201, "each write is one change")
    try daemon.stop()
  }
}
