import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// The program in a session whose terminal the test holds the other end of.
struct TerminalRun: ~Copyable {
  private let terminal: PseudoTerminal
  private var child: ChildProcess
  private let oldModes: [UInt32]

  /// Starts the program; its terminal does not say how wide it is unless `columns` are given.
  init(_ words: [String], columns: Int = 0) throws {
    let terminal = try PseudoTerminal()
    let modes = terminal.modes
    let directory = try #require(ThisProgram.directory)
    // The shell leads the session, so the terminal that it opens becomes the session's.
    child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: [
          "-c", #"exec <>"$0" >&0 2>&0; stty cols "$1"; shift; exec "$@""#, terminal.path,
          "\(columns)", directory + "/authctl",
        ] + words,
        environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "TERM=xterm", "NO_COLOR=1"]
      )
    )
    oldModes = modes
    self.terminal = terminal
  }

  /// Whether the terminal's modes are what they were before.
  var hasOldModes: Bool { terminal.modes == oldModes }

  /// Answers each awaited text with its keys, and waits for the end; everything that was shown.
  mutating func answer(
    _ steps: [(awaited: String, keys: String)]
  ) throws -> (exit: ChildProcess.Exit, screen: String) {
    var all = ""
    for step in steps {
      var seen = ""
      while !seen.contains(step.awaited) {
        let more = terminal.read(within: 20_000)
        try #require(!more.isEmpty, "'\(step.awaited)' was never shown: \(all)\(seen)")
        seen += more
      }
      all += seen
      terminal.type(step.keys)
    }
    while isRunning {
      all += terminal.read(within: 50)
    }
    let exit = try child.waitForExit()
    return (exit, all + terminal.screen())
  }

  private var isRunning: Bool { !isReadable(child.pidfd) }
}
