import CLocalAuthLinux
import Glibc
import LocalAuthUnix
import Testing

/// A program in a session whose terminal is ours: we see its screen and press its keys.
final class TerminalProgram {
  /// What was on the screen so far.
  private(set) var screen = ""
  private let controller: Int32
  private let program: RunningProgram
  private let modesBefore: [UInt32]

  init(_ command: [String], environment: [String] = []) throws {
    var name = [CChar](repeating: 0, count: 128)
    // SAFETY: the buffer holds `count` bytes and lives for the call.
    controller = unsafe la_open_pty(&name, name.count)
    try #require(controller >= 0)
    let path = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    modesBefore = Self.modes(of: controller)
    // The shell leads a session, so the terminal that it opens becomes the session's.
    program = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", #"exec <>"$0" >&0 2>&0; exec "$@""#, path] + command,
        environment: Authctl.environment + environment
      )
    )
  }

  deinit { close(controller) }

  /// `authctl` in a terminal.
  static func authctl(_ words: [String], environment: [String] = []) throws -> TerminalProgram {
    try TerminalProgram([Machine.authctl] + words, environment: environment)
  }

  /// Waits until `text` is on the screen, behind what was awaited before.
  func wait(for text: String) throws {
    let deadline = Deadline.after(.seconds(60))
    var start = awaited
    while true {
      if let found = screen[start...].firstRange(of: text) {
        awaited = found.upperBound
        return
      }
      start = awaited
      guard try Poll.wait(for: controller, until: deadline), read() else {
        throw NotShown(text: text, screen: screen)
      }
    }
  }

  struct NotShown: Error {
    let text: String
    let screen: String
  }

  private var awaited = "".startIndex

  /// Presses keys.
  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    // SAFETY: the array is valid for the call.
    _ = unsafe write(controller, bytes, bytes.count)
  }

  func signal(_ number: Int32) { program.signal(number) }

  /// Waits for the end; `screen` is complete then.
  func waitForExit() throws -> ChildProcess.Exit {
    // A terminal whose last user has gone reads as an error, so this ends.
    while try Poll.wait(for: controller, until: .after(.seconds(60))), read() {}
    return try program.waitForExit()
  }

  /// Whether the terminal is as it was before.
  var isRestored: Bool { Self.modes(of: controller) == modesBefore }

  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 8192)
    // SAFETY: the buffer holds `count` bytes and lives for the call.
    let count = unsafe Glibc.read(controller, &buffer, buffer.count)
    guard count > 0 else { return false }
    screen += String(decoding: buffer.prefix(count), as: UTF8.self)
    return true
  }

  private static func modes(of descriptor: Int32) -> [UInt32] {
    var modes = termios()
    // SAFETY: the structure lives for the call.
    guard unsafe la_terminal_modes(descriptor, &modes) == 0 else { return [] }
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }
}
