import Glibc
import LocalAuthTerminal

/// A line on the terminal that is written over again and again; on anything else than a terminal, and with `--quiet`, there
/// is none.
struct TerminalLine {
  /// Whether there is one.
  let isShown: Bool

  init(_ context: VerbContext) {
    isShown = !context.output.isQuiet && isatty(STDERR_FILENO) != 0
  }

  /// Shows `text`, as far as it fits, in place of what was shown before.
  func show(_ text: String) {
    let columns = Terminal.columns(of: STDERR_FILENO) ?? 80
    write("\r\(TerminalText.sanitized(text, limit: max(columns - 1, 4)))\u{1B}[K")
  }

  /// Erases it.
  func clear() { write("\r\u{1B}[K") }

  private func write(_ text: String) {
    guard isShown else { return }
    let bytes = Array(text.utf8)
    // SAFETY: the array is valid for the call; a failed write only loses a line that the next one replaces.
    _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
