import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Items that programs without a terminal open, and a person at an agent's.
@Suite struct AgentItemTests {
  private let session: AgentSession

  init() throws {
    session = try AgentSession()
    for (name, secret, flags) in [
      ("mail/me", "hunter2", "biometryAny"), ("bank/me", "geheim", "devicePasscode"),
    ] {
      let added = try Authctl.run(
        words(["add", name, "--access-control", flags, "--stdin"]),
        input: secret
      )
      #expect(added.status == 0, "\(added.errors)")
    }
  }

  private func words(_ verb: [String]) -> [String] {
    ["--home", session.daemon.home, "--device", "sim", "keychain"] + verb
  }

  /// `authctl keychain get` as a service runs it: in a session of its own without a terminal.
  private func reader(_ item: String) throws -> AgentSession.Service {
    try AgentSession.Service(words(["get", item]))
  }

  @Test func anItemOpensOnceSomebodyApprovesAtTheAgent() throws {
    let agent = try session.agent(["--once"])
    let reader = try reader("bank/me")
    try agent.wait(for: "open \"bank\" (account me)")
    try agent.wait(for: "Asked by authctl")
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    #expect(try reader.status() == 0, "\(reader.text)")
    #expect(reader.text.hasPrefix("geheim"))
    #expect(try agent.waitForExit() == .status(0), "\(agent.screen)")
    #expect(!agent.screen.contains("geheim"))
    let line = try session.client.audit("sim").last
    #expect(line?["detail"]?.string?.contains("agent process \(agent.programID)") == true)
  }

  @Test func anItemStaysShutWhenTheAgentSaysNo() throws {
    let agent = try session.agent(["--once"])
    let reader = try reader("bank/me")
    try agent.wait(for: "asscode:")
    agent.type("\u{1b}")
    #expect(try reader.status() == 3, "\(reader.text)")
    #expect(!reader.text.contains("geheim"))
  }

  @Test func anItemStaysShutWhenTheAgentIsKilledAtThePrompt() throws {
    let agent = try session.agent()
    let reader = try reader("bank/me")
    try agent.wait(for: "asscode:")
    _ = try agent.end(SIGKILL)
    #expect(try reader.status() == 7, "\(reader.text)")
    #expect(!reader.text.contains("geheim"))
  }

  @Test func itemsThatNeedDifferentProofsAskTheAgentInTurn() throws {
    let agent = try session.agent()
    let device = ["--home", session.daemon.home, "--device", "sim"]
    let reader = try AgentSession.Service(
      device + ["run", "--", "/usr/bin/printenv", "A", "B"],
      environment: ["A=localauth://mail/me", "B=localauth://bank/me"]
    )
    try agent.wait(for: "Touch the")
    let touch = device + ["sensor", "touch", "right-index", "--wait"]
    #expect(try Authctl.run(touch).status == 0)
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    #expect(try reader.status() == 0, "\(reader.text)")
    #expect(reader.text.contains("hunter2\ngeheim\n"), "\(reader.text)")
  }

  /// What the person typed is right or wrong when the item says so, and not before.
  @Test func wrongApplicationPasswordIsNoSuccess() throws {
    let control: JSONValue = ["protection": "ak", "flags": ["applicationPassword"]]
    let added = try session.client.item(
      "Add",
      on: "sim",
      .password("vault", "me").setting(["accc": ["accessControl": control]]),
      ["data": "Z2VoZWlt", "applicationPassword": "pepper"]
    )
    #expect(added.isDone, "\(added)")
    let agent = try session.agent()
    let reader = try reader("vault/me")
    for typed in ["salt", "pepper"] {
      try agent.wait(for: "pplication password:")
      agent.type("\(typed)\r")
    }
    #expect(try reader.status() == 0, "\(reader.text)")
    try agent.wait(for: "success")
    let ends = ["authenticationFailed", "success"]
    let outcomes = try session.client.audit("sim").suffix(2).map { $0["outcome"]?.string }
    #expect(outcomes == ends)
    let spoken = agent.screen.firstRange(of: "authenticationFailed")?.lowerBound
    let praised = agent.screen.firstRange(of: "success")?.lowerBound
    #expect(spoken != nil && praised != nil && spoken! < praised!, "\(agent.screen)")
  }

  @Test func withoutAnAgentNobodyIsAsked() throws {
    let reader = try reader("bank/me")
    #expect(try reader.status() == 5, "\(reader.text)")
    #expect(reader.text.contains("authctl agent"), "\(reader.text)")
  }
}
