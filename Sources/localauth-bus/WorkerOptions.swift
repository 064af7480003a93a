import Glibc
import LocalAuthUnix

/// What the program was started with.
struct WorkerOptions {
  /// The only reader to use, by its name.
  var reader: String?
  /// Whether to use libfprint's virtual readers, and only those.
  var isSimulated = false
  /// Whether the rules of the system let nobody but this service use the readers.
  var isExclusive = false
  /// The address of the bus; nil for the system's.
  var bus: String?
  /// Whether a scan that is cancelled before a finger is known to lie there is no attempt.
  ///
  /// fprintd calls a cancelled scan a miss, so nobody knows whether a finger was judged. Where others can
  /// ask the reader uncounted, counting that would protect nothing.
  var reportsPresence: Bool { !isExclusive }
  /// The name of the account that it runs as.
  var account = SystemAccount.name(of: geteuid()) ?? ""
  /// Its directory for what lasts.
  var directory = ProcessEnvironment.current["STATE_DIRECTORY"]

  /// Reads the arguments; nil if there is a mistake.
  init?(_ arguments: [String]) {
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--simulated": isSimulated = true
      case "--exclusive": isExclusive = true
      case "--reader":
        guard let name = rest.popFirst() else { return nil }
        reader = name
      case "--bus":
        guard let address = rest.popFirst() else { return nil }
        bus = address
      default: return nil
      }
    }
  }
}
