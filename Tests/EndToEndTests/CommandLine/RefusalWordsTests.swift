import LocalAuthUnix
import Testing

/// What the programs say where they do not do what was typed.
@Suite struct RefusalWordsTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "2468")
  }

  private func run(_ words: [String], input: String = "") throws -> RunningProgram.Report {
    try Authctl.run(["--home", daemon.home] + words, input: input)
  }

  @Test(arguments: [
    "authctl", "localauthd", "localauth-bus", "localauth-sync", "localauth-fuse",
    "localauth-pam-worker",
  ])
  func everyProgramTellsItsVersionAndNamesAWrongOption(_ name: String) throws {
    let path = "\(Machine.programs)/\(name)"
    let version = try RunningProgram.run(path, ["--version"])
    #expect(version.status == 0 && version.output.hasPrefix("\(name) "), "\(version)")
    let wrong = try RunningProgram.run(path, ["--nonsense"])
    #expect(wrong.status == (name == "authctl" ? 2 : 64), "\(wrong)")
    #expect(wrong.errors.contains("'--nonsense'"), "\(wrong.errors)")
    #expect(wrong.errors.split(separator: "\n").count == 1, "\(wrong.errors)")
  }

  @Test func whereNothingRunsItSaysThatCommandsStartIt() throws {
    let stopped = try Authctl.run(["--home", scratch.file("other"), "daemon", "stop"])
    #expect(stopped.status == 69)
    #expect(stopped.errors.contains("a command that needs one starts it"), "\(stopped.errors)")
  }

  @Test func homesThatCannotBeUsedAreNamedWithoutTheCall() throws {
    for home in ["/proc", "/etc/passwd", "/proc/x"] {
      let refused = try Authctl.run(["--home", home, "status"])
      #expect(refused.status == 69, "\(refused)")
      #expect(refused.errors.contains(home), "\(refused.errors)")
      for call in ["openat", "mkdir", "connect"] {
        #expect(!refused.errors.contains(call), "\(refused.errors)")
      }
    }
  }

  @Test func aDeviceWithoutAPasscodeIsNotAskedForIt() throws {
    try client.create("open")
    let refused = try run(["--device", "open", "device", "unlock"])
    #expect(refused.status == 14)
    #expect(refused.errors.contains("open has no passcode"), "\(refused.errors)")
  }

  @Test func theAdviceToCreateADeviceDeletesNoMachine() throws {
    let taken = try run(["device", "create", "default"])
    #expect(taken.status == 78 && !taken.errors.contains("delete"), "\(taken.errors)")
    let foreign = try run(["device", "create", "büro"])
    #expect(foreign.status == 2 && foreign.errors.contains("a to z"), "\(foreign.errors)")
  }

  @Test func anItemsPasswordThatNobodyCanBeAskedForIsAdvised() throws {
    let sim = ["--device", "sim"]
    _ = try run(sim + ["device", "unlock", "--stdin"], input: "2468\n")
    let words = ["app/pw", "--access-control", "applicationPassword", "--stdin"]
    let added = try run(sim + ["keychain", "add"] + words, input: "x")
    #expect(added.status == 5, "\(added.errors)")
    #expect(added.errors.contains("--application-password-fd"), "\(added.errors)")
    let item: [String] = ["--application-password-fd", "3"]
    let kept = try RunningProgram.run(
      "/bin/sh",
      ["-c", #"echo pepper > "$0/pw"; exec "$@" 3< "$0/pw""#, scratch.path, Machine.authctl]
        + ["--home", daemon.home] + sim + ["keychain", "add"] + words + item,
      input: "x"
    )
    #expect(kept.status == 0, "\(kept.errors)")
    let got = try run(sim + ["keychain", "get", "app/pw"])
    #expect(got.status == 5 && got.errors.contains("--application-password-fd"), "\(got.errors)")
  }

  @Test func aClockThatMovesSaysThatPasscodesAreRefusedStill() throws {
    let sim = ["--device", "sim"]
    let wrong = ["evaluate", "--policy", "passcode", "--reason", "x", "--passcode-fd", "0"]
    var refused = false
    for _ in 0..<20 where !refused {
      refused = try run(sim + wrong, input: "1111\n").status == 11
    }
    try #require(refused)
    let moved = try run(sim + ["device", "clock", "advance", "10d"])
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(moved.errors.contains("Passcodes are refused for"), "\(moved.errors)")
  }

  @Test func aPolicyWithTheUsersPrefixIsToldThatItComesByItself() throws {
    let file = scratch.file("mine.json")
    try scratch.write(
      #"{"name": "user/mine", "summary": "Mine.", "requirement": "passcode"}"#,
      to: "mine.json"
    )
    let checked = try run(["policy", "check", file])
    #expect(checked.status == 78 && checked.errors.contains("by itself"), "\(checked.errors)")
  }
}
