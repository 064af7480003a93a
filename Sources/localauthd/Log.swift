import Glibc

/// Lines on standard error, with the priority prefix that the journal understands (sd-daemon(3)).
enum Log {
  static func error(_ message: String) { write("<3>", message) }

  static func notice(_ message: String) { write("<5>", message) }

  private static func write(_ priority: String, _ message: String) {
    var line = "\(priority)localauthd: \(message)\n"
    // SAFETY: the bytes are the string's own, valid inside the closure.
    line.withUTF8 { bytes in _ = unsafe Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }
}
