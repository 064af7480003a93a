import Glibc
import LocalAuthCore

/// Where secrets must not be written, because others would read them.
extension Output {
  /// Fails if others can read what is written to standard output: a file of others or for others, or
  /// a FIFO with a name.
  ///
  /// A file that the shell made for everybody is refused and not repaired: who opened it before it
  /// was repaired reads what is written afterwards. Of a FIFO nobody can tell who has opened it.
  /// `advice` says what to do instead.
  static func requirePrivate(orElse advice: String = "give --out FILE") throws(Failure) {
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(STDOUT_FILENO, &status) == 0 else {
      throw Failure(.internalError, errno: errno, "Standard output cannot be written to")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG where status.st_mode & 0o077 != 0 || status.st_uid != geteuid():
      throw Failure(.usage, "Others can read the file on standard output: \(advice).")
    case S_IFIFO where status.st_dev != deviceOfPipes():
      throw Failure(
        .usage,
        "Standard output is a FIFO with a name: \(advice), or use a pipe."
      )
    default: return
    }
  }

  /// The file system of pipes without a name; nil if no pipe can be made.
  private static func deviceOfPipes() -> dev_t? {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the array has room for both.
    guard unsafe pipe(&ends) == 0 else { return nil }
    defer { for end in ends { close(end) } }
    var status = stat()
    // SAFETY: the structure lives for the call.
    return unsafe fstat(ends[0], &status) == 0 ? status.st_dev : nil
  }
}
