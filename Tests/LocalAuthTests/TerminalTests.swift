import CLocalAuthLinux
import Glibc
import LocalAuth
import LocalAuthTestKit
import Testing

/// A context that asks on the terminal, in a process of its own with a terminal of its own.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct TerminalTests {
  @Test func passcodeIsTypedAndTheTerminalRestored() async throws {
    let terminal = try TypedTerminal()
    let before = terminal.flags
    async let result = #expect(processExitsWith: .exitCode(0)) {
      [path = terminal.path as String] in
      let end = await TerminalChild.evaluate(.passcode, on: path)
      exit(end?.outcome.exit ?? 0)
    }
    let screen = terminal.answer([
      ("Passcode: ", "wrong\r"), ("passcode is wrong.", ""), ("Passcode: ", "hunter2\r"),
    ])
    _ = await result
    #expect(screen.contains("open the vault"))
    #expect(screen.contains("SIMULATED"))
    #expect(!screen.contains("hunter"))
    #expect(terminal.flags == before)
  }

  @Test func escapeIsUserCancel() async throws {
    let terminal = try TypedTerminal()
    let before = terminal.flags
    async let result = #expect(processExitsWith: .exitCode(3)) {
      [path = terminal.path as String] in
      let end = await TerminalChild.evaluate(.biometrics, on: path)
      exit(end?.outcome.exit ?? 0)
    }
    _ = terminal.answer([("Touch the fingerprint sensor", "\u{1B}")])
    _ = await result
    #expect(terminal.flags == before)
  }

  @Test func fallbackIsChosenByKey() async throws {
    let terminal = try TypedTerminal()
    async let result = #expect(processExitsWith: .exitCode(0)) {
      [path = terminal.path as String] in
      let end = await TerminalChild.evaluate(.deviceOwner, on: path)
      exit(end?.outcome.exit ?? 0)
    }
    let screen = terminal.answer([
      ("f or Tab: Enter Passcode", "f"), ("Passcode: ", "hunter2\r"),
    ])
    _ = await result
    #expect(screen.contains("Touch the fingerprint sensor (3 tries left)"))
  }

  @Test func interruptRestoresTheTerminalAndEndsTheProcess() async throws {
    let terminal = try TypedTerminal()
    let before = terminal.flags
    async let result = #expect(processExitsWith: .signal(SIGINT)) {
      [path = terminal.path as String] in
      _ = await TerminalChild.evaluate(.biometrics, on: path)
    }
    _ = terminal.answer([("Touch the fingerprint sensor", "\u{3}")])
    _ = await result
    #expect(terminal.flags == before)
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

/// A terminal whose keys a test presses.
private struct TypedTerminal: ~Copyable {
  struct Unavailable: Error {}

  /// Where the terminal's end is opened.
  let path: String
  private let controller: Int32
  /// Keeps the terminal's modes while nobody else has it open.
  private let kept: Int32

  init() throws {
    var name = [CChar](repeating: 0, count: 128)
    // SAFETY: the buffer holds `count` bytes and lives for the call.
    controller = unsafe la_open_pty(&name, name.count)
    guard controller >= 0 else { throw Unavailable() }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    path = String(decoding: bytes, as: UTF8.self)
    // SAFETY: the string lives for the call.
    kept = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  deinit {
    close(kept)
    close(controller)
  }

  var flags: [UInt32] {
    var modes = termios()
    // SAFETY: the structure lives for the call.
    unsafe tcgetattr(controller, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_lflag]
  }

  /// Waits for each text on the screen, after the one before it, and presses the keys that answer
  /// it; returns what was there.
  func answer(_ steps: [(awaited: String, keys: String)]) -> String {
    var seen = ""
    var unmatched = ""
    for (awaited, keys) in steps {
      while !unmatched.contains(awaited) {
        var entry = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        // SAFETY: one entry, which lives for the call.
        guard unsafe poll(&entry, 1, 20_000) == 1 else { return seen }
        var buffer = [UInt8](repeating: 0, count: 4096)
        // SAFETY: the buffer holds `count` bytes and lives for the call.
        let count = unsafe read(controller, &buffer, buffer.count)
        guard count > 0 else { return seen }
        let text = String(decoding: buffer.prefix(count), as: UTF8.self)
        seen += text
        unmatched += text
      }
      guard let match = unmatched.firstRange(of: awaited) else { return seen }
      unmatched = String(unmatched[match.upperBound...])
      var bytes = Array(keys.utf8)
      // SAFETY: the buffer holds `count` bytes and lives for the call.
      _ = unsafe write(controller, &bytes, bytes.count)
    }
    return seen
  }
}
