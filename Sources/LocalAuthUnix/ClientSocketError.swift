import Glibc

/// Why connecting to the daemon failed.
public enum ConnectError: Error, CustomStringConvertible {
  /// No process listens there.
  case notRunning
  /// A process of another user listens there; nothing was sent to it.
  case foreignServer(uid: UInt32)
  /// The path is too long for a socket address or contains a NUL.
  case pathTooLong(String)
  /// A process listens but did not accept in time.
  case timedOut
  /// A system call failed.
  case system(SystemError)

  init(code: Int32, path: String) {
    switch code {
    case ENOENT, ECONNREFUSED: self = .notRunning
    case EAGAIN: self = .timedOut
    default: self = .system(SystemError("connect", code: code, subject: path))
    }
  }

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .notRunning: "no daemon is running: a command that needs one starts it"
    case .foreignServer(let uid):
      "the socket is served by user \(uid), not by you: check --socket and LOCALAUTH_SOCKET, "
        + "or name the system's daemon with --system"
    case .pathTooLong(let path):
      "the socket path \(path) has \(path.utf8.count) bytes and the system allows "
        + "\(RuntimePaths.longestSocketPath): name a shorter one with --socket"
    case .timedOut: "the daemon does not answer: look at its log, or stop it"
    case .system(let error):
      "the daemon cannot be reached\(error.subject.map { " at \($0)" } ?? ""): \(error.reason)"
    }
  }
}

/// Why an exchange with the daemon failed.
public enum ClientSocketError: Error, CustomStringConvertible {
  /// The daemon closed the connection or ended.
  case closed
  /// The daemon did not answer in time.
  case timedOut
  /// The daemon sent a frame that exceeds the limit; the connection is unusable.
  case frameTooLong(limit: Int)
  /// A system call failed.
  case system(SystemError)

  init(code: Int32, call: String) {
    switch code {
    case ECONNRESET: self = .closed
    case EAGAIN: self = .timedOut
    default: self = .system(SystemError(call, code: code))
    }
  }

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .closed: "the daemon closed the connection: look at its log and try again"
    case .timedOut: "the daemon did not answer in time: look at its log, or stop it"
    case .frameTooLong(let limit):
      "the daemon's answer is longer than \(limit) bytes: ask for less at a time"
    case .system(let error): "the connection to the daemon failed: \(error)"
    }
  }
}
