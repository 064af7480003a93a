import Glibc
import LocalAuth
import LocalAuthTestKit
import LocalAuthTestSupport
import Testing

/// A context that asks on the terminal, in a process of its own with a terminal of its own.
@Suite(.serialized)
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
      ("f or Tab: use the passcode", "f"), ("Passcode: ", "hunter2\r"),
    ])
    await #expect(processExitsWith: .exitCode(0)) {
      [path = terminal.path as String] in
      let end = await TerminalChild.evaluate(.deviceOwner, on: path)
      exit(end?.outcome.exit ?? 0)
    }
    let screen = typist.screen
    #expect(screen.contains("Touch the fingerprint sensor (3 tries left)"))
  }

  @Test func promptSaysHowLongASuccessAnswersAgain() async throws {
    let terminal = try PseudoTerminal()
    let typist = try terminal.answering([("Not asked again for 5m", "\u{1B}")])
    await #expect(processExitsWith: .exitCode(3)) {
      [path = terminal.path as String] in
      let end = await TerminalChild.evaluate(.deviceOwner, on: path, maxAge: .seconds(300))
      exit(end?.outcome.exit ?? 0)
    }
    #expect(typist.screen.contains("Not asked again for 5m"))
  }

  @Test func promptOfAnItemSaysThatASecretIsOpened() async throws {
    let terminal = try PseudoTerminal()
    let typist = try terminal.answering([("Touch the fingerprint sensor", "\u{1B}")])
    await #expect(processExitsWith: .exitCode(3)) {
      [path = terminal.path as String] in
      exit(await TerminalChild.open("mail", on: path)?.outcome.exit ?? 0)
    }
    let screen = typist.screen
    #expect(screen.contains("open \"mail\"") && screen.contains("for a secret on"))
    #expect(!screen.contains("for policy"))
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
  static func evaluate(
    _ policy: PolicyName,
    on path: String?,
    maxAge: Duration? = nil
  ) async -> AuthError? {
    takeTerminal(path)
    guard let device = try? TestDevice(fingers: [.rightIndex], passcode: "hunter2") else {
      return .internalError("no device")
    }
    do throws(AuthError) {
      let context = AuthContext(device: device.device)
      try await context.evaluate(policy, reason: "open the vault", maxAge: maxAge)
      return nil
    } catch {
      return error
    }
  }

  /// Opens an item that asks for a finger, on the terminal at `path`; nil is a success.
  static func open(_ account: String, on path: String) async -> KeychainFailure? {
    takeTerminal(path)
    guard let device = try? TestDevice(fingers: [.rightIndex], passcode: "hunter2"),
      let accessControl = try? AccessControl(.whenUnlocked, flags: .biometryAny)
    else { return .service(.internalError("no device")) }
    do throws(KeychainFailure) {
      let keychain = Keychain(context: AuthContext(device: device.device))
      try await keychain.set("secret", for: account, accessControl: accessControl)
      _ = try await keychain.secret(for: account)
      return nil
    } catch {
      return error
    }
  }

  private static func takeTerminal(_ path: String?) {
    setsid()
    // A session's first terminal becomes its controlling one.
    // SAFETY: the string lives for the call.
    if let path { _ = unsafe Glibc.open(path, O_RDWR) }
  }
}
