import Glibc
import LocalAuthUnix

/// Writes lines to standard error, prefixed with a priority if that is the journal (sd-daemon(3)).
enum Log {
  static func error(_ message: String) { write("<3>", message) }

  static func notice(_ message: String) { write("<5>", message) }

  private static func write(_ priority: String, _ message: String) {
    var line = "\(isJournal ? priority : "")localauthd: \(message)\n"
    // SAFETY: the bytes are the string's own, valid inside the closure.
    line.withUTF8 { bytes in _ = unsafe Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }

  /// Whether standard error is the stream opened by the journal (systemd.exec(5)).
  ///
  /// Anywhere else, a priority would only clutter the line.
  private static var isJournal: Bool {
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return ProcessEnvironment.current["JOURNAL_STREAM"] == "\(status.st_dev):\(status.st_ino)"
  }
}
