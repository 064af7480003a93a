import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// People at real terminals.
@Suite struct TwoTerminalTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient
  private var words: [String] { ["--home", daemon.home, "--device", "sim"] }

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
  }

  /// Somebody is asked in a terminal; returns once the question is on the screen.
  private func ask(_ policy: String, _ more: [String] = []) throws -> TerminalProgram {
    let terminal = try TerminalProgram.authctl(
      words + ["evaluate", "--policy", policy, "--reason", "open the door"] + more
    )
    try terminal.wait(for: "open the door")
    return terminal
  }

  @Test func touchInOneTerminalAnswersThePromptInTheOther() throws {
    let asked = try ask("biometrics")
    let touching = try TerminalProgram.authctl(
      words + ["sensor", "touch", "right-index", "--wait"]
    )
    #expect(try touching.waitForExit() == .status(0), "\(touching.screen)")
    #expect(try asked.waitForExit() == .status(0), "\(asked.screen)")
    #expect(asked.isRestored && touching.isRestored)
  }

  @Test func touchMayBeThereBeforeThePrompt() throws {
    let touching = try TerminalProgram.authctl(
      words + ["sensor", "touch", "right-index", "--wait"]
    )
    let asked = try TerminalProgram.authctl(
      words + ["evaluate", "--policy", "biometrics", "--reason", "open the door"]
    )
    #expect(try asked.waitForExit() == .status(0), "\(asked.screen)")
    #expect(try touching.waitForExit() == .status(0), "\(touching.screen)")
  }

  @Test func missesAreShownUntilTheLock() throws {
    let asked = try ask("biometrics")
    for expected in ["match", "match"] {
      #expect(try Authctl.run(words + ["sensor", "touch", "left-thumb", "--wait"]).status != nil)
      try asked.wait(for: expected)
    }
    _ = try Authctl.run(words + ["sensor", "touch", "left-thumb", "--wait"])
    #expect(try asked.waitForExit() == .status(10), "\(asked.screen)")
    #expect(asked.isRestored)
  }

  @Test func passcodeIsTypedAndNotShown() throws {
    let asked = try ask("passcode")
    try asked.wait(for: "asscode")
    asked.type("1234\r")
    #expect(try asked.waitForExit() == .status(0), "\(asked.screen)")
    #expect(!asked.screen.contains("1234"))
    #expect(asked.isRestored)
  }

  @Test func promptNamesTheAudienceAndIsNotOnStandardOutput() throws {
    let printed = scratch.file("printed")
    let evaluate = [
      "evaluate", "--policy", "passcode", "--reason", "pay", "--action", "pay 10 to ann",
      "--assertion", "--audience", "https://pay.example", "--nonce", "n1",
    ]
    let script = #"out=$1; shift; exec "$0" "$@" > "$out""#
    let asked = try TerminalProgram(
      ["/bin/sh", "-c", script, Machine.authctl, printed] + words + evaluate
    )
    try asked.wait(for: "pay 10 to ann")
    try asked.wait(for: "To be shown to https://pay.example")
    try asked.wait(for: "asscode")
    asked.type("1234\r")
    #expect(try asked.waitForExit() == .status(0), "\(asked.screen)")
    // The signed success, and nothing else.
    #expect(try Files.text(printed).wholeMatch(of: /[\w-]+\.[\w-]+\.[\w-]+\n/) != nil)
  }

  @Test func wrongPasscodeMayBeTypedAgain() throws {
    let asked = try ask("passcode")
    try asked.wait(for: "asscode")
    asked.type("0000\r")
    try asked.wait(for: "wrong")
    // Keys pressed ahead of the question they answer are dropped.
    try asked.wait(for: "asscode:")
    asked.type("1234\r")
    #expect(try asked.waitForExit() == .status(0), "\(asked.screen)")
    #expect(!asked.screen.contains("1234") && !asked.screen.contains("0000"))
  }

  @Test(arguments: ["\u{1b}", "q", "\u{4}"]) func keyCancels(_ key: String) throws {
    let asked = try ask("biometrics")
    asked.type(key)
    #expect(try asked.waitForExit() == .status(3), "\(asked.screen)")
    #expect(asked.isRestored)
    #expect(try client.audit("sim").last?["outcome"]?.string == "userCancel")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func signalCancelsAndIsRaisedAgain(
    _ signal: Int32
  ) throws {
    let asked = try ask("passcode")
    if signal == SIGINT { asked.type("\u{3}") } else { asked.signal(signal) }
    #expect(try asked.waitForExit() == .signal(signal), "\(asked.screen)")
    #expect(asked.isRestored)
    // The daemon notices that the connection is gone.
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "success")
    let outcomes = try client.audit("sim").compactMap { $0["outcome"]?.string }
    #expect(outcomes.contains("appCancel") || outcomes.contains("userCancel"), "\(outcomes)")
  }

  @Test func daemonThatDiesLeavesTheTerminalAsItWas() throws {
    let asked = try ask("passcode")
    try daemon.crash()
    #expect(try asked.waitForExit() == .status(69), "\(asked.screen)")
    #expect(asked.isRestored)
  }

  @Test func deviceOfTheEnvironmentNeverSucceedsAtATerminal() throws {
    let asked = try TerminalProgram.authctl(
      ["evaluate", "--policy", "biometrics", "--reason", "open the door"],
      environment: ["LOCALAUTH_HOME=\(daemon.home)", "LOCALAUTH_DEVICE=sim"]
    )
    #expect(try asked.waitForExit() == .status(77), "\(asked.screen)")
  }
}
