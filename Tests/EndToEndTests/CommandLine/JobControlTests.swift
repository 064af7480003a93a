import LocalAuthUnix
import Testing

/// A prompt that is stopped and goes on, in a shell with job control.
@Suite(.enabled(if: Files.exists("/bin/bash"), "needs bash")) struct JobControlTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim", passcode: "2468")
  }

  private func stoppedPrompt() throws -> TerminalProgram {
    let shell = try TerminalProgram(
      ["/bin/bash", "--norc", "--noprofile", "-i"],
      environment: ["LOCALAUTH_HOME=\(daemon.home)"]
    )
    shell.type("\(Machine.authctl) --device sim evaluate --policy passcode --reason test\n")
    try shell.wait(for: "Passcode: ")
    shell.type("\u{1A}")
    try shell.wait(for: "Stopped")
    return shell
  }

  @Test func aStoppedPromptIsEndedByASignal() throws {
    let shell = try stoppedPrompt()
    // wait(1) would return at once for a job that is stopped still.
    shell.type("kill %1; while kill -0 %1 2>/dev/null; do sleep 0.05; done; echo en''ded\n")
    try shell.wait(for: "Terminated")
    try shell.wait(for: "ended")
    shell.type("exit\n")
    _ = try shell.waitForExit()
  }

  @Test func aStoppedPanelGivesTheScreenBackAndGoesOnInTheForeground() throws {
    let shell = try TerminalProgram(
      ["/bin/bash", "--norc", "--noprofile", "-i"],
      environment: ["LOCALAUTH_HOME=\(daemon.home)"]
    )
    shell.type("\(Machine.authctl) --device sim panel\n")
    try shell.wait(for: "Asked     nothing")
    shell.type("\u{1A}")
    try shell.wait(for: "\u{1B}[?1049l")
    try shell.wait(for: "Stopped")
    shell.type("fg\n")
    try shell.wait(for: "\u{1B}[?1049h")
    try shell.wait(for: "Asked     nothing")
    shell.type("q")
    try shell.wait(for: "The panel ended.")
    shell.type("exit\n")
    _ = try shell.waitForExit()
  }

  @Test func aStoppedPromptGoesOnInTheForeground() throws {
    let shell = try stoppedPrompt()
    shell.type("fg\n")
    try shell.wait(for: "Passcode: ")
    shell.type("2468\r")
    try shell.wait(for: "success")
    shell.type("exit\n")
    _ = try shell.waitForExit()
  }

  @Test func aPromptThatBeganInTheBackgroundIsDrawnOnce() throws {
    let shell = try TerminalProgram(
      ["/bin/bash", "--norc", "--noprofile", "-i"],
      environment: ["LOCALAUTH_HOME=\(daemon.home)"]
    )
    // The shell shows what it brings to the front, so the reason must not be in the job's words.
    shell.type(
      "ask() { \(Machine.authctl) --device sim evaluate --policy passcode --reason open-sesame; }\n"
    )
    shell.type("ask & while [ -z \"$(jobs -s)\" ]; do sleep 0.05; done; echo sto''pped\n")
    try shell.wait(for: "stopped")
    shell.type("fg; echo en''ded\n")
    try shell.wait(for: "Passcode: ")
    shell.type("2468\r")
    try shell.wait(for: "ended")
    let shown = shell.screen.split(separator: "stopped", maxSplits: 1).last ?? ""
    #expect(shown.ranges(of: "open-sesame").count == 1, "\(shown)")
    shell.type("exit\n")
    _ = try shell.waitForExit()
  }
}
