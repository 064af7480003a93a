import LocalAuthJSON
import LocalAuthUnix
import LocalAuthWire
import Testing

/// Agents and callers that keep to no rules, on the socket itself.
///
/// The test's own process is the caller; an agent must be another, because none asks on its own behalf.
@Suite struct AgentPeerTests {
  private let session: AgentSession
  private var client: WireClient { session.client }

  init() throws { session = try AgentSession() }

  private static let method = Interface.authentication + "Evaluate"

  private static func request(_ more: [String: JSONValue] = [:]) -> JSONValue {
    WireClient.evaluation("passcode", on: "sim", ["agent": true].merging(more) { $1 })
  }

  /// Begins an evaluation for which an agent asks; it is under way when this returns.
  private func begin(_ more: [String: JSONValue] = [:], streams: Bool = false) throws -> WireClient
  {
    let caller = try session.daemon.connect()
    // Calls of connections that are open are taken in turn.
    #expect(try caller.call(Interface.service + "GetInfo").error == nil)
    try caller.send(Self.method, Self.request(more), more: streams)
    #expect(try client.call(Interface.service + "GetInfo").error == nil)
    return caller
  }

  private func outcome(_ caller: WireClient) throws -> String { try caller.receiveResult().outcome }

  @Test func withoutMoreTheOnlyReplyIsTheResult() throws {
    let agent = try session.agent(["--once"])
    let caller = try begin()
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    let evaluated = try caller.receiveResult()
    #expect(evaluated.outcome == "success" && evaluated.replies.count == 1)
  }

  @Test func withMoreTheCallerHearsNoPrompt() throws {
    let agent = try session.agent()
    let first = try begin(streams: true)
    let second = try begin(["reason": "another"], streams: true)
    for _ in 1...2 {
      try agent.wait(for: "asscode:")
      agent.type("1234\r")
    }
    #expect(try first.receiveResult().replies.count == 1)
    let evaluated = try second.receiveResult()
    #expect(evaluated.prompts.isEmpty && evaluated.outcome == "success")
    #expect(evaluated.replies.first?.parameters["queued"]?.integer == 1)
  }

  @Test func nobodyIsAskedWhereNobodyIsThere() throws {
    let reply = try client.call(Self.method, Self.request())
    #expect(reply.result?["outcome"]?.string == "notInteractive")
    #expect(reply.result?["exit"]?.integer == 5)
  }

  @Test func aScriptAndAnAgentExcludeEachOther() throws {
    let reply = try client.call(Self.method, Self.request(["script": "match"]))
    #expect(reply.error == Interface.service + "InvalidParameter")
  }

  @Test func whatAnAgentIsToldIsAsDescribed() throws {
    let service = try DescribedService(try session.daemon.connect())
    let spy = try AgentSpy(session.daemon.socket, in: session.scratch)
    let caller = try begin(["policy": "biometrics", "action": "pay 10 to ann"])
    _ = try spy.nonce()
    let touch: JSONValue = ["device": "sim", "finger": "left-thumb"]
    #expect(try client.call(Interface.sensor + "Touch", touch).error == nil)
    try spy.wait(for: "notice")
    caller.close()
    try spy.wait(for: "dismissed")
    let replies = try spy.replies
    for reply in replies {
      try service.check(reply, to: Interface.agents + "Register")
      #expect(reply.continues)
    }
    #expect(replies.first?.prompt?["action"]?.string == "pay 10 to ann")
    #expect(replies.contains { $0.notice?["kind"]?.string == "miss" })
    #expect(replies.last?.parameters["dismissed"]?["outcome"]?.string == "appCancel")
  }

  @Test func theCallerCannotAnswerItsOwnPrompt() throws {
    let agent = try session.agent()
    // Even the agent's stream shows what the caller would need only to the agent's process; so it is
    // taken from a stream of a process that the test can look into.
    let spy = try AgentSpy(session.daemon.socket, in: session.scratch)
    let caller = try begin()
    let nonce = try spy.nonce()
    for answer: [String: JSONValue] in [["passcode": "1234"], ["action": "cancel"]] {
      #expect(try client.respond(nonce, answer).errorName == "PromptNotFound")
    }
    // Nor can another agent.
    let frame =
      "{\"method\":\"io.localauth.Authentication.Respond\",\"parameters\":"
      + "{\"nonce\":\"\(nonce)\",\"passcode\":\"1234\"}}"
    #expect(try OtherProcess.say(frame, to: session.daemon.socket).contains("PromptNotFound"))
    #expect(try client.status("sim").passcodeAttemptsLeft == 10)
    try spy.program.end()
    // It went to the agent that is left, under another nonce.
    try agent.wait(for: "asscode:")
    #expect(try client.respond(nonce, ["action": "cancel"]).errorName == "PromptNotFound")
    agent.type("1234\r")
    #expect(try outcome(caller) == "success")
  }

  @Test func anAgentIsNeverAskedOnItsOwnBehalf() throws {
    let agent = try session.daemon.connect()
    try agent.send(Interface.agents + "Register", more: true)
    #expect(try agent.receive().parameters["registered"]?.boolean == true)
    let reply = try client.call(Self.method, Self.request())
    #expect(reply.result?["outcome"]?.string == "notInteractive")
  }

  @Test func registrationNeedsMoreAndASessionOfItsOwn() throws {
    let refused = try client.call(Interface.agents + "Register")
    #expect(refused.error == Interface.agents + "InvalidArgument")
    let (first, second) = (try session.daemon.connect(), try session.daemon.connect())
    try first.send(Interface.agents + "Register", more: true)
    #expect(try first.receive().continues)
    try second.send(Interface.agents + "Register", more: true)
    #expect(try second.receive().error == Interface.agents + "LimitReached")
    first.close()
    // Once the daemon has noticed, there is room.
    for _ in 0..<1000 {
      try second.send(Interface.agents + "Register", more: true)
      if try second.receive().error == nil { return }
    }
    Issue.record("no room was made")
  }

  @Test func aCallerHasEightRequestsAndNotNine() throws {
    let agent = try session.agent()
    let callers = try (0..<8).map { try begin(["reason": .text("reason \($0)")]) }
    let ninth = try client.call(Self.method, Self.request(["reason": "one more"]))
    #expect(ninth.result?["outcome"]?.string == "busy" && ninth.result?["exit"]?.integer == 8)
    // Another process has a share of its own.
    let service = try session.service()
    for caller in callers { caller.close() }
    try agent.wait(for: "nightly backup")
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    #expect(try service.status() == 0, "\(service.text)")
  }

  @Test func identicalRequestsOfOneCallerHaveOnePromptBetweenThem() throws {
    let agent = try session.agent(["--once"])
    let callers = try (0..<12).map { _ in try begin() }
    callers[0].close()
    callers[5].close()
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    for (number, caller) in callers.enumerated() where number != 0 && number != 5 {
      #expect(try outcome(caller) == "success")
    }
    #expect(try agent.waitForExit() == .status(0))
    let lines = try client.audit("sim").filter { $0["action"]?.string == "evaluate" }
    #expect(lines.count == 1)
    #expect(lines[0]["detail"]?.string?.contains("asked 12 times") == true)
  }

  @Test func anActionIsApprovedForEachRequestAlone() throws {
    let agent = try session.agent()
    let callers = try (0..<2).map { _ in try begin(["action": "pay 10 to ann"]) }
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    try agent.wait(for: "success")
    try agent.wait(for: "asscode:")
    agent.type("\u{1b}")
    #expect(try Set(callers.map { try outcome($0) }) == ["success", "userCancel"])
  }

  @Test func anAgentThatDoesNotReadIsDropped() throws {
    let deaf = try AgentSpy(session.daemon.socket, in: session.scratch, reads: false)
    var rounds = 0
    while rounds < 5000 {
      rounds += 1
      let caller = try session.daemon.connect()
      let action = JSONValue.text(String(repeating: "x", count: 1000))
      try caller.send(Self.method, Self.request(["action": action]))
      caller.finishSending()
      caller.close()
      // The daemon answers others all the while.
      let reply = try client.call(Self.method, Self.request(["timeoutMilliseconds": 1]))
      if reply.result?["outcome"]?.string == "notInteractive" { break }
    }
    #expect(rounds < 5000, "it was never dropped")
    #expect(try client.evaluate("biometrics", on: "sim", script: "match").outcome == "success")
    try deaf.program.end()
  }
}
