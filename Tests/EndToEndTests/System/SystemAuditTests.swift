import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// The copy of the audit that the service of the system keeps.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct SystemAuditTests {
  private static let ann: UInt32 = 54_401
  private let module: TestModule
  private let service: SystemService
  private var log: String { service.home + "/audit.log" }

  init() throws {
    module = try TestModule()
    service = try SystemService(module: module)
  }

  /// Two lines of one user.
  private func act() throws {
    let ann = try service.user(Self.ann)
    try ann.client.create("sim")
    #expect(try ann.client.evaluate(on: "sim", script: "match").outcome == "success")
  }

  private func verify() throws -> RunningProgram.Report {
    try RunningProgram.run(
      Machine.authctl,
      ["--system", "--socket", service.socket, "--json", "audit", "--verify"],
      environment: Authctl.environment
    )
  }

  @Test func linesAreChainedWhereThereIsNoJournal() throws {
    try act()
    let found = try verify()
    #expect(found.status == 0, "\(found)")
    #expect(try found.json["lines"]?.integer == 2)
    let lines = try Files.text(log).split(separator: "\n")
    let last = try JSONValue(parsing: Array(lines[1].dropFirst(65).utf8).span)
    #expect(last["action"]?.string == "evaluate" && last["outcome"]?.string == "success")
    #expect(last["owner"]?.string == "\(Self.ann)" && last["uid"]?.string == "\(Self.ann)")
    #expect(last["simulated"]?.string == "1")
  }

  @Test(arguments: ["change", "remove", "swap", "add", "cut"])
  func whatIsDoneToTheFileIsNoticed(_ what: String) throws {
    try act()
    var lines = try Files.text(log).split(separator: "\n").map(String.init)
    switch what {
    case "change": lines[0] = lines[0].replacing("device create", with: "device delete")
    case "remove": lines.removeFirst()
    case "swap": lines.swapAt(0, 1)
    case "add": lines.append(lines[1])
    default: lines.removeLast()
    }
    try Files.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: log)
    _ = try RunningProgram.run("/bin/chown", ["\(SystemService.uid)", log])
    let found = try verify()
    #expect(found.status == 70 && found.output.contains("audit.log"), "\(found)")
  }

  @Test func chainGoesOnAfterARestartAndATornLine() throws {
    try act()
    #expect(try service.daemon.end(SIGTERM) == .status(0))
    try Files.write(try Files.read(log) + Array("0123 {torn".utf8), to: log)
    _ = try RunningProgram.run("/bin/chown", ["\(SystemService.uid)", log])
    let folder = try service.scratch.makeDirectory("again", mode: 0o755)
    _ = try RunningProgram.run("/bin/chown", ["\(SystemService.uid)", folder])
    let next = try DaemonProcess(
      home: service.home,
      .init(
        arguments: ["--system", "--journal-socket", service.scratch.file("no-journal")],
        uid: SystemService.uid,
        socket: folder + "/socket"
      )
    )
    let ann = try OtherUser(Self.ann, connectedTo: next.socket)
    #expect(try ann.client.evaluate(on: "sim", script: "match").outcome == "success")
    let reply = try next.connect().call(Interface.devices + "VerifyAudit").get()
    #expect(reply["intact"]?.boolean == true && reply["lines"]?.integer == 3)
  }

  /// As su(1) is, run again and again by somebody who has no password to give.
  @Test func refusalsOfAStrangerPushNoLineOut() throws {
    let ann = try service.user(Self.ann)
    try ann.client.create("sim", passcode: "1111")
    let root = try service.connect()
    func ask(_ script: String? = nil, from origin: JSONValue) throws -> String? {
      let naming: [String: JSONValue] = ["user": .number(Self.ann), "origin": origin]
      return try root.evaluate("passcode", on: "sim", script: script, naming).outcome
    }
    for _ in 0..<4 { _ = try ask("passcode:0000,cancel", from: "user:54499") }
    for _ in 0..<1205 { #expect(try ask(from: "user:54499") == "passcodeThrottled") }
    #expect(try ask("passcode:1111", from: "owner") == "success")
    let reply = try ann.client.call(Interface.devices + "Audit", ["device": "sim"]).get()
    let lines = reply["lines"]?.elements ?? []
    let actions = lines.map { $0["action"]?.string ?? "" }
    let tries = Array(repeating: "evaluate", count: 4)
    #expect(actions == ["device create"] + tries + ["evaluate", "audit gap", "evaluate"])
    try #require(lines.count == 8)
    #expect(lines[5]["detail"]?.string == "asked for by user 54499")
    #expect(lines[6]["detail"]?.string?.hasPrefix("1204 more refusals of others ") == true)
    #expect(lines[7]["outcome"]?.string == "success")
    let found = try verify()
    #expect(found.status == 0, "\(found)")
    // The copy has the fourth try twice: with its verdict, which throttles, and with its end.
    #expect(try found.json["lines"]?.integer == 9, "\(found.output)")
  }

  /// As su(1) is that asks for a password, again and again, which nobody types.
  @Test func promptsThatAStrangerLeavesPushNoLineOut() throws {
    try module.describe("ask", auth: "ask")
    let service = try SystemService(module: module, service: "ask")
    let (asking, answering) = (try service.connect(), try service.connect())
    // An account of every machine.
    let evaluation: JSONValue = [
      "policy": "passcode", "reason": "su", "user": 1, "origin": "user:54499",
    ]
    func ask(_ answers: [[String: JSONValue]]) throws -> Evaluated {
      try asking.send(Interface.authentication + "Evaluate", evaluation, more: true)
      var last: JSONValue?
      for answer in answers {
        // A prompt comes before PAM's question is in it.
        let prompt = try asking.receivePrompt {
          $0["passcodePrompt"] != nil && $0["nonce"] != last
        }
        last = prompt["nonce"]
        _ = try answering.respond(try #require(last?.string), answer)
      }
      return try asking.receiveResult()
    }
    for _ in 0..<20 { #expect(try ask([["action": "cancel"]]).outcome == "userCancel") }
    #expect(try ask([["passcode": "0000"], ["action": "cancel"]]).attempts == 1)
    let owner = try service.user(1)
    let lines = try owner.client.audit("default")
    #expect(lines.map { $0["action"]?.string } == ["evaluate", "audit gap", "evaluate"])
    try #require(lines.count == 3)
    #expect(lines[0]["detail"]?.string == "asked for by user 54499")
    #expect(lines[1]["detail"]?.string?.hasPrefix("19 more refusals of others ") == true)
    #expect(lines[2]["attempts"]?.integer == 1)
  }

  /// The line is written by the end of the service, when nothing follows that could hand it on.
  @Test func whatWasCountedIsInTheCopyOfAServiceThatEnds() throws {
    let ann = try service.user(Self.ann)
    try ann.client.create("sim", passcode: "1111")
    let root = try service.connect()
    func ask(_ script: String? = nil) throws {
      let naming: [String: JSONValue] = ["user": .number(Self.ann), "origin": "user:54499"]
      _ = try root.evaluate("passcode", on: "sim", script: script, naming)
    }
    for _ in 0..<4 { try ask("passcode:0000,cancel") }
    for _ in 0..<3 { try ask() }
    let follower = try service.user(Self.ann).client
    try follower.send(Interface.devices + "Audit", ["follow": true], more: true)
    _ = try follower.receive().get()
    let before = try lines().count
    #expect(try service.daemon.end(SIGTERM) == .status(0))
    let gap = try lines().dropFirst(before)
    #expect(gap.map { $0["action"]?.string } == ["audit gap"])
    #expect(gap.last?["detail"]?.string?.hasPrefix("2 more refusals of others ") == true)
    let told = try follower.receive().get()["lines"]?.elements
    #expect(told?.map { $0["evaluation"] } == gap.map { $0["evaluation"] })
  }

  /// The lines of the copy, without their tags.
  private func lines() throws -> [JSONValue] {
    try Files.text(log).split(separator: "\n").map { line in
      try JSONValue(parsing: Array(line.dropFirst(65).utf8).span)
    }
  }

  @Test func onlyRootLooksAtTheCopyOfAllUsers() throws {
    let ann = try service.user(Self.ann)
    let reply = try ann.client.call(Interface.devices + "VerifyAudit")
    #expect(reply.errorName == "NotPermitted")
    let own = try DaemonProcess(home: service.scratch.file("own"))
    let refused = try own.connect().call(Interface.devices + "VerifyAudit")
    #expect(refused.errorName == "NotPermitted")
    #expect(!Files.exists(own.home + "/audit.log"))
  }

  @Test func journalGetsEachLineWhereThereIsOne() throws {
    let journal = try LocalSocket(service.scratch.file("no-journal"), SOCK_DGRAM)
    Files.setMode(0o666, of: service.scratch.file("no-journal"))
    try act()
    #expect(try journal.receive().contains("LOCALAUTH_ACTION=device create\n"))
    let entry = try journal.receive()
    for line in [
      "MESSAGE=evaluate on sim of user \(Self.ann): success", "PRIORITY=6",
      "SYSLOG_IDENTIFIER=localauthd", "LOCALAUTH_OUTCOME=success", "LOCALAUTH_REASON=a test",
      "LOCALAUTH_OWNER=\(Self.ann)", "LOCALAUTH_SIMULATED=1",
    ] {
      #expect(entry.contains("\(line)\n"), "\(entry)")
    }
    #expect(try Files.read(log).isEmpty)
  }
}
