import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl grant`, as it is typed.
@Suite struct GrantVerbTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
  }

  private func run(_ words: [String]) throws -> RunningProgram.Report {
    try Authctl.run(["--home", daemon.home] + words)
  }

  private func approve(_ more: [String: JSONValue] = [:]) throws {
    let wish: [String: JSONValue] = ["maxAgeSeconds": 300]
    let parameters = wish.merging(more) { $1 }
    #expect(try client.evaluate(on: "sim", script: "match", parameters).outcome == "success")
  }

  @Test func listSaysWhoMayDoWhatForHowLong() throws {
    #expect(try run(["grant", "list"]).output.isEmpty)
    try approve(["action": "pay 10 to ann", "maxUses": 3])
    let listed = try run(["grant", "list"])
    #expect(listed.status == 0)
    for part in ["sim (simulated)", "biometrics", "3 uses", "pay 10 to ann", "process"] {
      #expect(listed.output.contains(part), "\(part) in \(listed.output)")
    }
    let items = try run(["--json", "grant", "list"]).json["items"]?.elements ?? []
    #expect(items.count == 1)
    #expect(items.first?["usesLeft"]?.integer == 3)
    #expect(items.first?["action"]?.string == "pay 10 to ann")
    #expect(items.first?["bounds"]?.string == "process")
    #expect(try run(["--device", "default", "grant", "list"]).output.isEmpty)
  }

  @Test func whatIsForAProcessThatHasEndedIsNotListed() throws {
    let words = ["--device", "sim", "evaluate", "--policy", "biometrics", "--reason", "x"]
    let asked = try run(words + ["--max-age", "5m", "--script", "match"])
    try #require(asked.status == 0, "\(asked.errors)")
    #expect(try run(["grant", "list"]).output.isEmpty)
    try approve()
    let items = try run(["--json", "grant", "list"]).json["items"]?.elements ?? []
    #expect(items.count == 1)
  }

  @Test func oneIsRevokedByHowItsNameBegins() throws {
    try approve(["action": "one"])
    try approve(["action": "two"])
    let items = try run(["--json", "grant", "list"]).json["items"]?.elements ?? []
    let name = try #require(items.first?["grant"]?.string)
    let revoked = try run(["grant", "revoke", String(name.prefix(8))])
    #expect(revoked.status == 0, "\(revoked.errors)")
    let left = try run(["--json", "grant", "list"]).json["items"]?.elements ?? []
    #expect(left.count == 1 && left.first?["grant"]?.string != name)
    #expect(try run(["--json", "grant", "revoke", "--all"]).json["revoked"]?.integer == 1)
    #expect(try run(["grant", "list"]).output.isEmpty)
    #expect(try run(["--json", "grant", "revoke", "--all"]).json["revoked"]?.integer == 0)
  }

  @Test func wrongWordsSayWhatToType() throws {
    let neither = try run(["grant", "revoke"])
    #expect(neither.status == 2 && neither.errors.contains("--all"))
    #expect(try run(["grant", "revoke", "abc", "--all"]).status == 2)
    let unknown = try run(["grant", "revoke", "zzzz"])
    #expect(unknown.status == 20 && unknown.errors.contains("zzzz"))
    #expect(try run(["--device", "none", "grant", "list"]).status == 78)
    let evaluate = ["--device", "sim", "evaluate", "--policy", "biometrics", "--reason", "x"]
    let uses = try run(evaluate + ["--max-uses", "3", "--script", "match"])
    #expect(uses.status == 2 && uses.errors.contains("--max-age"))
    for wrong in ["0", "13h", "soon", "-1"] {
      #expect(
        try run(evaluate + ["--max-age", wrong, "--script", "match"]).status == 2,
        "\(wrong)"
      )
    }
    for wrong in ["0", "1001", "x"] {
      let words = evaluate + ["--max-age", "5m", "--max-uses", wrong, "--script", "match"]
      #expect(try run(words).status == 2, "\(wrong)")
    }
  }

  @Test func promptSaysThatItIsRemembered() throws {
    let terminal = try TerminalProgram.authctl(
      ["--home", daemon.home, "--device", "sim", "evaluate", "--policy", "biometrics"]
        + ["--reason", "open the door", "--max-age", "2m"]
    )
    try terminal.wait(for: "open the door")
    try terminal.wait(for: "Not asked again for 2m")
    terminal.type("q")
    #expect(try terminal.waitForExit() == .status(3))
  }
}
