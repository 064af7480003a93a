import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `Examples/CodeAuthenticator`, in the daemon: the passcode, and a one-time code.
@Suite struct CodeExampleTests {
  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    + "/Examples/CodeAuthenticator"
  private static let environment = ["PATH=/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE=1"]

  /// A device that asks for codes of the example, with something enrolled for this account.
  private func device() throws -> CodeDevice {
    let device = try CodeDevice()
    let text = """
      {"name": "codes", "summary": "Codes.", "program": "\(Self.folder)/code-authenticator",
       "kind": "code", "asks": "text", "simulated": true}
      """
    try device.scratch.write(text, to: "manifests/codes.json", mode: 0o644)
    let enrolled = try RunningProgram.run(
      Self.folder + "/code-authenticator",
      ["enroll", try user(), "--yes"],
      environment: Self.environment + ["STATE_DIRECTORY=\(state(of: device))"]
    )
    #expect(enrolled.status == 0, "\(enrolled.errors)")
    let reload = try Authctl.run(["--socket", device.daemon.socket, "daemon", "reload"])
    #expect(reload.status == 0, "\(reload.output)")
    return device
  }

  private func state(of device: CodeDevice) -> String {
    device.scratch.file("home/authenticators/codes")
  }

  private func user() throws -> String {
    let name = try RunningProgram.run("/usr/bin/id", ["-un"]).output
    return String(name.prefix { $0 != "\n" })
  }

  /// The code of now, computed as RFC 6238 says.
  private func code(of device: CodeDevice) throws -> String {
    let script = """
      import base64, glob, hmac, json, struct, sys, time
      kept = json.load(open(glob.glob(sys.argv[1] + "/*.secret")[0]))
      digest = hmac.digest(base64.b32decode(kept["secret"]), struct.pack(">Q", int(time.time()) // 30), "sha1")
      at = digest[19] & 15
      print(f"{(int.from_bytes(digest[at:at + 4], 'big') & 0x7fffffff) % 10**6:06}")
      """
    let run = try RunningProgram.run("/usr/bin/python3", ["-c", script, state(of: device)])
    return String(run.output.prefix(6))
  }

  @Test func theExamplesOwnTestsPass() throws {
    let run = try RunningProgram.run(
      "/bin/sh",
      ["-c", "cd \"$0\" && exec python3 -m unittest -q", Self.folder],
      environment: Self.environment
    )
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func passcodeAndCodeTogetherAreASuccessAndNoCodeCountsTwice() throws {
    let device = try device()
    let code = try code(of: device)
    let run = try device.evaluate("second", "passcode:2468,passcode:\(code)")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json["method"]?.text == "passcode+code")
    let again = try device.evaluate("code", "passcode:\(code),cancel")
    #expect(try again.json["outcome"]?.text == "userCancel", "\(again.output)")
  }

  @Test func anotherEnrolmentNeedsThePasscodeFirst() throws {
    let device = try device()
    let code = try code(of: device)
    #expect(try device.evaluate("second", "passcode:2468,passcode:\(code)").status == 0)
    _ = try RunningProgram.run(
      Self.folder + "/code-authenticator",
      ["enroll", try user(), "--yes"],
      environment: Self.environment + ["STATE_DIRECTORY=\(state(of: device))"]
    )
    _ = try Authctl.run(["--socket", device.daemon.socket, "daemon", "stop"])
    let next = try DaemonProcess(
      home: device.scratch.file("home"),
      DaemonProcess.Options(arguments: ["--authenticators", device.scratch.file("manifests")])
    )
    let run = try Authctl.run([
      "--socket", next.socket, "--device", "demo", "--json", "evaluate", "--policy", "user/code",
      "--reason", "test", "--script", "cancel",
    ])
    #expect(run.output.contains("passcode is needed first"), "\(run.output)")
  }

  @Test func itKeepsTheRules() throws {
    let device = try device()
    let run = try Authctl.run([
      "authenticator", "check", device.scratch.file("manifests/codes.json"), "--account",
      try user(),
      "--state-directory", state(of: device), "--answer", try code(of: device),
    ])
    #expect(run.status == 0, "\(run.output)")
  }
}
