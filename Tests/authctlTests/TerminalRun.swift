import CLocalAuthLinux
import Glibc
import LocalAuthUnix
import Testing

/// The program in a session whose terminal the test holds the other end of.
struct TerminalRun: ~Copyable {
  private let controller: Int32
  private var child: ChildProcess
  private let oldModes: [UInt32]

  init(_ words: [String]) throws {
    var name = [CChar](repeating: 0, count: 128)
    // SAFETY: the buffer holds `count` bytes and lives for the call.
    let controller = unsafe la_open_pty(&name, name.count)
    try #require(controller >= 0)
    let path = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    let directory = try #require(ThisProgram.directory)
    // The shell leads the session, so the terminal that it opens becomes the session's.
    child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", #"exec <>"$0" >&0 2>&0; exec "$@""#, path, directory + "/authctl"]
          + words,
        environment: ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "TERM=xterm", "NO_COLOR=1"]
      )
    )
    self.controller = controller
    oldModes = Self.modes(of: controller)
  }

  deinit { close(controller) }

  /// Whether the terminal's modes are what they were before.
  var hasOldModes: Bool { Self.modes(of: controller) == oldModes }

  /// Answers each awaited text with its keys, and waits for the end; everything that was shown.
  mutating func answer(
    _ steps: [(awaited: String, keys: String)]
  ) throws -> (exit: ChildProcess.Exit, screen: String) {
    var all = ""
    for step in steps {
      var seen = ""
      while !seen.contains(step.awaited) {
        let more = read(within: 20_000)
        try #require(!more.isEmpty, "'\(step.awaited)' was never shown: \(all)\(seen)")
        seen += more
      }
      all += seen
      type(step.keys)
    }
    while isRunning {
      all += read(within: 50)
    }
    let exit = try child.waitForExit()
    return (exit, all + read(within: 0))
  }

  private var isRunning: Bool {
    var entry = pollfd(fd: child.pidfd, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, which lives for the call.
    return unsafe poll(&entry, 1, 0) == 0
  }

  private func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    // SAFETY: the array is valid for the call.
    _ = unsafe write(controller, bytes, bytes.count)
  }

  /// What is shown next; empty when nothing is within so many milliseconds.
  private func read(within milliseconds: Int32) -> String {
    var entry = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, which lives for the call.
    guard unsafe poll(&entry, 1, milliseconds) == 1 else { return "" }
    var buffer = [UInt8](repeating: 0, count: 8192)
    // SAFETY: the buffer holds `count` bytes and lives for the call.
    let count = unsafe Glibc.read(controller, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }

  private static func modes(of descriptor: Int32) -> [UInt32] {
    var modes = termios()
    // SAFETY: the structure lives for the call.
    guard unsafe la_terminal_modes(descriptor, &modes) == 0 else { return [] }
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }
}
