import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl authenticator check` on a program in another language, as it is and with one mistake each.
@Suite struct AuthenticatorCheckTests {
  private func check(_ mode: String, _ more: [String] = []) throws -> RunningProgram.Report {
    let scratch = Scratch()
    try scratch.write(CodeDevice.manifest(mode, simulated: false), to: "codes.json", mode: 0o644)
    return try Authctl.run(
      ["--json", "authenticator", "check", scratch.file("codes.json")] + more
    )
  }

  private func broken(_ report: RunningProgram.Report) throws -> [String] {
    guard case .array(let items)? = try report.json["items"]?.content else { return [] }
    return items.filter { $0["holds"] == false }.map {
      "\($0["check"]?.text ?? ""): \($0["message"]?.text ?? "")"
    }
  }

  @Test func aProgramThatKeepsTheRulesPasses() throws {
    let report = try check("good", ["--answer", "right"])
    #expect(report.status == 0, "\(report.output)")
    #expect(try broken(report).isEmpty)
  }

  private static let mistakes: [(mode: String, words: String)] = [
    ("twice", "said more after its verdict"), ("early", "spoke before it was armed"),
    ("unarmed", "spoke before it was armed"), ("impatient", "judged the answer of another attempt"),
    ("other-attempt", "judged another attempt"),
    ("after-cancel", "after the attempt was cancelled"),
    ("flood", "ended without a verdict"), ("silent", "did not say in time"),
    ("crash", "ended without a verdict"),
    ("claims-simulated", "says that its proof is simulated"),
    ("other-kind", "says that it judges another kind"), ("always-yes", "accepted a wrong answer"),
    ("replay", "accepted the same code twice"), ("many-words", "more than 64 words"),
    ("yes-unasked", "nothing to judge"), ("knows-everybody", "does not exist"),
    ("any-attempt", "an attempt that it does not judge"), ("fragile", "closed the connection"),
  ]

  @Test(arguments: mistakes) func oneThatMisbehavesFailsForItsOwnReason(
    _ mode: String,
    _ words: String
  ) throws {
    let report = try check(mode, ["--answer", "right"])
    #expect(report.status == 1, "\(report.output)")
    let reasons = try broken(report)
    #expect(reasons.contains { $0.contains(words) }, "\(reasons)")
  }

  @Test(.enabled(if: Machine.isRoot && Machine.compiler != nil, "needs root and a C compiler"))
  func theWorkerOfPAMKeepsTheSameRules() throws {
    let module = try TestModule()
    try module.describe("ask", auth: "ask")
    let scratch = Scratch()
    let program = Machine.sharedPrograms.file("localauth-pam-worker")
    try scratch.write(
      """
      {"name": "pam", "summary": "Passwords.", "program": "\(program)", "kind": "password", "asks": "text",
       "arguments": ["--service", "ask", "--confdir", "\(module.directory)"]}
      """,
      to: "pam.json",
      mode: 0o644
    )
    let report = try Authctl.run(
      ["--json", "authenticator", "check", scratch.file("pam.json"), "--answer", "1234"]
    )
    #expect(report.status == 0, "\(report.output)\(report.errors)")
    #expect(try broken(report).isEmpty)
  }

  @Test func aProgramThatIsNotThereIsSaid() throws {
    let scratch = Scratch()
    let text = CodeDevice.manifest("good").replacing("authenticator.py", with: "nothing.py")
    try scratch.write(text, to: "codes.json", mode: 0o644)
    let report = try Authctl.run(["authenticator", "check", scratch.file("codes.json")])
    #expect(report.status == 78)
    #expect(report.errors.contains("cannot be started"), "\(report.errors)")
  }

  @Test func whatOthersCanWriteIsNotStarted() throws {
    let scratch = Scratch()
    try scratch.write(CodeDevice.manifest("good"), to: "codes.json", mode: 0o666)
    _ = try RunningProgram.run("/bin/chmod", ["666", scratch.file("codes.json")])
    let report = try Authctl.run(["authenticator", "check", scratch.file("codes.json")])
    #expect(report.status == 78)
    #expect(report.errors.contains("others can write"), "\(report.errors)")
    _ = try RunningProgram.run("/usr/bin/mkfifo", [scratch.file("pipe.json")])
    let pipe = try Authctl.run(["authenticator", "check", scratch.file("pipe.json")])
    #expect(pipe.errors.contains("not a regular file"), "\(pipe.errors)")
  }

  @Test func aNameThatNobodyHasIsSaid() throws {
    let report = try Authctl.run(["authenticator", "check", "nothing"])
    #expect(report.status == 20)
  }
}
