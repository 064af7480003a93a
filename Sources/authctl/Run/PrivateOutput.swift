import Glibc
import LocalAuthCore

extension Output {
  /// Fails if others can read what is written to standard output: a file, or a FIFO with a name.
  ///
  /// It is refused and not repaired: who opened it before it was repaired reads what is written
  /// afterwards.
  static func requirePrivate() throws(Failure) {
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(STDOUT_FILENO, &status) == 0 else { return }
    let isForOthers = status.st_mode & 0o077 != 0
    switch status.st_mode & S_IFMT {
    case S_IFREG where isForOthers || status.st_uid != geteuid():
      throw Failure(.usage, "Others can read the file on standard output: give --out FILE.")
    // A pipe without a name is for its two ends alone, and says so in its mode.
    case S_IFIFO where isForOthers:
      throw Failure(.usage, "Others can read the FIFO on standard output: make it with mode 0600.")
    default: return
    }
  }
}
