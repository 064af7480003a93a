import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// What `authctl keychain` makes of words and secrets that it cannot use: one line and a documented
/// status, before anybody is asked or anything is stored.
@Suite struct ItemArgumentTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim")
  }

  private func expect(
    _ status: Int32,
    _ report: RunningProgram.Report,
    _ context: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(report.status == status, "\(context): \(report)", sourceLocation: sourceLocation)
    #expect(
      report.errors.split(separator: "\n").count == 1,
      "\(context): \(report)",
      sourceLocation: sourceLocation
    )
    #expect(report.output.isEmpty, context, sourceLocation: sourceLocation)
    let everything: JSONValue = ["class": "genp", "m_Limit": "m_LimitAll"]
    #expect(try daemon.connect().item("Copy", on: "sim", everything).outcome == "itemNotFound")
  }

  private func run(_ words: [String], input: String = "") throws -> RunningProgram.Report {
    try Authctl.run(["--home", daemon.home, "--device", "sim", "keychain"] + words, input: input)
  }

  @Test func wordsThatMeanNothingAreUsageErrors() throws {
    let add = ["add", "--account", "me", "--stdin"]
    for words in [
      add + ["--class", "nope"], add + ["--class", ""], add + ["--accessible", "sometimes"],
      add + ["--access-control", "nonsense"], add + ["--access-control", ""],
      add + ["--access-control", "biometryAny,biometryCurrentSet"],
      add + ["--access-control", "or,and"], add + ["--server", "mail.example"],
      add + ["--class", "internet-password", "--port", "70000"],
      add + ["--class", "internet-password", "--port", "-1"],
      add + ["--class", "internet-password", "--protocol", "carrier-pigeon"],
      add + ["--script", "bogus"], add + ["--timeout", "-1s"], add + ["--nobody"],
      ["get"], ["delete"], ["update", "--account", "me"], ["get", "--reference", "garbage"],
      ["get", "--reference", "AAAA"], ["list", "--limit", "0"], ["list", "--limit", "many"],
    ] {
      try expect(2, try run(words, input: "secret\n"), "\(words)")
    }
  }

  @Test func anEndlessSecretIsRefusedEarly() throws {
    let command =
      "exec \(Machine.authctl) --home \(daemon.home) --device sim keychain add --account me --stdin "
      + "< /dev/zero"
    let report = try RunningProgram.run(
      "/bin/sh",
      ["-c", command],
      environment: Authctl.environment
    )
    try expect(2, report, "an endless secret")
    #expect(report.errors.contains("65536 bytes"), "\(report)")
    try expect(2, try run(["add", "--account", "me", "--stdin"]), "nothing at all")
  }

  @Test func attributesThatFitNoFrameAreRefused() throws {
    let long = String(repeating: "x", count: 120_000)
    let words = ["add", "--account", long, "--label", long, "--stdin"]
    try expect(2, try run(words, input: "secret\n"), "long")
  }

  @Test func argumentsThatAreNoTextDoNoHarm() throws {
    let command =
      "exec \(Machine.authctl) --home \(daemon.home) --device sim keychain get "
      + "--account \"$(printf 'a\\377b')\""
    let report = try RunningProgram.run(
      "/bin/sh",
      ["-c", command],
      environment: Authctl.environment
    )
    #expect(report.status == 2 || report.status == 20, "\(report)")
    #expect(report.errors.split(separator: "\n").count == 1, "\(report)")
  }

  @Test func anEmptySecretIsAnEmptyLine() throws {
    #expect(try run(["add", "--account", "me", "--stdin"], input: "\n").status == 0)
    let report = try run(["get", "--account", "me"])
    #expect(report.status == 0 && report.output.isEmpty, "\(report)")
  }
}
