import Foundation
import LocalAuthFiles
import NotesDevice

/// The terminal, line by line.
///
/// What is typed goes from the kernel to memory that is wiped; what is shown is taken from the screen by ``clear()``.
final class Terminal {
  /// What came.
  enum Input { case line, end, woken, late }

  /// The last line, without its end.
  private(set) var line = Secret(capacity: 4096)
  private let usual: termios
  private let isColored: Bool

  /// The terminal of the standard streams; nil if they are none.
  init?() {
    var found = termios()
    guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &found) == 0 else { return nil }
    usual = found
    isColored = ProcessInfo.processInfo.environment["NO_COLOR"] == nil
  }

  // MARK: Reading

  /// Asks for a line, and waits for it, for `wakes`, or as long as that.
  func read(_ question: String, _ wakes: Wakes, isHidden: Bool, within limit: Duration?) -> Input {
    line.removeAll()
    // First hidden, then asked: whoever is quick is not shown either.
    set(isHidden ? tcflag_t(ECHO) : 0)
    show(question)
    var waiting = [
      pollfd(fd: wakes.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&waiting, 2, limit.map { Self.milliseconds($0) } ?? -1)
    guard count != 0 else { return .late }
    // What was told comes before what was typed: a locked device takes no line.
    guard count > 0, waiting[0].revents == 0 else { return .woken }
    defer { if isHidden { show("\n") } }
    fill()
    guard line.count > 0 else { return .end }
    line.dropLineEnd()
    return .line
  }

  /// Takes what was typed of a line that has no end yet.
  func takeRest() {
    line.removeAll()
    // Without lines the kernel gives what it has, and waits for nothing more.
    var plain = usual
    plain.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &plain.c_cc) { $0[Int(VMIN)] = 0 }
    withUnsafeMutableBytes(of: &plain.c_cc) { $0[Int(VTIME)] = 0 }
    tcsetattr(STDIN_FILENO, TCSANOW, &plain)
    fill()
    restore()
  }

  private func fill() {
    line.withUnsafeMutableBytes { room, used in
      used = max(0, Foundation.read(STDIN_FILENO, room.baseAddress, room.count))
    }
  }

  /// The terminal as it was found.
  func restore() { set(0) }

  private func set(_ off: tcflag_t) {
    var wanted = usual
    wanted.c_lflag &= ~off
    tcsetattr(STDIN_FILENO, TCSANOW, &wanted)
  }

  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    // Rounded up, so that the time has come afterwards.
    return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }

  // MARK: Showing

  /// Shows words of the program.
  func show(_ words: String) { show(Secret(copying: words.utf8)) }

  /// Shows words in grey.
  func showGrey(_ words: String) { show(isColored ? "\u{1B}[2m\(words)\u{1B}[0m\n" : "\(words)\n") }

  /// Shows a text of somebody's, in which nothing can drive the terminal; at most `limit` lines of it.
  func show(text: borrowing Secret, lines limit: Int = .max) {
    show(text.shown(lines: limit))
  }

  /// Takes everything from the screen, and from what can be scrolled back to.
  func clear() { show("\u{1B}[H\u{1B}[2J\u{1B}[3J") }

  private func show(_ bytes: consuming Secret) {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count, let start = bytes.baseAddress {
        let count = write(STDOUT_FILENO, start + done, bytes.count - done)
        guard count > 0 || errno == EINTR else { return }
        done += max(0, count)
      }
    }
  }
}

extension Secret {
  /// Drops what ends a line.
  fileprivate mutating func dropLineEnd() {
    let endsLine = withUnsafeBytes { $0.last == UInt8(ascii: "\n") }
    if endsLine { removeLast() }
  }

  /// The text, for words that are no secret.
  var words: String { text.trimmingCharacters(in: .whitespaces) }

  /// The text as it is, for what takes nothing that can be wiped.
  var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

  /// A copy.
  var copy: Secret { withUnsafeBytes { Secret(copying: $0) } }

  /// Whether it begins with these bytes.
  func begins(with words: String) -> Bool {
    withUnsafeBytes { $0.starts(with: words.utf8) }
  }

  /// Whether these are the bytes.
  func says(_ words: String) -> Bool { isEqual(to: Secret(copying: words.utf8)) }
}
