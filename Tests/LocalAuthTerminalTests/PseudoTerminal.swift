import CLocalAuthLinux
import Glibc

/// A terminal without a screen: the tests hold the end where the user would sit.
struct PseudoTerminal: ~Copyable {
  struct Unavailable: Error {}

  /// Where the terminal's end is opened.
  let path: String
  let controller: Int32

  init() throws {
    var name = [CChar](repeating: 0, count: 128)
    // SAFETY: the buffer holds `count` bytes and lives for the call.
    controller = unsafe la_open_pty(&name, name.count)
    guard controller >= 0 else { throw Unavailable() }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    path = String(decoding: bytes, as: UTF8.self)
  }

  deinit {
    close(controller)
  }

  /// The modes now, as one can compare them: the flags, and what ends a read.
  var modes: [UInt32] {
    var modes = termios()
    // SAFETY: the structure lives for the call. The controlling end answers for the terminal's end.
    guard unsafe la_terminal_modes(controller, &modes) == 0 else { return [] }
    return [
      modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag, UInt32(modes.c_cc.5),
      UInt32(modes.c_cc.6),
    ]
  }

  var hasEcho: Bool { modes[3] & UInt32(ECHO) != 0 }

  /// Presses keys.
  func type(_ text: String) {
    var bytes = Array(text.utf8)
    // SAFETY: the buffer holds `count` bytes and lives for the call.
    _ = unsafe write(controller, &bytes, bytes.count)
  }

  /// Waits for each text on the screen and presses the keys that answer it.
  ///
  /// Keys pressed ahead of their question would be dropped. Returns what was on the screen.
  func answer(_ steps: [(awaited: String, keys: String)]) -> String {
    var all = ""
    for step in steps {
      var seen = ""
      while !seen.contains(step.awaited) {
        var entry = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
        // SAFETY: one entry, which lives for the call.
        guard unsafe poll(&entry, 1, 20_000) == 1 else { return all }
        seen += screen()
      }
      all += seen
      type(step.keys)
    }
    return all
  }

  /// What is on its way to the screen now.
  func screen() -> String {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while isReadable(controller) {
      // SAFETY: the buffer holds `count` bytes and lives for the call.
      let count = unsafe read(controller, &buffer, buffer.count)
      guard count > 0 else { break }
      output += buffer.prefix(count)
    }
    return String(decoding: output, as: UTF8.self)
  }
}

/// Whether a read would give something at once.
func isReadable(_ descriptor: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  // SAFETY: one entry, which lives for the call.
  return unsafe poll(&entry, 1, 0) == 1
}
