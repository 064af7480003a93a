import CLocalAuthLinux
import Glibc
import LocalAuthUnix
import Synchronization

/// A terminal without a screen: the test sits where the user would.
public struct PseudoTerminal: ~Copyable, Sendable {
  /// The machine has no terminal to give.
  public struct Unavailable: Error {
    /// The one there is.
    public init() {}
  }

  /// Where the program's end is opened.
  public let path: String
  /// The user's end.
  public let controller: Int32
  /// Held open too: a terminal that nobody has open forgets its modes, and would seem restored.
  private let kept: Int32

  /// Opens a terminal that nobody uses yet.
  public init() throws {
    var name = [CChar](repeating: 0, count: 128)
    // SAFETY: the buffer holds `count` bytes and lives for the call.
    let controller = unsafe la_open_pty(&name, name.count)
    guard controller >= 0 else { throw Unavailable() }
    self.controller = controller
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    path = String(decoding: bytes, as: UTF8.self)
    // SAFETY: the string lives for the call.
    kept = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
  }

  deinit {
    close(kept)
    close(controller)
  }

  /// The modes now, as one can compare them: the flags, and what ends a read.
  public var modes: [UInt32] {
    var modes = termios()
    // SAFETY: the structure lives for the call. The controlling end answers for the terminal's end.
    guard unsafe la_terminal_modes(controller, &modes) == 0 else { return [] }
    return [
      modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag, UInt32(modes.c_cc.5),
      UInt32(modes.c_cc.6),
    ]
  }

  /// Whether what is typed is shown.
  public var hasEcho: Bool { modes[3] & UInt32(ECHO) != 0 }

  /// Presses keys.
  public func type(_ text: String) {
    Self.type(text, on: controller)
  }

  /// What is on its way to the screen now.
  public func screen() -> String {
    var output = ""
    while isReadable(controller) { output += read(within: 0) }
    return output
  }

  /// What is shown next: empty when nothing is within so many milliseconds.
  public func read(within milliseconds: Int32) -> String {
    Self.read(controller, within: milliseconds)
  }

  /// Waits for each text on the screen, behind the one before it, and presses the keys that answer
  /// it.
  ///
  /// Keys pressed ahead of their question would be dropped. A thread of its own does this, because a
  /// test that waits for a process occupies a thread of Swift's pool, and two such tests leave none
  /// to type on a machine with two processors. The terminal must outlive the typist.
  public func answering(_ steps: [(awaited: String, keys: String)]) throws -> Typist {
    try Typist(controller, steps)
  }

  /// Somebody who reads the screen and types; `screen` waits until the last keys are pressed.
  public final class Typist: Sendable {
    private let seen = Mutex("")
    private let thread = Mutex<SystemThread?>(nil)

    fileprivate init(_ controller: Int32, _ steps: [(awaited: String, keys: String)]) throws {
      let started = try SystemThread(name: "typist") { [self] in
        var unmatched = ""
        for step in steps {
          guard wait(for: step.awaited, in: &unmatched, on: controller) else {
            // Whoever asks something else must not be waited for: Ctrl-C.
            return PseudoTerminal.type("\u{3}", on: controller)
          }
          PseudoTerminal.type(step.keys, on: controller)
        }
      }
      thread.withLock { $0 = started }
    }

    /// What was on the screen until the last answer, or until a question did not come.
    public var screen: String {
      thread.withLock { $0 }?.join()
      return seen.withLock { $0 }
    }

    private func wait(
      for awaited: String,
      in unmatched: inout String,
      on controller: Int32
    ) -> Bool {
      while true {
        if let match = unmatched.firstRange(of: awaited) {
          unmatched = String(unmatched[match.upperBound...])
          return true
        }
        let text = PseudoTerminal.read(controller, within: 60_000)
        guard !text.isEmpty else { return false }
        unmatched += text
        seen.withLock { $0 += text }
      }
    }
  }

  private static func type(_ text: String, on controller: Int32) {
    let bytes = Array(text.utf8)
    // SAFETY: the array is valid for the call.
    _ = unsafe write(controller, bytes, bytes.count)
  }

  private static func read(_ controller: Int32, within milliseconds: Int32) -> String {
    guard isReadable(controller, within: milliseconds) else { return "" }
    var buffer = [UInt8](repeating: 0, count: 8_192)
    // SAFETY: the buffer holds `count` bytes and lives for the call.
    let count = unsafe Glibc.read(controller, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}

/// Whether a read would give something, or fail, within so many milliseconds.
public func isReadable(_ descriptor: Int32, within milliseconds: Int32 = 0) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  // SAFETY: one entry, which lives for the call.
  return unsafe poll(&entry, 1, milliseconds) == 1
}
