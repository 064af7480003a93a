import LocalAuthJSON
import LocalAuthUnix

/// A daemon with a device, an agent in a terminal, and services that have none.
final class AgentSession {
  let scratch = Scratch()
  let daemon: DaemonProcess
  let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
  }

  /// `authctl agent` in a terminal of its own; returns once it is registered.
  func agent(_ more: [String] = []) throws -> TerminalProgram {
    let terminal = try TerminalProgram.authctl(["--home", daemon.home, "agent"] + more)
    try terminal.wait(for: "Waiting for programs")
    return terminal
  }

  /// `authctl evaluate` as a service runs it: in a session of its own without a terminal.
  func service(
    _ policy: String = "passcode",
    reason: String = "nightly backup",
    _ more: [String] = []
  ) throws -> Service {
    try Service(
      ["--home", daemon.home, "--device", "sim", "evaluate", "--policy", policy]
        + ["--reason", reason] + more
    )
  }

  /// A program without a terminal, and what it says.
  final class Service {
    let program: RunningProgram
    private let output: Captured
    private let errors: Captured

    init(_ words: [String], environment: [String] = []) throws {
      output = try Captured()
      errors = try Captured()
      // Whatever a test starts leads a session of its own, which has no terminal.
      program = try RunningProgram(
        SpawnRequest(
          executable: Machine.authctl,
          arguments: words,
          environment: Authctl.environment + environment,
          descriptors: [
            .null, .duplicate(of: output.descriptor), .duplicate(of: errors.descriptor),
          ]
        )
      )
    }

    /// The exit status, or nil after a signal.
    func status() throws -> Int32? {
      if case .status(let status) = try program.waitForExit() { return status }
      return nil
    }

    var text: String { output.text + errors.text }
  }
}
