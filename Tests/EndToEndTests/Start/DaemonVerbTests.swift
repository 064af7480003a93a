import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl daemon`, signals, and one daemon for a state directory.
@Suite struct DaemonVerbTests {
  private let scratch = Scratch()
  private var home: String { scratch.file("home") }

  /// Makes the directories of the daemon's configuration, which is below its home here.
  private func makeConfiguration() throws {
    for name in ["", "/none", "/none/localauth", "/none/localauth/policies"] {
      _ = try scratch.makeDirectory("home" + name)
    }
    _ = try scratch.makeDirectory("home/none/localauth/policies/policy")
  }

  /// Asks for the status as a user with this environment, and nothing else of ours.
  private func status(_ environment: [String]) throws -> RunningProgram.Report {
    try RunningProgram.run(
      Machine.authctl,
      ["--json", "status"],
      environment: ["PATH=/usr/bin:/bin"] + environment
    )
  }

  private func authctl(_ words: String...) throws -> RunningProgram.Report {
    try Authctl.run(["--home", home] + words)
  }

  @Test func nothingIsStartedByAskingForIt() throws {
    for verb in ["status", "reload", "stop"] {
      let run = try authctl("--json", "daemon", verb)
      #expect(run.status == 69, "\(run.errors)")
      #expect(try run.json["outcome"]?.string == "unreachable")
    }
    #expect(try Processes.withArgument(home).isEmpty)
    #expect(!Files.exists(home))
  }

  @Test func statusIsAboutTheProcessThatRuns() throws {
    let daemon = try DaemonProcess(home: home)
    let run = try authctl("--json", "daemon", "status")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json["daemon"]?["pid"]?.integer == Int(daemon.processID))
    #expect(try run.json["daemon"]?["socket"]?.string == daemon.socket)
    #expect(try run.json["daemon"]?["storage"]?.string == home)
  }

  @Test func stopReturnsWhenTheDaemonIsGone() throws {
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    let run = try authctl("daemon", "stop")
    #expect(run.status == 0, "\(run.errors)")
    // Nobody holds the state any more.
    let next = try DaemonProcess(home: home)
    #expect(try next.connect().has("sim"))
    #expect(try daemon.program.waitForExit() == .status(0))
  }

  @Test func stopCancelsWhatIsInProgress() throws {
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    try client.create("sim")
    _ = try client.beginEvaluation(on: "sim")
    #expect(try authctl("daemon", "stop").status == 0)
    #expect(try client.receiveResult().outcome == "systemCancel")
    #expect(try daemon.program.waitForExit() == .status(0))
  }

  @Test func hangUpReadsTheConfigurationAndLeavesKeysWhereTheyAre() throws {
    try makeConfiguration()
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    try client.unlockSim()
    try scratch.write("{", to: "home/none/localauth/entitlements.json")
    daemon.program.signal(SIGHUP)
    // A call may be served before the signal is.
    for _ in 0..<1000 where !daemon.log.contains("entitlements.json") {
      #expect(try client.status("sim").lockState == "unlocked")
    }
    #expect(daemon.log.contains("entitlements.json"), "\(daemon.log)")
    let run = try authctl("--json", "daemon", "reload")
    #expect(run.status == 78, "\(run.errors)")
    #expect(try run.json["problems"]?.elements.count == 1, "\(run.output)")
    #expect(unsafe unlink(scratch.file("home/none/localauth/entitlements.json")) == 0)
    let next = try authctl("daemon", "reload")
    #expect(next.status == 0 && next.errors.contains("was read anew."), "\(next.errors)")
    #expect(try client.status("sim").lockState == "unlocked")
  }

  @Test func editedPolicyCountsAtOnce() throws {
    try makeConfiguration()
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    for (requirement, outcome) in [
      ("biometry", "success"), ("passcode", "authenticationFailed"), ("biometry", "success"),
    ] {
      try scratch.write(
        "{\"name\": \"mine\", \"summary\": \"Mine.\", \"requirement\": \"\(requirement)\"}",
        to: "home/none/localauth/policies/policy/mine.json"
      )
      let result = try client.evaluate("user/mine", on: "sim", script: "match")
      #expect((result.outcome == "success") == (outcome == "success"), "\(requirement)")
    }
  }

  // MARK: One daemon for a state directory

  /// As in a login shell, in cron and in `su -`: only some have XDG_RUNTIME_DIR.
  @Test func clientsWithAndWithoutARuntimeDirectoryMeetInOneDaemon() throws {
    let account = try scratch.makeDirectory("account")
    let runtime = try scratch.makeDirectory("runtime")
    let bare = ["HOME=\(account)"]
    let login = bare + ["XDG_RUNTIME_DIR=\(runtime)"]
    for (starter, other) in [(bare, login), (login, bare)] {
      let started = try status(starter)
      let daemon = StrayDaemon(Int32(try started.json["daemon"]?["pid"]?.integer ?? 0))
      #expect(started.status == 0 && daemon.processID > 1, "\(started.errors)")
      let found = try status(other)
      #expect(found.status == 0, "\(found.errors)")
      #expect(try found.json["daemon"]?["pid"]?.integer == Int(daemon.processID))
      let sockets = try [started, found].map { try $0.json["daemon"]?["socket"]?.string }
      #expect(sockets[0] != nil && sockets[0] == sockets[1])
      // What it left behind leads nobody astray.
      try daemon.end()
      let next = try status(other)
      #expect(next.status == 0, "\(next.errors)")
      try StrayDaemon(Int32(try next.json["daemon"]?["pid"]?.integer ?? 0)).end()
    }
  }

  @Test func tenClientsOfBothKindsAtOnceStartOneDaemon() throws {
    let account = try scratch.makeDirectory("account")
    let runtime = try scratch.makeDirectory("runtime")
    let start = StartingLine(10)
    let daemons = try concurrently(10) { index in
      start.wait()
      let more = index.isMultiple(of: 2) ? ["XDG_RUNTIME_DIR=\(runtime)"] : []
      let run = try status(["HOME=\(account)"] + more)
      #expect(run.status == 0, "\(run.errors)")
      return Int32(try run.json["daemon"]?["pid"]?.integer ?? 0)
    }
    let daemon = StrayDaemon(daemons[0])
    #expect(Set(daemons).count == 1 && daemons[0] > 0)
    try daemon.end()
  }

  @Test func socketThatIsNamedIsNotReplacedByAnother() throws {
    let daemon = try DaemonProcess(home: home)
    let run = try authctl("--socket", scratch.file("other"), "daemon", "status")
    #expect(run.status == 69, "\(run.errors)")
    withExtendedLifetime(daemon) {}
  }

  /// Whoever could write the hint could as well have replaced the socket; it is read only where
  /// nobody else can.
  @Test func hintOfAnotherModeIsNotFollowed() throws {
    let daemon = try DaemonProcess(home: home, .init(socket: scratch.file("elsewhere")))
    #expect(try authctl("daemon", "status").status == 0)
    #expect(unsafe chmod(home + "/listening", 0o666) == 0)
    #expect(try authctl("daemon", "status").status == 69)
    withExtendedLifetime(daemon) {}
  }
}
