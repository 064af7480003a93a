import LocalAuthJSON
import Testing

/// A client that follows the audit gets every line once it has its outcome.
@Suite struct AuditFeedTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("desk")
    try client.create("door")
  }

  /// A client that follows the audit, and what it was told first.
  private func follow(
    _ device: String? = nil
  ) throws -> (follower: WireClient, lines: [JSONValue]) {
    let follower = try daemon.connect()
    var parameters: JSONValue = ["follow": true]
    if let device { parameters = parameters.setting(["device": .text(device)]) }
    try follower.send(Interface.devices + "Audit", parameters, more: true)
    return (follower, try lines(follower))
  }

  /// Begins an evaluation whose line is stored, because a finger missed, and returns its prompt's nonce.
  private func beginAndMiss(_ waiting: WireClient) throws -> String {
    let first = try waiting.beginEvaluation(on: "desk")["nonce"]
    _ = try client.call(Interface.sensor + "Touch", ["device": "desk", "finger": "left-thumb"])
    let prompt = try waiting.receivePrompt { $0["nonce"] != first }
    return try #require(prompt["nonce"]?.string)
  }

  private func lines(_ follower: WireClient) throws -> [JSONValue] {
    try follower.receive().get()["lines"]?.elements ?? []
  }

  @Test func noLineIsLostBehindAnEvaluationThatWaits() throws {
    let (follower, _) = try follow()
    let waiting = try daemon.connect()
    let nonce = try beginAndMiss(waiting)
    var expected: [String] = []
    for _ in 1...150 {
      expected.append(try client.evaluate(on: "door", script: "cancel").evaluation)
    }
    _ = try client.respond(nonce, ["action": "cancel"])
    expected.append(try waiting.receiveResult().evaluation)
    var received: [JSONValue] = []
    while received.count < expected.count { received += try lines(follower) }
    #expect(received.map { $0["evaluation"]?.string ?? "" } == expected)
    #expect(received.allSatisfy { $0["outcome"]?.string == "userCancel" })
  }

  @Test func anEvaluationUnderWayIsToldAgainWithItsOutcome() throws {
    let waiting = try daemon.connect()
    let nonce = try beginAndMiss(waiting)
    let (follower, lines) = try follow("desk")
    #expect(lines.last?["outcome"]?.string == "unknown")
    _ = try client.respond(nonce, ["action": "cancel"])
    let line = try #require(try self.lines(follower).first)
    #expect(line["evaluation"] == lines.last?["evaluation"])
    #expect(line["outcome"]?.string == "userCancel")
  }

  @Test func aSuccessThatIsRememberedIsToldOnce() throws {
    let (follower, _) = try follow("desk")
    let remembered: [String: JSONValue] = ["maxAgeSeconds": 300]
    var evaluations: [String] = []
    for more in [remembered, [:]] {
      evaluations.append(try client.evaluate(on: "desk", script: "match", more).evaluation)
    }
    let lines = try (1...2).flatMap { _ in try self.lines(follower) }
    #expect(lines.map { $0["evaluation"]?.string ?? "" } == evaluations)
  }

  @Test func onlyTheNamedDeviceIsFollowed() throws {
    let (follower, _) = try follow("door")
    _ = try client.evaluate(on: "desk", script: "cancel")
    let evaluation = try client.evaluate(on: "door", script: "cancel").evaluation
    #expect(try lines(follower).map { $0["evaluation"]?.string } == [evaluation])
  }
}
