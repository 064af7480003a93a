import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What a success is remembered for, at a real daemon: every refusal has its positive twin.
@Suite struct GrantTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim", passcode: "1234")
  }

  private static let wish: [String: JSONValue] = ["maxAgeSeconds": 300]

  /// Somebody approves, for this process.
  private func approve(_ client: WireClient, _ more: [String: JSONValue] = [:]) throws {
    let parameters = Self.wish.merging(more) { $1 }
    #expect(try client.evaluate(on: "sim", script: "match", parameters).outcome == "success")
  }

  /// Whether this process is answered without anybody being asked.
  private func isAnswered(
    _ client: WireClient,
    _ more: [String: JSONValue] = [:],
    policy: String = "biometrics"
  ) throws -> Bool {
    let parameters = Self.wish.merging(["interactive": false]) { $1 }.merging(more) { $1 }
    let evaluated = try client.evaluate(policy, on: "sim", parameters)
    let isSuccess = evaluated.outcome == "success"
    #expect(isSuccess == (evaluated.result?["grant"]?.string != nil), "\(evaluated)")
    return isSuccess
  }

  // MARK: Programs on terminals

  private func authctl(_ words: [String], program: String = Machine.authctl) -> String {
    ([program, "--home", daemon.home, "--device", "sim"] + words)
      .map { "'\($0)'" }.joined(separator: " ")
  }

  private static func evaluate(_ more: [String] = []) -> [String] {
    ["evaluate", "--policy", "biometrics", "--reason", "test", "--max-age", "5m"] + more
  }

  private static let approving = evaluate(["--script", "match"])
  private static let asking = evaluate(["--non-interactive"])

  /// Runs shell commands one after the other in one session on a terminal of its own, and says how each
  /// ended.
  private func session(_ commands: [String]) throws -> [String] {
    let lines = commands.map { "\($0); echo \"<$?>\"" }.joined(separator: "\n")
    let terminal = try TerminalProgram(["/bin/sh", "-c", lines])
    _ = try terminal.waitForExit()
    return terminal.screen.split(separator: "<").dropFirst().map {
      String($0.prefix { $0 != ">" })
    }
  }

  @Test func nextCommandOfTheSessionIsAnswered() throws {
    let ends = try session([
      authctl(Self.asking), authctl(Self.approving), authctl(Self.asking),
      authctl(["evaluate", "--policy", "biometrics", "--reason", "test", "--non-interactive"]),
    ])
    #expect(ends == ["5", "0", "0", "5"])
  }

  @Test func childOfAChildBelongsToTheSession() throws {
    let nested = "sh -c \"sh -c \\\"\(authctl(Self.asking))\\\"\""
    #expect(try session([authctl(Self.approving), nested]) == ["0", "0"])
  }

  @Test func otherTerminalIsRefused() throws {
    let done = scratch.file("done")
    _ = try RunningProgram.run("/usr/bin/mkfifo", [done])
    // The first session stays open, so that its terminal and its leader live while the other asks.
    let first = try TerminalProgram([
      "/bin/sh", "-c",
      """
      \(authctl(Self.approving)); echo "<$?>"
      read line < \(done)
      \(authctl(Self.asking)); echo "<$?>"
      """,
    ])
    try first.wait(for: "<0>")
    #expect(try session([authctl(Self.asking)]) == ["5"])
    _ = try RunningProgram.run("/bin/sh", ["-c", "echo go > \(done)"])
    try first.wait(for: "<0>")
    _ = try first.waitForExit()
  }

  @Test func sessionWithoutATerminalIsRefused() throws {
    #expect(
      try session([
        authctl(Self.approving), "setsid -w \(authctl(Self.asking)) < /dev/null",
        authctl(Self.asking),
      ]) == ["0", "5", "0"]
    )
  }

  @Test func otherExecutableIsRefused() throws {
    // The very same bytes; another file.
    let copy = scratch.file("authctl")
    _ = try RunningProgram.run("/bin/cp", [Machine.authctl, copy])
    #expect(
      try session([
        authctl(Self.approving), authctl(Self.asking, program: copy), authctl(Self.asking),
      ]) == ["0", "5", "0"]
    )
  }

  @Test func processWithoutATerminalIsItsOwnCaller() throws {
    let client = try daemon.connect()
    try approve(client)
    #expect(try isAnswered(daemon.connect()), "another connection of the same process")
    let other = try Authctl.run(["--home", daemon.home, "--device", "sim"] + Self.asking)
    #expect(other.status == 5)
  }

  @Test func environmentAloneMakesNoSimulatedGrantCount() throws {
    let client = try daemon.connect()
    try approve(client)
    #expect(try !isAnswered(client, ["allowSimulated": false]))
    #expect(try isAnswered(client))
    let ends = try session([
      authctl(Self.approving),
      "LOCALAUTH_HOME='\(daemon.home)' LOCALAUTH_DEVICE=sim '\(Machine.authctl)' "
        + Self.asking.map { "'\($0)'" }.joined(separator: " "),
    ])
    #expect(ends == ["0", "77"])
  }

  @Test func hundredAnswersHoldTheCallersProcessOnceAndAnEndedConnectionNotAtAll() throws {
    let client = try daemon.connect()
    try approve(client)
    let other = try daemon.connect()
    for _ in 0..<100 { #expect(try isAnswered(other)) }
    #expect(try heldProcesses() == 2)
    other.close()
    // The daemon has noticed the end when it answers a connection that was made after it.
    let third = try daemon.connect()
    #expect(try isAnswered(third))
    #expect(try heldProcesses() == 2)
  }

  /// How many references to processes the daemon has.
  private func heldProcesses() throws -> Int {
    try Files.opened(by: daemon.processID).count { $0.contains("pidfd") }
  }

  // MARK: What was approved

  @Test func actionChangedByAByteIsRefused() throws {
    let client = try daemon.connect()
    try approve(client, ["action": "pay 10 to ann"])
    for other in ["pay 10 to anm", "pay 10 to ann.", "pay 100 to ann"] {
      #expect(try !isAnswered(client, ["action": .text(other)]), "\(other)")
    }
    #expect(try !isAnswered(client))
    #expect(try isAnswered(client, ["action": "pay 10 to ann"]))
  }

  @Test func otherPolicyIsRefused() throws {
    let client = try daemon.connect()
    try approve(client)
    #expect(try !isAnswered(client, policy: "device-owner"))
    #expect(try isAnswered(client))
  }

  @Test func otherAudienceIsRefusedAndTheAnswerIsAsOldAsItsProof() throws {
    let client = try daemon.connect()
    let wish: (String, String) -> JSONValue = { ["audience": .text($0), "nonce": .text($1)] }
    try approve(client, ["assertion": wish("https://a.example", "one")])
    try client.administer("AdvanceClock", "sim", ["milliseconds": 60_000])
    #expect(try !isAnswered(client, ["assertion": wish("https://b.example", "two")]))
    #expect(try !isAnswered(client))
    var more = Self.wish
    more["interactive"] = false
    more["assertion"] = wish("https://a.example", "two")
    let answered = try client.evaluate(on: "sim", more)
    let token = try #require(answered.result?["assertion"]?.string)
    let claims = try #require(Claims(token))
    #expect(claims.number("iat") - claims.number("auth_time") >= 60)
    #expect(answered.result?["ageSeconds"]?.integer ?? 0 >= 60)
    #expect(claims.text("nonce") == "two", "of this request")
  }

  // MARK: What ends it

  @Test func agesByTheDevicesClock() throws {
    let client = try daemon.connect()
    try approve(client)
    try client.administer("AdvanceClock", "sim", ["milliseconds": 60_000])
    #expect(try !isAnswered(client, ["maxAgeSeconds": 60]))
    #expect(try isAnswered(client))
    try client.administer("AdvanceClock", "sim", ["milliseconds": 240_000])
    #expect(try !isAnswered(client))
  }

  @Test(arguments: ["Lock", "Reboot"]) func endOfTheDevicesSessionEndsIt(_ act: String) throws {
    let client = try daemon.connect()
    try approve(client)
    #expect(try isAnswered(client))
    try client.administer(act, "sim")
    #expect(try !isAnswered(client))
  }

  @Test func changeOfFingersOrPasscodeEndsIt() throws {
    let client = try daemon.connect()
    try approve(client)
    #expect(try isAnswered(client))
    _ = try client.stream(
      Interface.sensor + "Enroll",
      ["device": "sim", "finger": "left-thumb", "passcode": "1234"]
    )
    #expect(try !isAnswered(client))
    try approve(client)
    #expect(try isAnswered(client))
    try client.administer("SetPasscode", "sim", ["new": "9876", "passcode": "1234"])
    #expect(try !isAnswered(client))
  }

  @Test func revocationEndsItAndNobodyIsAnsweredAfterIt() throws {
    let client = try daemon.connect()
    try approve(client)
    let racing = try concurrently(9) { [daemon] index in
      let client = try daemon.connect()
      if index == 0 {
        let reply = try client.call(Interface.grants + "Revoke").get()
        return reply["revoked"]?.integer ?? 0
      }
      for _ in 0..<50 { _ = try isAnswered(client) }
      return 0
    }
    #expect(racing[0] == 1)
    #expect(try !isAnswered(client))
    let line = try client.audit("sim").first { $0["action"]?.string == "grant revoke" }
    #expect(line?["outcome"]?.string == "success")
  }

  // MARK: Crashes and races

  @Test func asManyAreAnsweredAsWereAllowedHoweverManyRace() throws {
    try approve(daemon.connect(), ["maxUses": 5])
    let start = StartingLine(32)
    let answers = try concurrently(32) { [daemon] _ in
      let client = try daemon.connect()
      start.wait()
      return try isAnswered(client)
    }
    #expect(answers.count { $0 } == 5)
  }

  @Test func restartOfTheServiceKeepsItAndGivesNoUseBack() throws {
    try approve(daemon.connect(), ["maxUses": 3])
    #expect(try isAnswered(daemon.connect()))
    try daemon.crash()
    let next = try DaemonProcess(home: daemon.home)
    #expect(try isAnswered(next.connect()))
    #expect(try isAnswered(next.connect()))
    try next.crash()
    let last = try DaemonProcess(home: daemon.home)
    #expect(try !isAnswered(last.connect()))
  }

  @Test func killAtAnyMomentGivesNoUseBack() throws {
    var daemon = daemon
    for round in 0..<8 {
      try approve(daemon.connect(), ["maxUses": 4, "action": .text("round \(round)")])
      var answered = 0
      // Whatever was under way when the daemon was killed may be lost, and is never there again.
      let asked = try concurrently(6) { [daemon] index in
        guard index > 0 else {
          try? daemon.crash()
          return false
        }
        guard let client = try? daemon.connect() else { return false }
        return (try? isAnswered(client, ["action": .text("round \(round)")])) ?? false
      }
      answered += asked.count { $0 }
      daemon = try DaemonProcess(home: daemon.home)
      for _ in 0..<6 where try isAnswered(daemon.connect(), ["action": .text("round \(round)")]) {
        answered += 1
      }
      #expect(answered <= 4)
    }
  }

  @Test func stateThatWasPutBackGivesNoUseBack() throws {
    try approve(daemon.connect(), ["maxUses": 1])
    try daemon.stop()
    let older = try Files.read(daemon.home + "/state.sqlite")
    var next = try DaemonProcess(home: daemon.home)
    #expect(try isAnswered(next.connect()))
    try next.stop()
    try Files.write(older, to: daemon.home + "/state.sqlite")
    next = try DaemonProcess(home: daemon.home)
    #expect(try !isAnswered(next.connect()))
    #expect(try next.connect().status("sim").isDistrusted)
  }

  // MARK: Bad calls

  @Test(arguments: [
    ("maxAgeSeconds", JSONValue.number(-1)), ("maxAgeSeconds", "300"), ("maxUses", 0),
    ("maxUses", .number(-1)), ("maxUses", 4_294_967_296),
  ])
  func wishThatMakesNoSenseIsRefused(_ name: String, _ value: JSONValue) throws {
    let client = try daemon.connect()
    let evaluated = try client.evaluate(on: "sim", Self.wish.merging([name: value]) { $1 })
    #expect(evaluated.error == "InvalidParameter")
    #expect(evaluated.replies.last?.parameters["parameter"]?.string == name)
  }

  @Test func usesWithoutAnAgeAreRefused() throws {
    let evaluated = try daemon.connect().evaluate(on: "sim", ["maxUses": 1])
    #expect(evaluated.error == "InvalidParameter")
  }

  @Test(arguments: ["caller", "pid", "uid", "session", "terminal"])
  func messageCannotSayWhoAsks(_ name: String) throws {
    let evaluated = try daemon.connect().evaluate(on: "sim", Self.wish.merging([name: 1]) { $1 })
    #expect(evaluated.error == "InvalidParameter")
  }
}

/// The claims of an assertion, as anybody can read them.
private struct Claims {
  private let object: JSONValue

  init?(_ token: String) {
    let parts = token.split(separator: ".")
    guard parts.count == 3 else { return nil }
    let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in parts[1].utf8 {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    guard let object = try? JSONValue(parsing: bytes.span) else { return nil }
    self.object = object
  }

  func number(_ name: String) -> Int { object[name]?.integer ?? 0 }
  func text(_ name: String) -> String? { object[name]?.string }
}
