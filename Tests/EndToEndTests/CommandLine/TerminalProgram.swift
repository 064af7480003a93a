import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// A program in a session whose terminal is ours: we see its screen and press its keys.
final class TerminalProgram {
  /// What was on the screen so far.
  private(set) var screen = ""
  private let terminal: PseudoTerminal
  private let program: RunningProgram
  private let modesBefore: [UInt32]

  /// Runs `command`; `descriptors` are what it has from 3 on.
  init(
    _ command: [String],
    environment: [String] = [],
    descriptors: [SpawnRequest.Descriptor] = []
  ) throws {
    terminal = try PseudoTerminal()
    modesBefore = terminal.modes
    // The shell leads a session, so the terminal that it opens becomes the session's.
    program = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", #"exec <>"$0" >&0 2>&0; exec "$@""#, terminal.path] + command,
        environment: Authctl.environment + environment,
        descriptors: [.null, .null, .null] + descriptors
      )
    )
  }

  /// `authctl` in a terminal.
  static func authctl(_ words: [String], environment: [String] = []) throws -> TerminalProgram {
    try TerminalProgram([Machine.authctl] + words, environment: environment)
  }

  /// Waits until `text` is on the screen, behind what was awaited before.
  func wait(for text: String) throws { _ = try wait(forOneOf: [text]) }

  /// Waits until one of `texts` is on the screen, behind what was awaited before, and says which.
  func wait(forOneOf texts: [String]) throws -> String {
    let deadline = Deadline.after(.seconds(60))
    while true {
      for text in texts {
        guard let found = screen[awaited...].firstRange(of: text) else { continue }
        awaited = found.upperBound
        return text
      }
      guard program.isRunning || isReadable(terminal.controller), !deadline.hasPassed else {
        throw NotShown(text: texts.joined(separator: " or "), screen: screen)
      }
      screen += terminal.read(within: 50)
    }
  }

  /// Waits until each of `texts` is on the screen, in any order, behind what was awaited before.
  func wait(forAllOf texts: [String]) throws {
    let start = awaited
    var ends: [String.Index] = []
    for text in texts {
      awaited = start
      try wait(for: text)
      ends.append(awaited)
    }
    awaited = ends.max() ?? start
  }

  struct NotShown: Error {
    let text: String
    let screen: String
  }

  private var awaited = "".startIndex

  /// Gives the terminal another size.
  func resize(columns: Int, rows: Int) throws {
    let words = ["-F", terminal.path, "cols", "\(columns)", "rows", "\(rows)"]
    let report = try RunningProgram.run("/usr/bin/stty", words)
    #expect(report.status == 0, "\(report)")
  }

  /// Presses keys.
  func type(_ keys: String) { terminal.type(keys) }

  /// The program itself, which has taken its shell's place.
  var programID: Int32 { program.processID }

  func signal(_ number: Int32) { program.signal(number) }

  /// Sends a signal and waits for the end.
  func end(_ number: Int32) throws -> ChildProcess.Exit { try program.end(number) }

  /// Waits for the end; `screen` is complete then.
  func waitForExit() throws -> ChildProcess.Exit {
    let deadline = Deadline.after(.seconds(60))
    // What nobody reads would hold the program up.
    while program.isRunning, !deadline.hasPassed { screen += terminal.read(within: 50) }
    let exit = try program.waitForExit()
    screen += terminal.screen()
    return exit
  }

  /// Whether the terminal is as it was before.
  var isRestored: Bool { terminal.modes == modesBefore }
}
