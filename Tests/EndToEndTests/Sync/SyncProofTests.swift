import Glibc
import LocalAuthHub
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
    let code = try hub.code()
    if hasPasscode { try first.found(code) } else { try found(first, by: code) }
    let second = try SyncedMachine("server", in: scratch, server)
    let words = try second.ask(try first.type(["sync", "invite", "--no-wait"]))
    try first.awaitAnswer()
    return (first, second, words)
  }

  /// Founds a circle at a terminal, with a finger.
  private func found(_ machine: SyncedMachine, by code: String) throws {
    let founding = try terminal(machine, Array(machine.foundWords.dropFirst()))
    try founding.wait(for: "Code of the hub's administrator")
    founding.type(code.filter { $0 != "\n" } + "\n")
    try founding.wait(for: "Touch the fingerprint sensor")
    #expect(founding.screen.contains("send what is synchronized here, sealed, to '"))
    try touch(machine)
    try #require(try founding.waitForExit() == .status(0), "\(founding.screen)")
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

  /// The daemon answers by an error, and the terminal is given back before it is told.
  @Test func aPromptThatIsCancelledIsGoneBeforeTheErrorIsTold() throws {
    let (first, _, words) = try asked()
    let approving = try terminal(first, ["approve", "--words", words])
    try approving.wait(for: "Touch the fingerprint sensor")
    approving.type("q")
    #expect(try approving.waitForExit() == .status(3), "\(approving.screen)")
    #expect(!approving.screen.contains("leftauthctl"), "\(approving.screen)")
    #expect(approving.isRestored)
  }

  @Test func aCodeThatNobodyWouldSeeIsNotMade() throws {
    let (first, _, _) = try asked()
    let said = try first.run(["sync", "invite"])
    #expect(said.status == 5 && said.errors.contains("--no-wait"), "\(said)")
    #expect(try first.status.contains("server answered the invitation"), "it is the one before")
  }

  @Test func aDeviceIsToldThatItLeavesBeforeItIsAskedAnything() throws {
    let (first, _, _) = try asked()
    let said = try first.run(["sync", "remove", "laptop"])
    #expect(said.status == 77 && said.errors.contains("'authctl sync leave'"), "\(said)")
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
  // MARK: Joining

  /// A machine with a finger that is in no circle, and a code by which it may join one.
  private func invited() throws -> (first: SyncedMachine, second: SyncedMachine, code: String) {
    let first = try SyncedMachine("laptop", in: scratch, server)
    try first.found(try hub.code())
    let second = try SyncedMachine("server", in: scratch, server, fingers: ["right-index"])
    return (first, second, try first.type(["sync", "invite", "--no-wait"]))
  }

  @Test func aFingerHasADeviceJoinWhereThePromptSays() throws {
    let (first, second, code) = try invited()
    let joining = try terminal(second, Array(second.joinWords.dropFirst()) + ["--no-wait"])
    try joining.wait(for: "Code of the other device")
    joining.type(code.filter { $0 != "\n" } + "\n")
    try joining.wait(for: "Touch the fingerprint sensor")
    #expect(
      joining.screen.contains("give what is synchronized here to the circle at '"),
      "\(joining.screen)"
    )
    try touch(second)
    #expect(try joining.waitForExit() == .status(0), "\(joining.screen)")
    // The same code asks for nothing.
    let said = try second.run(second.joinWords + ["--code-stdin", "--no-wait"], code)
    #expect(said.status == 0, "\(said)")
    let words = said.output.filter { $0 != "\n" }
    _ = try second.run(["sync", "now"])
    try first.approve(words)
    #expect(try second.isInBeforeLong())
    let audit = try second.type(["audit", "--json"])
    #expect(audit.contains("as 'server' with the words \(words)"), "\(audit)")
  }

  /// A program of the user's own, which has a code for a circle of its own.
  @Test func aProgramWithoutTheFingerAndThePasscodeBeginsNothing() throws {
    let (first, second, invitation) = try invited()
    try second.add("mail", "hunter2")
    let key = try first.type(["sync", "recovery-key", "--passcode-stdin"], "1234\n")
    let codes = [("found", try hub.code()), ("join", invitation), ("recover", key)]
    let devices = "select count(*)::text from localauth.device"
    let before = try server.administrator().text(devices)
    for (verb, code) in codes {
      let words = ["sync", verb] + second.joinWords.dropFirst(2)
      let said = try second.run(words + ["--code-stdin"], code)
      #expect(said.status == 5, "\(verb): \(said)")
      let guessed = try second.run(
        words + ["--code-stdin", "--passcode-stdin"],
        code.filter { $0 != "\n" } + "\n9999\n"
      )
      #expect(guessed.status == 1, "\(verb): \(guessed)")
      #expect(try second.run(["sync", "status"]).status == 20, "it is in no circle")
    }
    #expect(try first.run(["sync", "approve", "--words", "x"]).status == 20, "nobody asked")
    #expect(try server.administrator().text(devices) == before)
  }
}
