import CLocalAuthLinux
import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

extension OnePrompt {
  @Suite struct ScreenSessionTests {
    private func open(_ pty: borrowing PseudoTerminal) throws -> ScreenSession {
      try ScreenSession(terminal: Terminal(path: pty.path))
    }

    @Test func showsAScreenOfItsOwnAndGivesTheOtherBack() throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      var session = try open(pty)
      #expect(pty.screen() == ScreenPainter.entering)
      #expect(pty.hasEcho == false)
      try session.draw(["hello"])
      #expect(pty.screen() == "\u{1B}[1;1Hhello\u{1B}[K")
      session.end()
      #expect(pty.screen() == ScreenPainter.leaving)
      #expect(pty.modes == before)
    }

    @Test func aDroppedSessionGivesTheScreenBack() throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      do {
        let session = try open(pty)
        _ = session.size
      }
      #expect(pty.screen() == ScreenPainter.entering + ScreenPainter.leaving)
      #expect(pty.modes == before)
    }

    @Test func hasEightyColumnsWhereTheTerminalDoesNotSay() throws {
      let pty = try PseudoTerminal()
      let session = try open(pty)
      #expect(session.size == ScreenSize(columns: 80, rows: 24))
    }

    @Test func readsKeysAndALoneEscAfterItsTime() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      pty.type("1\u{1B}[Aq\u{1B}")
      #expect(try session.keys() == [.scalar("1"), .scalar("q")])
      #expect(session.isWaiting == true)
      #expect(session.escapeTimedOut() == .cancel)
      #expect(session.isWaiting == false)
    }

    @Test func aNewSizeAndAResumeHaveTheScreenDrawnWhole() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      for signal in [SIGWINCH, SIGCONT] {
        try session.draw(["hello"])
        _ = pty.screen()
        la_signals_send(signal)
        #expect(try session.signalIsPending() == .changed)
        try session.draw(["hello"])
        #expect(pty.screen().hasSuffix("\u{1B}[2J\u{1B}[1;1Hhello\u{1B}[K"))
        #expect(pty.hasEcho == false)
      }
    }

    @Test func saysThatTheTerminalWentAway() throws {
      let pty = try PseudoTerminal()
      var session = try open(pty)
      hangUp(pty)
      #expect(throws: TerminalError.hungUp) { _ = try session.keys() }
      session.end()
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func endsByTheSignalWithTheScreenGivenBack(number: Int32) async throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      await #expect(processExitsWith: .signal(number)) {
        [path = pty.path as String, number = number as Int32] in
        var session = try controllingScreen(path)
        la_signals_send(number)
        guard case .interrupted(let signal) = try session.signalIsPending() else { exit(1) }
        session.reraise(signal)
      }
      #expect(pty.modes == before)
      #expect(pty.screen().hasSuffix(ScreenPainter.leaving))
    }

    @Test func givesTheScreenBackWhenNobodyTakesTheFirstSignal() async throws {
      let pty = try PseudoTerminal()
      let before = pty.modes
      await #expect(processExitsWith: .signal(SIGTERM)) { [path = pty.path as String] in
        var session = try controllingScreen(path)
        la_signals_send(SIGTERM)
        la_signals_send(SIGTERM)
        session.end()
        exit(0)
      }
      #expect(pty.modes == before)
      #expect(pty.screen().hasSuffix(ScreenPainter.leaving))
    }
  }
}
