import Glibc
import LocalAuthUnix
import Testing

/// What a person is asked who decides on a circle.
extension SyncTests {
  /// A machine with a finger that founded a circle, another that asked it to be let in, and the words of that.
  private func asked(
    hasPasscode: Bool = true
  ) throws -> (first: SyncedMachine, second: SyncedMachine, words: String) {
    let first = try SyncedMachine(
      "laptop",
      in: scratch,
      server,
      fingers: ["right-index"],
      hasPasscode: hasPasscode
    )
    try first.found(try hub.code())
    let second = try SyncedMachine("server", in: scratch, server)
    let words = try second.ask(try first.type(["sync", "invite", "--no-wait"]))
    try first.awaitAnswer()
    return (first, second, words)
  }

  private func terminal(_ machine: SyncedMachine, _ words: [String]) throws -> TerminalProgram {
    try TerminalProgram.authctl(["--home", machine.home, "--device", "demo", "sync"] + words)
  }

  private func touch(_ machine: SyncedMachine, _ finger: String = "right-index") throws {
    _ = try machine.run(["sensor", "touch", finger, "--wait"])
  }

  @Test func aFingerLetsTheDeviceInThatThePromptNames() throws {
    let (first, second, words) = try asked()
    let approving = try terminal(first, ["approve", "--words", words])
    try approving.wait(for: "Touch the fingerprint sensor")
    #expect(approving.screen.contains("let in 'server' with the words"), "\(approving.screen)")
    try touch(first)
    #expect(try approving.waitForExit() == .status(0), "\(approving.screen)")
    #expect(try second.isInBeforeLong())
    let audit = try first.type(["audit", "--json"])
    #expect(audit.contains("'server' with the words \(words)"), "\(audit)")
  }

  @Test func threeWrongFingersLeaveThePasscode() throws {
    let (first, second, words) = try asked()
    let approving = try terminal(first, ["approve", "--words", words])
    try approving.wait(for: "Touch the fingerprint sensor")
    for _ in 0..<3 { try touch(first, "left-thumb") }
    try approving.wait(for: "Type the passcode")
    approving.type("1234\n")
    #expect(try approving.waitForExit() == .status(0), "\(approving.screen)")
    #expect(try second.isInBeforeLong())
  }

  @Test func aPolicyThatIsNamedIsProvenToo() throws {
    let (first, second, words) = try asked()
    let approving = try terminal(
      first,
      ["approve", "--words", words, "--policy", "biometrics-and-passcode"]
    )
    try approving.wait(for: "Touch the fingerprint sensor")
    try touch(first)
    try approving.wait(for: "Type the passcode")
    approving.type("1234\n")
    #expect(try approving.waitForExit() == .status(0), "\(approving.screen)")
    #expect(try second.isInBeforeLong())
  }

  @Test func whoAnswersTooLateIsToldThatTheInvitationIsOpen() throws {
    let (first, _, words) = try asked()
    let approving = try terminal(first, ["approve", "--words", words, "--timeout", "1s"])
    #expect(try approving.waitForExit() == .status(6), "\(approving.screen)")
    #expect(approving.screen.contains("The invitation is still open"), "\(approving.screen)")
    #expect(try first.status.contains("server answered the invitation"))
    try first.approve(words)
  }

  @Test func aProgramThatIsKilledWhileThePersonIsAskedLetsNobodyIn() throws {
    let (first, _, words) = try asked()
    let approving = try terminal(first, ["approve", "--words", words])
    try approving.wait(for: "Touch the fingerprint sensor")
    approving.signal(SIGKILL)
    _ = try approving.waitForExit()
    let isOver = try first.eventually {
      try first.type(["audit", "--json"]).contains(#""outcome":"appCancel""#)
    }
    #expect(isOver)
    _ = try first.run(["sensor", "touch", "right-index"])
    #expect(try first.status.contains("server answered the invitation"))
    try first.approve(words)
  }

  @Test func withoutATerminalAnAgentAsks() throws {
    let (first, second, words) = try asked()
    let agent = try TerminalProgram.authctl(["--home", first.home, "agent", "--once"])
    try agent.wait(for: "Waiting for programs")
    let service = try AgentSession.Service(
      ["--home", first.home, "--device", "demo", "sync", "approve", "--words", words]
    )
    try agent.wait(for: "let in 'server' with the words")
    try touch(first)
    #expect(try service.status() == 0, "\(service.text)")
    #expect(try agent.waitForExit() == .status(0), "\(agent.screen)")
    #expect(try second.isInBeforeLong())
  }

  @Test func withoutATerminalAndAnAgentThePasscodeIsAskedFor() throws {
    let (first, _, words) = try asked()
    let said = try first.run(["sync", "approve", "--words", words])
    #expect(said.status == 5 && said.errors.contains("--passcode-stdin"), "\(said)")
  }

  @Test func aDeviceWithoutAPasscodeAsksForTheFingerBeforeEachDecision() throws {
    let (first, second, words) = try asked(hasPasscode: false)
    for decision in [["approve", "--words", words], ["roll"], ["leave", "--yes"]] {
      let said = try first.run(["sync"] + decision)
      #expect(said.status == 5, "\(decision): \(said)")
    }
    let approving = try terminal(first, ["approve", "--words", words])
    try approving.wait(for: "Touch the fingerprint sensor")
    try touch(first)
    #expect(try approving.waitForExit() == .status(0), "\(approving.screen)")
    #expect(try second.isInBeforeLong())
    let removing = try terminal(first, ["remove", "server", "--yes"])
    try removing.wait(for: "remove 'server' with the words")
    try touch(first)
    #expect(try removing.waitForExit() == .status(0), "\(removing.screen)")
  }
}
