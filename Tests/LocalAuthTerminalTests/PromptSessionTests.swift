import CLocalAuthLinux
import Glibc
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

extension OnePrompt {
  @Suite struct PromptSessionTests {
    private let style = PromptStyle(hasColor: false, movesCursor: true)
    private let question = PromptText(
      reason: "unlock",
      entry: PromptEntry(label: "Passcode", echo: .stars)
    )

    private func open(_ pty: borrowing PseudoTerminal) throws -> PromptSession {
      try PromptSession(terminal: Terminal(path: pty.path), style: style)
    }

    @Test func collectsAnAnswerAndRestoresTheTerminal() throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      var session = try open(pty)
      try session.ask(question)
      #expect(pty.screen().hasSuffix("\r\nPasscode: \u{1B}[J\u{1B}[?7h"))
      pty.type("12")
      #expect(try session.terminalIsReadable() == .nothing)
      #expect(pty.screen().hasSuffix("\rPasscode: **\u{1B}[J\u{1B}[?7h"))
      pty.type("34\rtyped too early")
      #expect(try session.terminalIsReadable() == .answered)
      #expect(text(of: session.takeAnswer()) == "1234")
      #expect(!isReadable(session.terminalDescriptor))
      session.end()
      #expect(pty.modes == before)
      #expect(pty.screen().hasSuffix("\r\u{1B}[2A\u{1B}[J"))
    }

    @Test func aNoteBeginsNoLineOfItsOwn() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      try session.ask(question)
      _ = pty.screen()
      try session.note(String(repeating: "x", count: 300) + " Asked by sudo")
      session.end()
      let lines = pty.screen().split(separator: "\r\n").map { $0.drop { $0 != "x" && $0 != " " } }
      let noted = lines.filter { $0.contains("xx") || $0.contains("sudo") }
      #expect(noted.count > 1 && noted.dropFirst().allSatisfy { $0.hasPrefix("  ") })
    }

    @Test func neverShowsWhatIsTyped() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      try session.ask(question)
      pty.type("hunter2")
      _ = try session.terminalIsReadable()
      session.end()
      #expect(!pty.screen().contains("hunter"))
    }

    @Test func showsTheAnswerOfAnOpenQuestion() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      try session.ask(PromptText(entry: PromptEntry(label: "User", echo: .text)))
      pty.type("alix\u{7F}ce")
      _ = try session.terminalIsReadable()
      #expect(pty.screen().hasSuffix("User: alice\u{1B}[J\u{1B}[?7h"))
      #expect(session.visibleAnswer() == "alice")
    }

    @Test func keepsWhatIsTypedWhileTheCountdownRuns() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      try session.ask(question)
      pty.type("12")
      _ = try session.terminalIsReadable()
      var later = question
      later.secondsLeft = 5
      try session.show(later)
      let screen = pty.screen()
      #expect(screen.contains("0:05 left\u{1B}[K"))
      #expect(screen.hasSuffix("\r\nPasscode: **\u{1B}[J\u{1B}[?7h"))
      pty.type("3\r")
      #expect(try session.terminalIsReadable() == .answered)
      #expect(text(of: session.takeAnswer()) == "123")
    }

    @Test func dropsWhatWasTypedBeforeAQuestionBegan() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      try session.ask(PromptText(reason: "unlock"))
      pty.type("12")
      try session.show(question)
      pty.type("34\r")
      #expect(try session.terminalIsReadable() == .answered)
      #expect(text(of: session.takeAnswer()) == "34")
    }

    @Test func cancelsOnEscOnlyAfterItsTime() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      try session.ask(question)
      #expect(session.timeoutMilliseconds == nil)
      pty.type("\u{1B}")
      #expect(try session.terminalIsReadable() == .nothing)
      #expect(session.timeoutMilliseconds == 50)
      #expect(try session.timeoutHasPassed() == .cancelled)
      pty.type("\u{1B}[A")
      #expect(try session.terminalIsReadable() == .nothing)
      #expect(session.timeoutMilliseconds == nil)
    }

    @Test func understandsTheKeysOfAPromptWithoutAQuestion() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      try session.ask(PromptText(reason: "unlock"))
      for (key, event) in [
        ("x", TerminalEvent.nothing), ("f", .fallback), ("\t", .fallback), ("q", .cancelled),
        ("\u{4}", .cancelled), ("\r", .nothing),
      ] {
        pty.type(key)
        #expect(try session.terminalIsReadable() == event)
      }
    }

    @Test func saysThatTheTerminalWentAway() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      hangUp(pty)
      #expect(throws: TerminalError.hungUp) { _ = try session.terminalIsReadable() }
      session.end()
    }

    @Test func refusesASecondSession() throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      var session = try open(pty)
      let other = try PseudoTerminal()
      #expect(throws: TerminalError.promptIsOpen) { _ = try open(other).timeoutMilliseconds }
      #expect(other.modes == before)
      session.end()
      _ = try open(other).timeoutMilliseconds
    }

    // MARK: Signals

    @Test func reportsADeadlySignalAndRestoresTheTerminal() throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      var session = try open(pty)
      try session.ask(question)
      la_signals_send(SIGTERM)
      #expect(isReadable(session.signalDescriptor))
      #expect(try session.signalIsPending() == .interrupted(.terminate))
      session.end()
      #expect(pty.modes == before)
    }

    @Test func drawsAnewAfterAStop() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      try session.ask(question)
      _ = pty.screen()
      la_signals_send(SIGCONT)
      #expect(try session.signalIsPending() == .nothing)
      #expect(pty.screen().contains("Passcode: "))
      #expect(pty.hasEcho == false)
    }

    @Test func drawsNothingUntilANewSizeHasLasted() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      try session.ask(question)
      _ = pty.screen()
      for _ in 0..<3 {
        la_signals_send(SIGWINCH)
        #expect(try session.signalIsPending() == .nothing)
        #expect(session.timeoutMilliseconds == PromptSession.settlingMilliseconds)
        try session.show(question)
        #expect(pty.screen() == "")
      }
      #expect(try session.timeoutHasPassed() == .nothing)
      #expect(pty.screen().contains("Passcode: "))
      #expect(session.timeoutMilliseconds == nil)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func endsByTheSignalWithTheTerminalRestored(number: Int32) async throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      await #expect(processExitsWith: .signal(number)) {
        [path = pty.path as String, number = number as Int32] in
        var session = try controllingSession(path)
        try session.ask(PromptText(reason: "unlock"))
        la_signals_send(number)
        guard case .interrupted(let signal) = try session.signalIsPending() else { exit(1) }
        session.reraise(signal)
      }
      #expect(pty.modes == before)
    }

    @Test func endsAtOnceWhenNobodyTakesTheFirstSignal() async throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      await #expect(processExitsWith: .signal(SIGINT)) { [path = pty.path as String] in
        var session = try controllingSession(path)
        try session.ask(PromptText(reason: "unlock"))
        la_signals_send(SIGINT)
        la_signals_send(SIGINT)
        session.end()
        exit(0)
      }
      #expect(pty.modes == before)
    }
  }
}
