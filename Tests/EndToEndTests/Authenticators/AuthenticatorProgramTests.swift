import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Authenticators that are programs of their own, through the daemon: what keeps the rules proves something, and what
/// breaks one proves nothing.
@Suite struct AuthenticatorProgramTests {
  private func outcome(_ device: CodeDevice, _ script: String) throws -> String? {
    try device.evaluate("code", script).json["outcome"]?.text
  }

  @Test(arguments: ["code", "named"]) func aRightAnswerMeetsAPolicyThatAsksForIt(
    _ policy: String
  ) throws {
    let device = try CodeDevice()
    let run = try device.evaluate(policy, "passcode:right")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json["method"]?.text == "code")
    #expect(try run.json["simulated"] == true)
  }

  @Test func itIsAskedAfterThePasscodeWhereBothAreNeeded() throws {
    let device = try CodeDevice()
    #expect(try device.evaluate("second", "passcode:right").status != 0)
    let run = try device.evaluate("second", "passcode:2468,passcode:right")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json["method"]?.text == "passcode+code")
  }

  @Test(arguments: ["other", "key"]) func onlyTheOneThatThePolicyNamesIsAsked(
    _ policy: String
  ) throws {
    let run = try CodeDevice().evaluate(policy, "passcode:right")
    #expect(try run.json["outcome"]?.text == "authenticatorNotAvailable", "\(run.output)")
  }

  @Test func wrongAnswersAreCountedAndLockIt() throws {
    let device = try CodeDevice()
    let run = try device.evaluate("code", "passcode:a,passcode:b,passcode:c")
    #expect(try run.json["outcome"]?.text == "authenticatorLockout", "\(run.errors)")
    #expect(try outcome(device, "passcode:right") == "authenticatorLockout")
    let unlock = try device.authctl(["device", "unlock", "--stdin"], input: "2468\n")
    #expect(unlock.status == 0, "\(unlock.errors)")
    #expect(try outcome(device, "passcode:right") == "success")
  }

  @Test func anAnswerIsOneOfTheAccountOnlyOnce() throws {
    let device = try CodeDevice()
    #expect(try device.evaluate("code", "passcode:right").status == 0)
    #expect(try device.evaluate("code", "passcode:right,cancel").status != 0)
  }

  private static let misbehaving = [
    "early", "unarmed", "refused-early", "other-attempt", "flood", "crash", "many-words", "escapes",
  ]

  @Test(arguments: misbehaving) func whatBreaksARuleProvesNothingAndIsStoppedForAWhile(
    _ mode: String
  ) throws {
    let device = try CodeDevice(mode)
    let run = try device.evaluate("code", "passcode:right")
    #expect(run.status != 0, "\(run.output)")
    #expect(try run.json["outcome"]?.text == "authenticatorNotAvailable", "\(run.output)")
    let line = try #require(try device.listed())
    #expect(["unusable", "starting", "ready"].contains(line["state"]?.text ?? ""))
  }

  @Test func anAccountThatIsRefusedProvesNothingAndStaysCounted() throws {
    let device = try CodeDevice("account-refused")
    for _ in 0..<2 {
      let run = try device.evaluate("code", "passcode:right")
      #expect(try run.json["outcome"]?.text == "authenticatorNotAvailable", "\(run.output)")
      #expect(run.output.contains("the account has expired"), "\(run.output)")
    }
    #expect(try device.listed()?["state"]?.text == "ready", "it broke no rule")
    // The third one locks, as three wrong answers do.
    #expect(try outcome(device, "passcode:right") == "authenticatorLockout")
    #expect(try outcome(device, "passcode:right") == "authenticatorLockout")
  }

  @Test func aYesThatNobodyAskedForIsNoSuccessOnceItWasNotArmed() throws {
    // It says that it is armed and then yes, which is all that a program can do: strength comes from the manifest.
    let run = try CodeDevice("yes-unasked").evaluate("code", "passcode:right")
    #expect(run.status == 0 || run.status == 65)
    // A verdict of a second one is one that nobody hears.
    let twice = try CodeDevice("twice")
    #expect(try twice.evaluate("code", "passcode:wrong,cancel").status == 3)
  }

  @Test(arguments: ["claims-simulated", "other-kind", "slow-description"])
  func whatIsNotWhatItsManifestSaysIsNeverAsked(_ mode: String) throws {
    let device = try CodeDevice(mode, simulated: mode != "claims-simulated")
    let line = try #require(try device.listed())
    #expect(line["state"]?.text == "unusable", "\(line)")
    #expect(line["message"]?.text?.contains("tried again after") == true)
    #expect(try outcome(device, "passcode:right") == "authenticatorNotAvailable")
  }

  @Test func whatReportsWithoutEndIsStopped() throws {
    let device = try CodeDevice("restless")
    var message: String?
    for _ in 0..<1000 where message?.contains("too often") != true {
      message = try device.listed()?["message"]?.text
    }
    #expect(message?.contains("said too often") == true)
    #expect(try outcome(device, "passcode:right") == "authenticatorNotAvailable")
  }

  @Test func whatIsBusyIsNotAsked() throws {
    let device = try CodeDevice("busy")
    #expect(try device.listed()?["state"]?.text == "unavailable")
    #expect(try device.listed()?["message"]?.text == "It is busy.")
    #expect(try outcome(device, "passcode:right") == "authenticatorNotAvailable")
  }

  @Test func aChangeThatIsToldWhileItIsAskedIsNotForgotten() throws {
    let device = try CodeDevice("changes-while-asked")
    let deadline = Deadline.after(.seconds(20))
    while try device.listed()?["enrolled"]?.integer != 1, !deadline.hasPassed {}
    #expect(try device.listed()?["enrolled"]?.integer == 1)
  }

  @Test func whatDiesBeforeItIsArmedIsNotWaitedFor() throws {
    let device = try CodeDevice("dies-when-asked-again")
    #expect(try outcome(device, "passcode:right") == "authenticatorNotAvailable")
  }

  @Test func whatChangesItsSetProvesNothingUntilThePasscodeIsProven() throws {
    let device = try CodeDevice("changes-its-set")
    let run = try device.evaluate("code", "passcode:right")
    #expect(run.status != 0, "\(run.output)")
    #expect(try device.evaluate("second", "passcode:2468,passcode:right").status != 0)
  }

  @Test func whatAProofIsWorthDoesNotChangeUnnoticed() throws {
    let device = try CodeDevice()
    #expect(try outcome(device, "passcode:right") == "success")
    let text = CodeDevice.manifest("good").replacing("\"otp\"", with: "\"hwk\"")
    try device.scratch.write(text, to: "manifests/codes.json", mode: 0o644)
    _ = try Authctl.run(["--socket", device.daemon.socket, "daemon", "reload"])
    let run = try device.evaluate("code", "passcode:right")
    #expect(run.output.contains("passcode is needed first"), "\(run.output)")
  }

  @Test(arguments: ["unreadable", "many-labels"])
  func anAccountThatItCannotReadIsNotAskedAndStopsNobodyElse(_ mode: String) throws {
    let device = try CodeDevice(mode)
    #expect(try device.listed()?["state"]?.text == "ready")
    #expect(try outcome(device, "passcode:right") == "authenticatorNotAvailable")
  }

  @Test func aRealOneIsNotAskedOnASimulatedDevice() throws {
    let device = try CodeDevice("good", simulated: false)
    #expect(try device.listed()?["state"]?.text == "ready")
    #expect(try outcome(device, "passcode:right") == "authenticatorNotAvailable")
  }

  @Test func aManifestThatChangesNeedsThePasscodeFirst() throws {
    let device = try CodeDevice()
    #expect(try device.evaluate("code", "passcode:right").status == 0)
    try CodeDevice.writeManifest("replay", simulated: true, to: device.scratch)
    _ = try Authctl.run(["--socket", device.daemon.socket, "daemon", "reload"])
    #expect(try device.listed()?["state"]?.text == "ready")
    let refused = try device.evaluate("code", "passcode:right")
    #expect(refused.output.contains("passcode is needed first"), "\(refused.output)")
    #expect(try device.evaluate("second", "passcode:2468,passcode:right").status == 0)
    #expect(try device.evaluate("code", "passcode:right").status == 0)
  }

  @Test func aManifestWithAMistakeIsNamedAndTheOthersAreUsed() throws {
    let device = try CodeDevice()
    try device.scratch.write("{\"name\": \"bad\"}", to: "manifests/bad.json", mode: 0o644)
    let reload = try Authctl.run(["--socket", device.daemon.socket, "daemon", "reload"])
    #expect(reload.status == 78)
    let list = try device.authctl(["authenticator", "list"])
    #expect(list.status == 78)
    #expect(list.output.contains("bad.json") && list.output.contains("codes"), "\(list.output)")
    #expect(try device.evaluate("code", "passcode:right").status == 0)
  }

  @Test func aManifestThatOthersCanWriteIsNotUsed() throws {
    let device = try CodeDevice()
    _ = try RunningProgram.run("/bin/chmod", ["666", device.scratch.file("manifests/codes.json")])
    _ = try Authctl.run(["--socket", device.daemon.socket, "daemon", "reload"])
    #expect(try device.listed() == nil)
    #expect(try outcome(device, "passcode:right") == "authenticatorNotAvailable")
  }

  @Test func anAnswerThatIsTooLongOrNoTextIsWrongAndStopsNothing() throws {
    let device = try CodeDevice()
    let long = String(repeating: "x", count: 512)
    #expect(try outcome(device, "passcode:\(long),cancel") == "userCancel")
    #expect(try device.listed()?["state"]?.text == "ready")
    #expect(try outcome(device, "passcode:right") == "success")
  }

  @Test func aProgramThatOthersCanWriteIsNotStarted() throws {
    let device = try CodeDevice()
    let copy = device.scratch.file("program")
    _ = try RunningProgram.run("/bin/cp", [CodeDevice.program, copy])
    _ = try RunningProgram.run("/bin/chmod", ["777", copy])
    let text = CodeDevice.manifest("good").replacing(CodeDevice.program, with: copy)
    try device.scratch.write(text, to: "manifests/codes.json", mode: 0o644)
    _ = try Authctl.run(["--socket", device.daemon.socket, "daemon", "reload"])
    let line = try #require(try device.listed())
    #expect(line["state"]?.text == "unusable")
    #expect(line["message"]?.text?.contains("others can write") == true, "\(line)")
  }

  @Test func itsProgramEndsWithTheDaemon() throws {
    let device = try CodeDevice()
    let programs = try Self.programs(of: device)
    #expect(programs.count == 1)
    let program = try #require(programs.first.flatMap { ProcessReference(lookingUp: $0) })
    try device.daemon.crash()
    #expect(program.waitForEnd(until: .after(.seconds(30))))
  }

  @Test func whatWasChargedStaysChargedWhenTheDaemonIsKilled() throws {
    let device = try CodeDevice()
    #expect(try device.evaluate("code", "passcode:wrong,cancel").status == 3)
    try device.daemon.crash()
    let again = try DaemonProcess(
      home: device.scratch.file("home"),
      DaemonProcess.Options(arguments: ["--authenticators", device.scratch.file("manifests")])
    )
    let run = try Authctl.run([
      "--socket", again.socket, "--device", "demo", "--json", "status",
    ])
    #expect(run.status == 0, "\(run.errors)")
  }

  /// The processes of the authenticator that this device's daemon started.
  private static func programs(of device: CodeDevice) throws -> [Int32] {
    let found = try RunningProgram.run(
      "/usr/bin/pgrep",
      ["-f", "-P", "\(device.daemon.processID)", "authenticator.py"]
    )
    return found.output.split(separator: "\n").compactMap { Int32($0) }
  }
}
