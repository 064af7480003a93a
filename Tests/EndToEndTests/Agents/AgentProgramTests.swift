import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Services without a terminal, and a person at an agent's.
@Suite struct AgentProgramTests {
  private let session: AgentSession

  init() throws { session = try AgentSession() }

  // MARK: One prompt

  @Test func withoutAnAgentAServiceIsToldAtOnceThatAPersonIsNeeded() throws {
    let service = try session.service()
    #expect(try service.status() == 5)
    #expect(service.text.contains("no agent"), "\(service.text)")
    #expect(service.text.contains("authctl agent"), "\(service.text)")
  }

  @Test func theAgentShowsWhoAsksWhyAndForWhatAndThePasscodeApproves() throws {
    let agent = try session.agent()
    let service = try session.service(
      reason: "nightly backup",
      ["--action", "copy /srv to tape 7"]
    )
    try agent.wait(for: "nightly backup")
    try agent.wait(for: "copy /srv to tape 7")
    // The program's path follows, on a line of its own where the checkout's is long.
    try agent.wait(for: "Asked by authctl")
    try agent.wait(for: "(\(Machine.authctl)")
    try agent.wait(for: "\(service.program.processID),")
    try agent.wait(for: "SIMULATED")
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    #expect(try service.status() == 0, "\(service.text)")
    try agent.wait(for: "success: nightly backup")
    try agent.wait(for: "Waiting for programs")
    agent.type("q")
    #expect(try agent.waitForExit() == .status(0), "\(agent.screen)")
    #expect(agent.screen.contains("The agent ended."))
    #expect(agent.isRestored && !agent.screen.contains("1234"))
    let line = try session.client.audit("sim").last
    #expect(line?["detail"]?.string?.contains("agent process \(agent.programID)") == true)
  }

  @Test func aFingerApproves() throws {
    let agent = try session.agent(["--once"])
    let service = try session.service("biometrics")
    try agent.wait(for: "Touch the")
    let touch = try Authctl.run(
      [
        "--home", session.daemon.home, "--device", "sim", "sensor", "touch", "right-index",
        "--wait",
      ]
    )
    #expect(touch.status == 0)
    #expect(try service.status() == 0, "\(service.text)")
    #expect(try agent.waitForExit() == .status(0), "\(agent.screen)")
    #expect(agent.isRestored)
  }

  @Test(arguments: ["\u{1b}", "q", "\u{4}"]) func theAgentSaysNo(_ key: String) throws {
    let agent = try session.agent(["--once"])
    let service = try session.service("biometrics")
    try agent.wait(for: "Esc or q")
    agent.type(key)
    #expect(try service.status() == 3, "\(service.text)")
    #expect(try agent.waitForExit() == .status(0), "\(agent.screen)")
    #expect(agent.screen.contains("userCancel: nightly backup"), "\(agent.screen)")
  }

  @Test func aWrongPasscodeMayBeTypedAgain() throws {
    let agent = try session.agent(["--once"])
    let service = try session.service()
    try agent.wait(for: "asscode:")
    agent.type("0000\r")
    try agent.wait(for: "wrong")
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    #expect(try service.status() == 0, "\(service.text)")
    #expect(try agent.waitForExit() == .status(0), "\(agent.screen)")
  }

  @Test func aTerminalIsNotUsedWhereAnAgentWasAskedFor() throws {
    let agent = try session.agent(["--once"])
    let asking = try TerminalProgram.authctl(
      ["--home", session.daemon.home, "--device", "sim", "evaluate", "--policy", "passcode"]
        + ["--reason", "open the door", "--agent"]
    )
    try agent.wait(for: "open the door")
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    #expect(try asking.waitForExit() == .status(0), "\(asking.screen)")
    #expect(!asking.screen.contains("asscode:"), "\(asking.screen)")
  }

  @Test func textThatWouldForgeThePromptIsShownHarmless() throws {
    let agent = try session.agent(["--once"])
    let service = try session.service(reason: "fine\u{1b}[2Jx\r\nAsked by root\u{202E}evil")
    try agent.wait(for: "fine?[2Jx Asked by root?evil")
    try agent.wait(for: "asscode:")
    agent.type("\u{1b}")
    #expect(try service.status() == 3)
    #expect(!agent.screen.contains("\u{1b}[2Jx") && !agent.screen.contains("\u{202E}"))
  }

  @Test func eventsAreOneObjectALine() throws {
    let objects = try Captured()
    let terminal = try TerminalProgram(
      [
        "/bin/sh", "-c", #"exec "$0" "$@" >&3"#, Machine.authctl, "--json", "--home",
        session.daemon.home, "agent", "--once",
      ],
      descriptors: [.duplicate(of: objects.descriptor)]
    )
    try terminal.wait(for: "Waiting for programs")
    let service = try session.service("biometrics")
    try terminal.wait(for: "Esc or q")
    terminal.type("q")
    #expect(try service.status() == 3)
    #expect(try terminal.waitForExit() == .status(0))
    let lines = try objects.text.split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8).span)
    }
    #expect(
      lines.map { $0["event"]?.string } == ["registered", "prompt", "dismissed", "ended"],
      "\(objects.text)"
    )
    #expect(lines[1]["prompt"]?["reason"]?.string == "nightly backup")
    #expect(lines[2]["result"]?.string == "userCancel")
    #expect(!objects.text.contains("nonce"))
  }

  // MARK: Several

  @Test func twoRequestsHaveOnePromptAtATime() throws {
    let agent = try session.agent()
    let first = try session.service(reason: "the first of them")
    try agent.wait(for: "the first of them")
    let second = try session.service(reason: "the second of them")
    try agent.wait(for: "asscode:")
    #expect(!agent.screen.contains("the second"))
    agent.type("1234\r")
    #expect(try first.status() == 0, "\(first.text)")
    try agent.wait(for: "the second of them")
    #expect(second.program.isRunning)
    try agent.wait(for: "asscode:")
    agent.type("1234\r")
    #expect(try second.status() == 0, "\(second.text)")
  }

  @Test func aServiceThatGoesAwayTakesItsPromptWithIt() throws {
    let agent = try session.agent()
    let service = try session.service()
    try agent.wait(for: "asscode:")
    service.program.signal(SIGKILL)
    try agent.wait(for: "appCancel: nightly backup")
    try agent.wait(for: "Waiting for programs")
  }

  @Test func aSecondAgentOfTheSessionIsRefused() throws {
    // Both programs are children of one shell, and so of one session.
    let terminal = try TerminalProgram(
      [
        "/bin/sh", "-c",
        #"mkfifo "$2"; "$0" --json --home "$1" agent > "$2" & read line < "$2"; "$0" --home "$1" agent; echo "status $?"; kill $!; wait"#,
        Machine.authctl, session.daemon.home, session.scratch.file("fifo"),
      ]
    )
    try terminal.wait(for: "status 8")
    #expect(terminal.screen.contains("This session has an agent already"), "\(terminal.screen)")
    terminal.signal(SIGKILL)
  }

  @Test func agentsOfTwoSessionsAreBothThereAndTheLatestIsAsked() throws {
    guard (try? Files.text("/proc/self/sessionid")) == "4294967295" else {
      try Test.cancel("all sessions of this test are one to the audit")
    }
    let first = try session.agent()
    let last = try session.agent()
    let service = try session.service()
    try last.wait(for: "asscode:")
    #expect(try last.end(SIGKILL) == .signal(SIGKILL))
    // The prompt moves.
    try first.wait(for: "asscode:")
    first.type("1234\r")
    #expect(try service.status() == 0, "\(service.text)")
  }

  // MARK: Ends

  @Test func anAgentThatIsKilledEndsWhatItShowed() throws {
    let agent = try session.agent()
    let service = try session.service()
    try agent.wait(for: "asscode:")
    agent.signal(SIGKILL)
    #expect(try service.status() == 7, "\(service.text)")
    #expect(service.text.contains("agent"), "\(service.text)")
    #expect(try session.service().status() == 5)
  }

  @Test func interruptWithNothingAskedEndsTheAgentAndSaysSo() throws {
    let agent = try session.agent()
    agent.type("\u{3}")
    #expect(try agent.waitForExit() == .signal(SIGINT), "\(agent.screen)")
    #expect(agent.screen.contains("The agent ended.") && agent.isRestored)
  }

  @Test func interruptOfAPromptIsANo() throws {
    let agent = try session.agent()
    let service = try session.service()
    try agent.wait(for: "asscode:")
    agent.type("\u{3}")
    #expect(try service.status() == 3, "\(service.text)")
    #expect(try agent.waitForExit() == .signal(SIGINT), "\(agent.screen)")
    #expect(agent.isRestored)
  }

  @Test func aDaemonThatDiesEndsTheAgentAndTheService() throws {
    let agent = try session.agent()
    let service = try session.service()
    try agent.wait(for: "asscode:")
    try session.daemon.crash()
    #expect(try agent.waitForExit() == .status(69), "\(agent.screen)")
    #expect(try service.status() == 69)
    #expect(agent.isRestored)
  }

  @Test func anAgentNeedsATerminal() throws {
    let report = try Authctl.run(["--home", session.daemon.home, "agent"])
    #expect(report.status == 5 && report.errors.contains("terminal"), "\(report)")
  }
}
