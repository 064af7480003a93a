import Glibc
import LocalAuthUnix

/// What the program was started for.
enum SyncTask {
  /// To speak to a hub for the daemon of this uid, which is at the other end of descriptor 3.
  case serve(daemon: UInt32)
  /// To do what an administrator wants, with the database of this connection string.
  case administer(Administration.Act, connection: String)

  /// Reads the arguments; nil if there is a mistake.
  init?(_ arguments: [String]) {
    let words = Array(arguments.dropFirst())
    if words.first == "hub" {
      // The connection comes last, and may be left out.
      if let act = Administration.Act(words[1...]) {
        self = .administer(act, connection: "")
      } else if words.count > 2, let act = Administration.Act(words[1..<(words.count - 1)]) {
        self = .administer(act, connection: words[words.count - 1])
      } else {
        return nil
      }
      return
    }
    switch words.count {
    case 0: self = .serve(daemon: geteuid())
    case 2 where words[0] == "--daemon":
      guard let uid = SystemAccount.uid(of: words[1]) else { return nil }
      self = .serve(daemon: uid)
    default: return nil
    }
  }
}
