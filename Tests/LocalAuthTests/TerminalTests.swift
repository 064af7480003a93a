import Glibc
import LocalAuth
import LocalAuthTestKit
import LocalAuthTestSupport
import Testing

/// A context that asks on the terminal, in a process of its own with a terminal of its own.
@Suite(.serialized, .timeLimit(.minutes(25)))
struct TerminalTests {
  @Test func passcodeIsTypedAndTheTerminalRestored() async throws {
    let terminal = try PseudoTerminal()
    let before = terminal.modes
    let typist = try terminal.answering([
      ("Passcode: ", "wrong\r"), ("passcode is wrong.", ""), ("Passcode: ", "hunter2\r"),
    ])
    await #expect(processExitsWith: .exitCode(0)) {
      [path = terminal.path as String] in
      let end = await TerminalChild.evaluate(.passcode, on: path)
      exit(end?.outcome.exit ?? 0)
    }
    let screen = typist.screen
    #expect(screen.contains("open the vault"))
    #expect(screen.contains("SIMULATED"))
    #expect(!screen.contains("hunter"))
    #expect(terminal.modes == before)
  }

  @Test func escapeIsUserCancel() async throws {
    let terminal = try PseudoTerminal()
    let before = terminal.modes
    let typist = try terminal.answering([("Touch the fingerprint sensor", "\u{1B}")])
    await #expect(processExitsWith: .exitCode(3)) {
      [path = terminal.path as String] in
      let end = await TerminalChild.evaluate(.biometrics, on: path)
      exit(end?.outcome.exit ?? 0)
    }
    _ = typist.screen
    #expect(terminal.modes == before)
  }

  @Test func fallbackIsChosenByKey() async throws {
    let terminal = try PseudoTerminal()
    let typist = try terminal.answering([
      ("f or Tab: Enter Passcode", "f"), ("Passcode: ", "hunter2\r"),
    ])
    await #expect(processExitsWith: .exitCode(0)) {
      [path = terminal.path as String] in
      let end = await TerminalChild.evaluate(.deviceOwner, on: path)
      exit(end?.outcome.exit ?? 0)
    }
    let screen = typist.screen
    #expect(screen.contains("Touch the fingerprint sensor (3 tries left)"))
  }

  @Test func interruptRestoresTheTerminalAndEndsTheProcess() async throws {
    let terminal = try PseudoTerminal()
    let before = terminal.modes
    let typist = try terminal.answering([("Touch the fingerprint sensor", "\u{3}")])
    await #expect(processExitsWith: .signal(SIGINT)) {
      [path = terminal.path as String] in
      _ = await TerminalChild.evaluate(.biometrics, on: path)
    }
    _ = typist.screen
    #expect(terminal.modes == before)
  }

  @Test func processWithoutTerminalAsksNobody() async {
    await #expect(processExitsWith: .exitCode(5)) {
      let end = await TerminalChild.evaluate(.biometrics, on: nil)
      exit(end?.outcome.exit ?? 0)
    }
  }
}

/// What runs in the process that has the terminal.
private enum TerminalChild {
  /// Evaluates with the default prompter, on the terminal at `path` or on none; nil is a success.
  static func evaluate(_ policy: PolicyName, on path: String?) async -> AuthError? {
    setsid()
    // A session's first terminal becomes its controlling one.
    // SAFETY: the string lives for the call.
    if let path { _ = unsafe open(path, O_RDWR) }
    guard let device = try? TestDevice(fingers: [.rightIndex], passcode: "hunter2") else {
      return .internalError("no device")
    }
    do throws(AuthError) {
      let context = AuthContext(device: device.device)
      try await context.evaluate(policy, reason: "open the vault")
      return nil
    } catch {
      return error
    }
  }
}
