import LocalAuthJSON
import LocalAuthUnix
import Testing

/// One-time codes as items.
@Suite struct CodeItemTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let commands: KeychainCommands

  private static let address =
    "otpauth://totp/ACME:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=ACME&period=3600"

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    commands = KeychainCommands(home: daemon.home)
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    try client.unlockSim()
  }

  private func keychain(
    _ words: String...,
    input: String = ""
  ) throws -> RunningProgram.Report {
    try commands.run(["keychain"] + words, input: input)
  }

  private func isCode(_ text: String) -> Bool { text.wholeMatch(of: /[0-9]{6}/) != nil }

  @Test func passwordAndCodesHaveTheSameName() throws {
    #expect(try keychain("add", "mail/me", "--stdin", input: "hunter2").status == 0)
    let added = try keychain("add", "mail/me", "--code", "--stdin", input: Self.address + "\n")
    #expect(added.status == 0, "\(added.errors)")
    let code = try keychain("code", "mail/me")
    #expect(code.status == 0 && isCode(code.output), "\(code.errors)")
    #expect(code.errors.contains("The code is valid for"))
    #expect(try keychain("get", "mail/me").output == "hunter2")
    #expect(try keychain("get", "mail").output == "hunter2")
    #expect(isCode(try keychain("code", "mail").output))
    #expect(try keychain("get", "code:mail/me").output == Self.address)
    #expect(try keychain("list").output.contains("code:mail"))
    #expect(try keychain("delete", "code:mail/me").status == 0)
    #expect(try keychain("code", "mail/me").status == 20)
  }

  @Test func codeIsInTheJSONAsText() throws {
    _ = try keychain("add", "mail/me", "--code", "--stdin", input: Self.address)
    let json = try keychain("--json", "code", "mail/me").json
    #expect(isCode(json["code"]?.string ?? ""))
    #expect((1...3600).contains(json["secondsLeft"]?.integer ?? 0))
  }

  @Test func codeNeedsTheProofOfItsItem() throws {
    _ = try commands.run(
      ["sensor", "enroll", "right-thumb", "--passcode-fd", "3"],
      password: "1234"
    )
    let control = ["--access-control", "biometryAny"]
    let added = try commands.run(
      ["keychain", "add", "bank", "--code", "--stdin"] + control,
      input: Self.address
    )
    #expect(added.status == 0, "\(added.errors)")
    let refused = try keychain("code", "bank", "--non-interactive")
    #expect(refused.status == 5 && refused.output.isEmpty)
    let missed = try keychain("code", "bank", "--script", "miss,miss,miss")
    #expect(missed.status != 0 && missed.output.isEmpty)
  }

  @Test func whatMakesNoCodesIsNotAdded() throws {
    for wrong in ["hunter2!", "otpauth://hotp/x?secret=GEZDGNBV&counter=0", "otpauth://totp/x"] {
      let run = try keychain("add", "mail", "--code", "--stdin", input: wrong)
      #expect(run.status == 2 && !run.errors.contains(wrong), "\(run.errors)")
    }
    #expect(try keychain("add", "--code", "--stdin", input: Self.address).status == 2)
    let other = try keychain(
      "add",
      "--class",
      "inet",
      "host",
      "--code",
      "--stdin",
      input: Self.address
    )
    #expect(other.status == 2)
    #expect(try keychain("--json", "list").json["items"]?.elements.isEmpty == true)
    _ = try keychain("add", "code:fake", "--stdin", input: "hunter2!")
    let fake = try keychain("code", "fake")
    #expect(fake.status == 24 && fake.output.isEmpty && !fake.errors.contains("hunter2"))
  }
}
