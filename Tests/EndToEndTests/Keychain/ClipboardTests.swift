import Glibc
import LocalAuthUnix
import Testing

/// A clipboard that holds a file, in the place of a Wayland session.
struct FakeClipboard {
  let scratch: Scratch
  private var content: String { scratch.file("clipboard") }
  private var log: String { scratch.file("log") }

  /// `isDead` makes programs that reach no session.
  init(_ scratch: Scratch, isDead: Bool = false) throws {
    self.scratch = scratch
    let folder = try scratch.makeDirectory("bin")
    let copy = """
      #!/bin/sh
      printf '%s\\n' "$*" >> \(scratch.file("log"))
      tr '\\0' ' ' < /proc/$$/environ >> \(scratch.file("log"))
      [ "$1" = --clear ] && { : > \(scratch.file("cleared")); rm -f \(scratch.file("clipboard")); exit; }
      cat > \(scratch.file("clipboard")); echo $$ > \(scratch.file("pid")); exec tail -f /dev/null

      """
    try scratch.write(isDead ? "#!/bin/sh\nexit 1\n" : copy, to: "bin/wl-copy", mode: 0o700)
    let paste = "#!/bin/sh\ncat \(scratch.file("clipboard"))\n"
    try scratch.write(paste, to: "bin/wl-paste", mode: 0o700)
    environment = ["PATH=\(folder):/usr/bin:/bin", "WAYLAND_DISPLAY=test"]
  }

  let environment: [String]

  var text: String { (try? Files.text(content)) ?? "" }
  /// What the program was called with: arguments and environment.
  var calls: String { (try? Files.text(log)) ?? "" }
  var isCleared: Bool { Files.exists(scratch.file("cleared")) }

  /// Another program takes the clipboard over.
  func replace(with text: String) throws {
    let owner = try #require(Int32(try Files.text(scratch.file("pid")).dropLast()))
    try scratch.write(text, to: "clipboard")
    _ = kill(owner, SIGKILL)
  }
}

/// Secrets on the clipboard.
@Suite struct ClipboardTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim")
    let run = try Authctl.run(words + ["add", "mail/me", "--stdin"], input: "hunter2")
    #expect(run.status == 0, "\(run.errors)")
  }

  private var words: [String] { ["--home", daemon.home, "--device", "sim", "keychain"] }

  private func run(
    _ more: String...,
    environment: [String]
  ) throws -> RunningProgram.Report {
    try RunningProgram.run(
      Machine.authctl,
      words + more,
      environment: environment + ["HOME=/dev/null", "TERM=xterm"],
      input: ""
    )
  }

  /// Waits until the clipboard is as it should be, for half a minute at most.
  private func wait(until isSo: () -> Bool) throws {
    let deadline = Deadline.after(.seconds(30))
    while !isSo(), !deadline.hasPassed {
      _ = try Poll.wait(for: -1, until: .after(.milliseconds(20)))
    }
    #expect(isSo())
  }

  @Test func secretIsOnTheClipboardAndNowhereElse() throws {
    let clipboard = try FakeClipboard(scratch)
    let got = try run("get", "mail", "--clipboard", environment: clipboard.environment)
    #expect(got.status == 0 && got.output.isEmpty, "\(got.errors)")
    #expect(got.errors.contains("On the clipboard, which is cleared after 45s."))
    try wait { clipboard.text == "hunter2" }
    #expect(!clipboard.calls.isEmpty && !clipboard.calls.contains("hunter2"))
    #expect(!clipboard.isCleared)
    try clipboard.replace(with: "")
  }

  @Test func clipboardIsClearedAfterAWhile() throws {
    let clipboard = try FakeClipboard(scratch)
    let got = try run(
      "get",
      "mail",
      "--clipboard",
      "--clear-after",
      "1s",
      environment: clipboard.environment
    )
    #expect(got.status == 0, "\(got.errors)")
    try wait { clipboard.isCleared && clipboard.text.isEmpty }
  }

  /// What was copied meanwhile is somebody's work.
  @Test func whatWasCopiedMeanwhileStays() throws {
    let clipboard = try FakeClipboard(scratch)
    _ = try run(
      "get",
      "mail",
      "--clipboard",
      "--clear-after",
      "1s",
      environment: clipboard.environment
    )
    try wait { clipboard.text == "hunter2" }
    try clipboard.replace(with: "other")
    _ = try Poll.wait(for: -1, until: .after(.seconds(2)))
    #expect(clipboard.text == "other" && !clipboard.isCleared)
  }

  /// A program with a history takes over what is copied, and has the secret then.
  @Test func secretThatAnotherProgramTookOverIsCleared() throws {
    let clipboard = try FakeClipboard(scratch)
    _ = try run(
      "get",
      "mail",
      "--clipboard",
      "--clear-after",
      "1s",
      environment: clipboard.environment
    )
    try wait { clipboard.text == "hunter2" }
    try clipboard.replace(with: "hunter2")
    try wait { clipboard.isCleared }
  }

  @Test func generatedSecretsAndCodesGoThereToo() throws {
    let clipboard = try FakeClipboard(scratch)
    let made = try run("generate", "web", "--clipboard", environment: clipboard.environment)
    #expect(made.status == 0 && made.output.isEmpty, "\(made.errors)")
    try wait { clipboard.text.utf8.count == 24 }
    #expect(try run("get", "web", environment: []).output == clipboard.text)
    try clipboard.replace(with: "")
  }

  @Test func withoutAClipboardNothingIsAskedOrPrinted() throws {
    for (environment, said) in [
      (["PATH=/usr/bin:/bin"], "There is no session with a clipboard"),
      (["PATH=/nonexistent", "WAYLAND_DISPLAY=x"], "apt install wl-clipboard"),
      (["PATH=/nonexistent", "DISPLAY=:9"], "apt install xclip"),
    ] {
      let got = try run("get", "mail", "--clipboard", environment: environment)
      #expect(got.status == 78 && got.output.isEmpty)
      #expect(got.errors.contains(said), "\(got.errors)")
    }
    let dead = try FakeClipboard(scratch, isDead: true)
    let got = try run("get", "mail", "--clipboard", environment: dead.environment)
    #expect(got.status == 78 && got.output.isEmpty && !got.errors.contains("hunter2"))
    let both = try run("get", "mail", "--clipboard", "--osc52", environment: dead.environment)
    #expect(both.status == 2)
    let never = try run("get", "mail", "--clear-after", "0", environment: dead.environment)
    #expect(never.status == 2)
  }

  @Test func terminalGetsItOnlyWhereAsked() throws {
    let asked = try TerminalProgram.authctl(words + ["get", "mail", "--osc52"])
    #expect(try asked.waitForExit() == .status(0))
    #expect(asked.screen.contains("\u{1B}]52;c;aHVudGVyMg==\u{07}"))
    #expect(!asked.screen.contains("hunter2"))
    let not = try TerminalProgram.authctl(words + ["get", "mail"])
    #expect(try not.waitForExit() == .status(0))
    #expect(not.screen.contains("hunter2") && !not.screen.contains("]52;"))
  }
}
