import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

@Suite struct TerminalTests {
  @Test func turnsEchoOffAndRestoresEveryMode() throws {
    let pty = try PseudoTerminal()
    let before = pty.modes
    var terminal = try Terminal(path: pty.path)
    #expect(pty.modes == before)
    try terminal.enterRawMode()
    #expect(pty.hasEcho == false)
    #expect(pty.modes[3] & UInt32(ISIG) != 0)
    terminal.leaveRawMode()
    #expect(pty.modes == before)
  }

  @Test func restoresWhenItGoes() throws {
    let pty = try PseudoTerminal()
    let before = pty.modes
    do {
      var terminal = try Terminal(path: pty.path)
      try terminal.enterRawMode()
      #expect(pty.modes != before)
    }
    #expect(pty.modes == before)
  }

  @Test func restoresWhenAnErrorEndsItsLife() throws {
    struct Failure: Error {}
    let pty = try PseudoTerminal()
    let before = pty.modes
    func fail(_ path: String) throws {
      var terminal = try Terminal(path: path)
      try terminal.enterRawMode()
      throw Failure()
    }
    #expect(throws: Failure.self) { try fail(pty.path) }
    #expect(pty.modes == before)
  }

  @Test func keepsTheModesItFoundAcrossSeveralTurns() throws {
    let pty = try PseudoTerminal()
    let before = pty.modes
    var terminal = try Terminal(path: pty.path)
    try terminal.enterRawMode()
    try terminal.enterRawMode()
    terminal.leaveRawMode()
    try terminal.enterRawMode()
    terminal.leaveRawMode()
    #expect(pty.modes == before)
  }

  @Test func dropsWhatWasTypedAhead() throws {
    let pty = try PseudoTerminal()
    var terminal = try Terminal(path: pty.path)
    pty.type("1234\n")
    try terminal.enterRawMode()
    #expect(!isReadable(terminal.fileDescriptor))
    pty.type("5")
    var typed: [UInt8] = []
    try terminal.read { byte in
      typed.append(byte)
      return true
    }
    #expect(typed == Array("5".utf8))
  }

  @Test func leavesNothingTypedForTheShell() throws {
    let pty = try PseudoTerminal()
    var terminal = try Terminal(path: pty.path)
    try terminal.enterRawMode()
    pty.type("1234\n")
    #expect(isReadable(terminal.fileDescriptor))
    terminal.leaveRawMode()
    #expect(!isReadable(terminal.fileDescriptor))
  }

  @Test func dropsTheRestOfWhatItReadWhenToldToStop() throws {
    let pty = try PseudoTerminal()
    var terminal = try Terminal(path: pty.path)
    try terminal.enterRawMode()
    pty.type("ab")
    var typed: [UInt8] = []
    try terminal.read { byte in
      typed.append(byte)
      return false
    }
    #expect(typed == Array("a".utf8))
    #expect(!isReadable(terminal.fileDescriptor))
  }

  @Test func noticesThatTheTerminalWentAway() throws {
    let pty = try PseudoTerminal()
    var terminal = try Terminal(path: pty.path)
    try terminal.enterRawMode()
    hangUp(pty)
    #expect(throws: TerminalError.hungUp) { try terminal.read { _ in true } }
    #expect(throws: TerminalError.hungUp) { try terminal.write("x") }
    terminal.leaveRawMode()
  }

  @Test(arguments: ["/dev/null", "/nonexistent", "/etc/passwd"])
  func refusesWhatIsNoTerminal(path: String) {
    #expect(throws: TerminalError.noTerminal) { _ = try Terminal(path: path).columns }
  }

  @Test func takesEightyColumnsWhereTheTerminalDoesNotSay() throws {
    let pty = try PseudoTerminal()
    let terminal = try Terminal(path: pty.path)
    #expect(terminal.columns == 80)
    var size = winsize(ws_row: 30, ws_col: 132, ws_xpixel: 0, ws_ypixel: 0)
    // SAFETY: the structure lives for the call.
    #expect(unsafe ioctl(pty.controller, UInt(TIOCSWINSZ), &size) == 0)
    #expect(terminal.columns == 132)
  }

  /// Closes the user's end; the value's own end of life closes nothing more.
  private func hangUp(_ pty: consuming PseudoTerminal) {
    _ = consume pty
  }
}
