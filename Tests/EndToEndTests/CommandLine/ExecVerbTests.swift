import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Commands that run once a policy was evaluated.
@Suite struct ExecVerbTests {
  private let device: SecretDevice

  init() throws { device = try SecretDevice() }

  private static let exec = ["exec", "--policy", "biometrics"]

  @Test func thePromptShowsTheWordsAndThenTheProgramIsTheCommand() throws {
    let command = ["cat", "-", "a b", "\u{1B}[2J", "it's"]
    let run = try device.terminal(Self.exec + ["--reason", "have a look", "--"] + command)
    try run.wait(for: "have a look")
    try run.wait(for: "| /usr/bin/cat - 'a b' $'\\x1b[2J' 'it'\\''s'")
    let asking = run.programID
    try device.touch()
    try device.waitUntil(asking, runs: "cat")
    run.type("hello\n")
    try run.wait(for: "hello")
    try run.wait(for: "hello")
    #expect(try Files.text("/proc/\(asking)/cmdline") == command.map { "\($0)\0" }.joined())
    #expect(try run.end(SIGINT) == .signal(SIGINT))
    #expect(run.isRestored)
  }

  @Test(
    arguments: [
      (["--script", "miss,miss,miss"], 10), (["--script", "cancel"], 3),
      (["--script", "match,miss"], 65),
      (["--non-interactive"], 5), ([], 5), (["--script", "miss", "--timeout", "200ms"], 6),
    ] as [([String], Int32)]
  )
  func anythingButASuccessRunsNothing(_ more: [String], _ status: Int32) throws {
    let run = try device.authctl(Self.exec + more + device.marking)
    #expect(run.status == status, "\(run.errors)")
    #expect(!Files.exists(device.marker))
  }

  @Test func neitherAnUnknownPolicyNorAMissingDaemonRunsAnything() throws {
    let policy = try device.authctl(["exec", "--policy", "nothing"] + device.marking)
    #expect(policy.status == 78, "\(policy.errors)")
    let daemon = try Authctl.run(["--socket", "/dev/null/x", "exec"] + device.marking)
    #expect(daemon.status == 69, "\(daemon.errors)")
    let chosen = try Authctl.run(
      ["--home", device.daemon.home] + Self.exec + ["--script", "match"] + device.marking,
      environment: ["LOCALAUTH_DEVICE=sim"]
    )
    #expect(chosen.status == 77, "\(chosen.errors)")
    #expect(!Files.exists(device.marker))
    let allowed = try device.authctl(Self.exec + ["--script", "match"] + device.marking)
    #expect(allowed.status == 0 && allowed.errors.isEmpty, "\(allowed.errors)")
    #expect(Files.exists(device.marker))
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
  func whoIsEndedWhileSomebodyIsAskedRunsNothing(_ signal: Int32) throws {
    let run = try device.terminal(Self.exec + device.marking)
    try run.wait(for: "run a command")
    #expect(try run.end(signal) == .signal(signal))
    #expect(!Files.exists(device.marker))
  }

  @Test func aCommandThatAPromptCannotShowWholeIsRefused() throws {
    let long = String(repeating: "x", count: ActionLimit.bytes)
    let run = try device.authctl(Self.exec + ["--script", "match", "--", "/bin/true", long])
    #expect(run.status == 2 && run.errors.contains("longer than the 1024 bytes"), "\(run.errors)")
    let fits = String(repeating: "x", count: ActionLimit.bytes - "/bin/true ".count)
    let ok = try device.authctl(Self.exec + ["--script", "match", "--", "/bin/true", fits])
    #expect(ok.status == 0, "\(ok.errors)")
  }

  private enum ActionLimit {
    static let bytes = 1024
  }

  /// It changes no user, and hands on what it has, but no descriptor of its own or with a passcode.
  @Test func theCommandHasTheUserEnvironmentDirectoryAndDescriptorsOfItsCaller() throws {
    let (output, given, passcode) = (try Captured(), try Captured("kept"), try Captured("2468\n"))
    let script = "cd / && exec \"$@\""
    let command = ["/bin/sh", "-c", "id -u; pwd; echo $KEPT; cat <&3; echo; ls /proc/self/fd"]
    let program = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", script, "sh", Machine.authctl] + device.words
          + ["exec", "--policy", "passcode", "--passcode-fd", "4", "--"] + command,
        environment: Authctl.environment + ["KEPT=yes"],
        descriptors: [
          .null, .duplicate(of: output.descriptor), .duplicate(of: output.descriptor),
          .duplicate(of: given.descriptor), .duplicate(of: passcode.descriptor),
        ]
      )
    )
    #expect(try program.waitForExit() == .status(0), "\(output.text)")
    // ls has a descriptor of its own for the directory, which is the first that is free.
    #expect(output.text == "\(geteuid())\n/\nyes\nkept\n0\n1\n2\n3\n4\n", "\(output.text)")
    let listed = try device.authctl(
      Self.exec + ["--script", "match", "--", "/bin/sh", "-c", "readlink /proc/self/fd/*"]
    )
    #expect(!listed.output.contains("socket:") && !listed.output.contains("pipe:"))
  }
}
