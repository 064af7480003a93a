import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What a passcode leaves behind in the programs that it went through: nothing.
@Suite(
  .enabled(if: Machine.isRoot, "needs root, to read memory that is closed to everybody else")
)
struct SecretsInMemoryTests {
  private typealias Marker = ProcessMemory.Marker

  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient
  private let answering: WireClient
  private let right = Marker("right")
  private let wrong = Marker("wrong")
  private var words: [String] { ["--home", daemon.home, "--device", "sim"] }

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    answering = try daemon.connect()
    try client.create("sim", passcode: right.text)
  }

  // MARK: The search itself

  @Test func textThatAProcessKeepsIsFound() throws {
    let kept = Marker("kept")
    let readiness = BytePipe()
    let input = try Captured(kept.text + "\n")
    let program = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", "read -r text; printf x >&3; kill -STOP $$; echo $text"],
        descriptors: [
          .duplicate(of: input.descriptor), .null, .null,
          .duplicate(of: readiness.writingEnd),
        ]
      )
    )
    #expect(readiness.read())
    #expect(try !ProcessMemory.places(of: kept, in: program.processID).isEmpty)
    #expect(try ProcessMemory.places(of: right, in: program.processID).isEmpty)
  }

  @Test func textThatTheDaemonKeepsIsFound() throws {
    let reason = Marker("reason")
    _ = try client.beginEvaluation("passcode", on: "sim", ["reason": .text(reason.text)])
    #expect(try !ProcessMemory.places(of: reason, in: daemon.processID).isEmpty)
  }

  @Test func agentKeepsNothingOfWhatWasTypedAndNeitherDoesTheDaemon() throws {
    let agent = try TerminalProgram.authctl(["--home", daemon.home, "agent"])
    try agent.wait(for: "Waiting for programs")
    let service = try AgentSession.Service(
      words + ["evaluate", "--policy", "passcode", "--reason", "nightly backup"]
    )
    try agent.wait(for: "asscode:")
    agent.type(wrong.text + "\r")
    try agent.wait(for: "wrong")
    try agent.wait(for: "asscode:")
    agent.type(right.text + "\r")
    #expect(try service.status() == 0, "\(service.text)")
    // The agent waits for the next prompt.
    try agent.wait(for: "Waiting for programs")
    for marker in [right, wrong] { try expectNothing(of: marker, in: agent.programID) }
    try expectNothing()
  }

  // MARK: Through the socket

  @Test func answersToPromptsLeaveNothing() throws {
    let first = try client.beginEvaluation("passcode", on: "sim")
    try respond(to: first, wrong)
    let next = try client.receivePrompt { $0["passcodePrompt"] != nil }
    // The prompt waits, so the daemon still holds the evaluation.
    try expectNothing(of: wrong, in: daemon.processID)
    try respond(to: next, right)
    #expect(try client.receiveResult().outcome == "success")
    try expectNothing()
  }

  @Test func answerInManyPiecesLeavesNothing() throws {
    let prompt = try client.beginEvaluation("passcode", on: "sim")
    let nonce = try #require(prompt["nonce"]?.string)
    let frame =
      "{\"method\":\"\(Interface.authentication)Respond\",\"parameters\":"
      + "{\"nonce\":\"\(nonce)\",\"passcode\":\"\(right.text)\"}}"
    for byte in Array(frame.utf8) {
      try answering.send([byte])
    }
    // The end is still to come: what has arrived has to be somewhere.
    _ = try client.call(after: daemon)
    try answering.send([0])
    #expect(try answering.receive().error == nil)
    #expect(try client.receiveResult().outcome == "success")
    try expectNothing()
  }

  @Test func frameThatIsNoCallLeavesNothing() throws {
    for frame in [
      "{\"method\":\"\(Interface.authentication)Respond\",\"parameters\":{\"passcode\":\"\(wrong)\"}}",
      "{\"method\":\"\(Interface.authentication)Respond\",\"parameters\":"
        + "{\"nonce\":\"00000000000000000000000000000000\",\"passcode\":\"\(wrong)\",\"x\":1}}",
      "{\"method\":\"\(Interface.authentication)Respond\",\"parameters\":{\"passcode\":\"\(wrong)",
      "{\"method\":\"no.such.Method\",\"parameters\":{\"passcode\":\"\(wrong)\"}}",
    ] {
      let peer = try daemon.connect()
      try peer.send(frame: frame)
      _ = try? peer.receive()
      let gone = try daemon.connect()
      try gone.send(Array(frame.utf8))
      gone.close()
    }
    try expectNothing()
  }

  @Test func actsThatTakeThePasscodeLeaveNothing() throws {
    try client.administer("Unlock", "sim", ["passcode": .text(right.text)])
    #expect(
      try client.call(
        Interface.devices + "Unlock",
        ["device": "sim", "passcode": .text(wrong.text)]
      ).errorName == "Refused"
    )
    let new = Marker("new")
    try client.administer(
      "SetPasscode",
      "sim",
      ["new": .text(new.text), "passcode": .text(right.text)]
    )
    try expectNothing()
    try expectNothing(of: new, in: daemon.processID)
    try client.administer("RemovePasscode", "sim", ["passcode": .text(new.text)])
    try expectNothing(of: new, in: daemon.processID)
  }

  @Test func scriptsLeaveNothing() throws {
    let script = "passcode:\(wrong.text),passcode:\(right.text)"
    #expect(try client.evaluate("passcode", on: "sim", script: script).outcome == "success")
    let queued: JSONValue = ["device": "sim", "events": .text(script)]
    #expect(try client.call(Interface.sensor + "Script", queued).error == nil)
    #expect(try client.evaluate("passcode", on: "sim").outcome == "success")
    #expect(
      try client.call(
        Interface.sensor + "Script",
        ["device": "sim", "events": .text("x" + script)]
      )
      .error != nil
    )
    try expectNothing()
  }

  @Test func eventOfTheSensorThatIsAPasscodeLeavesNothing() throws {
    for event in ["passcode:\(wrong.text)", wrong.text] {
      let parameters: JSONValue = ["device": "sim", "event": .text(event)]
      #expect(try client.call(Interface.sensor + "Present", parameters).error != nil)
    }
    try expectNothing()
  }

  @Test func noFileAndNoLogHoldsIt() throws {
    let prompt = try client.beginEvaluation("passcode", on: "sim")
    try respond(to: prompt, wrong)
    let next = try client.receivePrompt { $0["passcodePrompt"] != nil }
    try respond(to: next, right)
    _ = try client.receiveResult()
    for script in ["passcode:\(wrong)", "passcode:\(right)x y\"", "\(wrong)"] {
      _ = try client.evaluate("passcode", on: "sim", script: script)
    }
    #expect(try daemon.stop() == .status(0))
    var texts = try Files.contents(of: daemon.home)
    #expect(texts["state.sqlite"]?.isEmpty == false)
    texts["log"] = Array(daemon.log.utf8)
    for (name, bytes) in texts {
      for marker in [right, wrong] { #expect(!marker.isPart(of: bytes), "\(name)") }
    }
  }

  // MARK: Through authctl

  @Test func terminalPromptLeavesNothing() throws {
    let asked = try TerminalProgram.authctl(
      words + ["evaluate", "--policy", "passcode", "--reason", "open the door"]
    )
    try asked.wait(for: "asscode")
    asked.type(wrong.text + "\r")
    try asked.wait(for: "wrong")
    try asked.wait(for: "asscode:")
    // It waits for the next answer, and holds nothing of the last.
    try expectNothing(of: wrong, in: asked.programID)
    try expectNothing()
    asked.type(right.text + "\r")
    #expect(try asked.waitForExit() == .status(0), "\(asked.screen)")
    try expectNothing()
  }

  @Test func passcodeOfStandardInputLeavesNothing() throws {
    let input = try Captured(right.text + "\n")
    let enrolling = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: words + [
          "sensor", "enroll", "left-thumb", "--stages", "manual", "--passcode-stdin",
        ],
        environment: Authctl.environment,
        descriptors: [.duplicate(of: input.descriptor), .null, .null]
      )
    )
    // A stage that passes means that the passcode was judged and authctl waits for the next.
    var effect: String?
    while effect != "enrolment", enrolling.isRunning {
      effect = try client.call(
        Interface.sensor + "Present",
        ["device": "sim", "event": "touch:left-thumb"]
      ).parameters["effect"]?.string
    }
    try expectNothing(of: right, in: enrolling.processID)
    try expectNothing()
    #expect(enrolling.isRunning)
    try enrolling.end()
  }

  @Test func scriptOfStandardInputLeavesNothing() throws {
    let input = try Captured("passcode:\(wrong.text)\n")
    let asking = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: words + [
          "evaluate", "--policy", "passcode", "--reason", "a test", "--script", "-", "--timeout",
          "1h",
        ],
        environment: Authctl.environment,
        descriptors: [.duplicate(of: input.descriptor), .null, .null]
      )
    )
    // The wrong passcode was judged, and the script has run out.
    while try client.status("sim").passcodeAttemptsLeft == 10, asking.isRunning {}
    #expect(try client.status("sim").isPrompting)
    try expectNothing(of: wrong, in: asking.processID)
    try expectNothing()
    #expect(asking.isRunning)
    try asking.end()
  }

  // MARK: Through PAM

  @Test(.enabled(if: Machine.compiler != nil, "needs a C compiler"))
  func workerKeepsNothingOfWhatItsModuleForgot() throws {
    let module = try TestModule()
    try module.describe("forget", auth: "forget child=\(module.file("child")) hang")
    try client.create("pam", passcode: nil, module.passcode(of: "forget"))
    let nonce = try client.beginPasscodeQuestion(on: "pam")
    #expect(try answering.respond(nonce, ["passcode": .text(wrong.text)]).error == nil)
    let child = try waitForFile(module.file("child"))
    // The module's helper is a child of the worker, which hangs in the module.
    let worker = try #require(Processes.parent(of: child))
    #expect(Processes.parent(of: worker) == daemon.processID)
    try expectNothing(of: wrong, in: worker)
    try expectNothing()
    // Whoever asked goes away, and the hanging module is ended with its helper.
    client.close()
    #expect(try Processes.waitForEnd(of: child))
  }

  // MARK: Parts

  private func respond(to prompt: JSONValue, _ marker: Marker) throws {
    let nonce = try #require(prompt["nonce"]?.string)
    #expect(try answering.respond(nonce, ["passcode": .text(marker.text)]).error == nil)
  }

  private func expectNothing(at location: SourceLocation = #_sourceLocation) throws {
    for marker in [right, wrong] {
      try expectNothing(of: marker, in: daemon.processID, at: location)
    }
  }

  /// A thread may still be wiping when its answer is here, so that a find is looked at again; what
  /// stays is a leak.
  private func expectNothing(
    of marker: Marker,
    in process: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    var places: [String] = []
    for _ in 0..<20 {
      places = try ProcessMemory.places(of: marker, in: process)
      if places.isEmpty { return }
    }
    Issue.record("SEED=\(Settings.seed): \(places)", sourceLocation: location)
  }

  /// The number in a file that a module writes at some time.
  private func waitForFile(_ path: String) throws -> Int32 {
    let deadline = Deadline.after(.seconds(60))
    while !deadline.hasPassed {
      if let text = try? Files.text(path), let number = Int32(text) { return number }
      _ = try client.call(after: daemon)
    }
    throw Machine.Missing(what: path)
  }
}

extension WireClient {
  /// A call on a connection of its own: the daemon has then seen what was sent before.
  fileprivate func call(after daemon: DaemonProcess) throws -> Reply {
    try daemon.connect().call(Interface.service + "GetInfo")
  }
}
