import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Commands that get secrets in their environment.
@Suite struct RunVerbTests {
  private let device: SecretDevice

  init() throws { device = try SecretDevice() }

  private static let references = [
    "A=localauth://mail/ann", "B=localauth://db/app%2Fmain", "C=localauth://free",
    "D=pg://u:{{ localauth://db }}@h/{{x}}",
  ]

  @Test func oneTouchOpensAllAndThePromptNamesEach() throws {
    let run = try device.terminal(
      ["run", "--", "/bin/sh", "-c", #"printf '<%s|%s|%s|%s>' "$A" "$B" "$C" "$D"; exit 7"#],
      environment: Self.references
    )
    try run.wait(for: "run /bin/sh -c")
    try run.wait(for: "open 2 items: \"mail\" (account ann) and \"db\" (account app/main)")
    try device.touch()
    #expect(try run.waitForExit() == .status(7), "\(run.screen)")
    let secrets = "<first secret|second secret|third secret|pg://u:second secret@h/{{x}}>"
    #expect(run.screen.contains(secrets), "\(run.screen)")
    #expect(run.isRestored)
    #expect(try device.client.audit("sim").filter { $0["policy"]?.string == "keychain" }.count == 1)
  }

  @Test func whatNeedsAnotherProofIsAskedForByItself() throws {
    try device.add("vault", "root", "fourth secret", "devicePasscode")
    let run = try device.terminal(
      ["run", "--", "/bin/sh", "-c", #"printf '<%s|%s>' "$A" "$V""#],
      environment: ["A=localauth://mail/ann", "V=localauth://vault"]
    )
    try run.wait(for: "open \"mail\" (account ann)")
    try device.touch()
    try run.wait(for: "open \"vault\" (account root)")
    run.type("2468\r")
    #expect(try run.waitForExit() == .status(0), "\(run.screen)")
    #expect(run.screen.contains("<first secret|fourth secret>"))
  }

  @Test(arguments: [
    ("X=localauth://nope/x", 20, "There is no item for localauth://nope/x (in X)"),
    ("X=localauth://mail/carl", 20, "There is no item for localauth://mail/carl (in X)"),
    ("X=localauth://mail", 21, "Several items match localauth://mail (in X)"),
    ("X=a {{ localauth://nope }}", 20, "There is no item for localauth://nope (in X)"),
    ("X=localauth://a b", 2, "The reference in X is not understood"),
    ("X=localauth://", 2, "The reference in X is not understood"),
    ("X={{ localauth://mail/ann", 2, "The reference in X is not closed"),
  ])
  func aReferenceWithoutItsOneItemRunsNothingAndAsksNobody(
    _ variable: String,
    _ status: Int32,
    _ part: String
  ) throws {
    let run = try device.terminal(
      ["run"] + device.marking,
      environment: ["A=localauth://mail/ann", variable]
    )
    #expect(try run.waitForExit() == .status(status), "\(run.screen)")
    let said = run.screen.replacing("\r\n", with: "")
    #expect(said.contains(part), "\(said)")
    #expect(!said.contains("SIMULATED DEVICE"))
    #expect(!Files.exists(device.marker))
  }

  @Test(
    arguments: [
      (["--script", "miss,miss,miss"], 10), (["--script", "cancel"], 3),
      (["--script", "error:timeout"], 6), (["--non-interactive"], 5), ([], 5),
      (["--script", "match,miss"], 65),
    ] as [([String], Int32)]
  )
  func anythingButASuccessRunsNothing(_ more: [String], _ status: Int32) throws {
    let run = try device.authctl(
      ["run"] + more + device.marking,
      environment: ["A=localauth://mail/ann"]
    )
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains("Nothing was run."), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1 && run.output.isEmpty)
    #expect(!Files.exists(device.marker))
  }

  @Test func aDeviceThatTheEnvironmentChoseOpensNothing() throws {
    let run = try Authctl.run(
      ["--home", device.daemon.home, "run", "--script", "match"] + device.marking,
      environment: ["LOCALAUTH_DEVICE=sim", "A=localauth://mail/ann"]
    )
    #expect(run.status == 77, "\(run.errors)")
    #expect(!Files.exists(device.marker))
  }

  @Test func aSecretThatIsLockedIsNamed() throws {
    try device.client.administer("Lock", "sim")
    // For a moment after the lock its keys stay.
    #expect(try device.authctl(["device", "clock", "advance", "1m"]).status == 0)
    let run = try device.authctl(["run"] + device.marking, environment: ["A=localauth://free"])
    #expect(run.status == 22, "\(run.errors)")
    #expect(run.errors.contains("localauth://free (in A) cannot be opened"), "\(run.errors)")
    #expect(!Files.exists(device.marker))
  }

  /// The command is the process that was started: its secrets are in its environment and nowhere
  /// else, and signals reach it.
  @Test func theProgramBecomesTheCommandAndNoFileOrCommandLineHasASecret() throws {
    let run = try device.terminal(["run", "--", "/bin/cat"], environment: Self.references)
    try run.wait(for: "open 2 items")
    try device.touch()
    try device.waitUntil(run.programID, runs: "/bin/cat")
    run.type("hello\n")
    try run.wait(for: "hello")
    try run.wait(for: "hello")
    let process = "/proc/\(run.programID)"
    #expect(try Files.text("\(process)/cmdline") == "/bin/cat\0")
    #expect(try Files.text("\(process)/environ").contains("A=first secret\0"))
    #expect(try Files.text("\(process)/task/\(run.programID)/children") == "")
    for directory in [device.scratch.path, device.daemon.home] {
      for (name, bytes) in try Files.contents(of: directory) {
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains("first secret") && !text.contains("second secret"), "\(name)")
      }
    }
    #expect(try run.end(SIGTERM) == .signal(SIGTERM))
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGINT, SIGHUP])
  func whoIsEndedWhileSomebodyIsAskedRunsNothing(_ signal: Int32) throws {
    let run = try device.terminal(
      ["run"] + device.marking,
      environment: ["A=localauth://mail/ann"]
    )
    try run.wait(for: "open \"mail\"")
    #expect(try run.end(signal) == .signal(signal))
    // The prompt is gone with the program: a touch finds none.
    let touch = try device.authctl(["sensor", "touch", "right-index"])
    #expect(touch.status == 13 || signal == SIGKILL, "\(touch.errors)")
    #expect(!Files.exists(device.marker))
  }

  @Test func tenThousandVariablesArriveAsTheyAre() throws {
    let variables = (0..<10_000).map { "VARIABLE_\($0)=value \($0) {{ {" }
    let run = try device.authctl(
      ["run", "--", "/usr/bin/env", "-0"],
      environment: variables + ["SECRET=localauth://free", "EMPTY="]
    )
    #expect(run.status == 0, "\(run.errors)")
    let given = Authctl.environment + variables + ["SECRET=third secret", "EMPTY="]
    #expect(run.output.split(separator: "\0").map(String.init) == given)
  }

  @Test func aTooLargeEnvironmentIsSaidSo() throws {
    let value = String(repeating: "x", count: 200_000)
    try device.scratch.write("BIG=\(value)\n", to: "env")
    let run = try device.authctl(
      ["run", "--env-file", device.scratch.file("env")] + device.marking
    )
    #expect(run.status == 126 && run.errors.contains("Argument list too long"), "\(run.errors)")
    try device.scratch.write(String(repeating: "#", count: 1024 * 1024 + 1), to: "env")
    let long = try device.authctl(
      ["run", "--env-file", device.scratch.file("env")] + device.marking
    )
    #expect(long.status == 2 && long.errors.contains("1048576 bytes"), "\(long.errors)")
    #expect(!Files.exists(device.marker))
  }

  @Test func linesOfASecretArriveAndAZeroByteIsRefused() throws {
    try device.add("key", "x", "-----\nline\n\n")
    try device.add("zero", "x", "a\0b")
    let show = ["run", "--", "/bin/sh", "-c", #"printf %s "$K""#]
    let run = try device.authctl(show, environment: ["K=localauth://key"])
    #expect(run.status == 0 && run.output == "-----\nline\n\n")
    let zero = try device.authctl(
      ["run"] + device.marking,
      environment: ["K=localauth://zero/x"]
    )
    #expect(zero.status == 2, "\(zero.errors)")
    #expect(zero.errors.contains("localauth://zero/x (in K) has a zero byte"), "\(zero.errors)")
    #expect(!Files.exists(device.marker))
  }

  @Test func variablesOfTheFileReplaceThoseOfTheEnvironment() throws {
    try device.scratch.write(
      "# for the server\nA=localauth://free/x\nexport B='b c'\nC=$B\n",
      to: "env"
    )
    let run = try device.authctl(
      [
        "run", "--env-file", device.scratch.file("env"), "--", "/bin/sh", "-c",
        #"printf '%s|%s|%s|%s' "$A" "$B" "$C" "$D""#,
      ],
      environment: ["A=localauth://nope", "B=old", "D=kept"]
    )
    #expect(run.status == 0 && run.output == "third secret|b c|$B|kept", "\(run.errors)")
    try device.scratch.write("A=1\nhunter2\n", to: "env")
    let bad = try device.authctl(
      ["run", "--env-file", device.scratch.file("env")] + device.marking
    )
    #expect(bad.status == 2 && bad.errors.contains("Line 2"), "\(bad.errors)")
    #expect(!bad.errors.contains("hunter2") && !Files.exists(device.marker))
    let none = try device.authctl(["run", "--env-file", "/dev/null/x"] + device.marking)
    #expect(none.status == 2 && !Files.exists(device.marker))
  }

  @Test func whatNeedsNoSecretNeedsNoDaemon() throws {
    let run = try Authctl.run(
      ["--socket", "/dev/null/socket", "run", "--", "/bin/sh", "-c", "exit 9"]
    )
    #expect(run.status == 9, "\(run.errors)")
    #expect(run.errors.isEmpty && run.output.isEmpty)
  }

  @Test(
    arguments: [
      (["/dev/null/x"], 127), (["no-such-command"], 127), (["/etc/passwd"], 126), (["/"], 126),
    ] as [([String], Int32)]
  )
  func aCommandThatCannotRunIsSaidBeforeAnybodyIsAsked(
    _ command: [String],
    _ status: Int32
  ) throws {
    for verb in [["run"], ["exec", "--policy", "biometrics"]] {
      let run = try device.terminal(
        verb + ["--"] + command,
        environment: ["A=localauth://mail/ann"]
      )
      #expect(try run.waitForExit() == .status(status), "\(run.screen)")
      #expect(run.screen.contains("Nothing was run.") && !run.screen.contains("SIMULATED"))
    }
  }

  @Test func wordsArriveByteForByteAndNoShellReadsThem() throws {
    let words = ["$HOME", "*", "a  b", "\n", "", "--json", "-h", "--", "`x`"]
    let run = try device.authctl(["run", "--", "/usr/bin/printf", "<%s>"] + words)
    #expect(run.status == 0 && run.output == words.map { "<\($0)>" }.joined(), "\(run.output)")
    let script = "\(Machine.authctl) run -- /usr/bin/printf %s $'\\xff\\xc3' | od -An -tx1"
    let bytes = try RunningProgram.run("/bin/bash", ["-c", script])
    #expect(bytes.output == " ff c3\n", "\(bytes.errors)")
  }

  @Test(arguments: [
    ["run"], ["run", "/bin/true"], ["run", "/bin/true", "--", "x"], ["run", "--"],
  ])
  func theCommandIsBehindDashes(_ words: [String]) throws {
    let run = try Authctl.run(words)
    #expect(run.status == 2 && run.errors.contains("behind '--'"), "\(run.errors)")
  }

  @Test func moreReferencesThanAPromptNamesAreRefused() throws {
    let many = (0...32).map { "V\($0)=localauth://mail/\($0)" }
    let run = try device.authctl(["run"] + device.marking, environment: many)
    #expect(run.status == 2 && run.errors.contains("more than 32"), "\(run.errors)")
    #expect(!Files.exists(device.marker))
  }
}
