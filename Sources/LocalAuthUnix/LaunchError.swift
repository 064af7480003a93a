/// Why no daemon was reached or started.
public enum LaunchError: Error, CustomStringConvertible {
  /// A daemon listens there, but it is not trusted or cannot be reached.
  case connect(ConnectError)
  /// This program has more rights than its caller and therefore starts no daemon.
  case privilegedProgram
  /// The directory of the socket or of the state is not private to this user.
  case directory(PrivateDirectoryError)
  /// Nothing can be written in the directory of the state.
  case unwritable(path: String, SystemError)
  /// The log cannot be written.
  case log(DurableFileError)
  /// The program is in none of the places searched.
  case noExecutable(searched: [String])
  /// What should name the program by an absolute path does not: a variable or a file.
  case relativeName(String, in: String)
  /// Others could have written the file that names the program, or it cannot be read.
  case installation(ConfigurationFileError)
  /// Another user could have written the program, or it cannot be executed.
  case untrustedExecutable(path: String, reason: String)
  /// The daemon ended before it listened; carries the last line it logged, if any.
  case daemonFailed(lastLine: String?, log: String)
  /// The daemon did not listen in time.
  case notReady(within: Duration, log: String)
  /// A system call failed.
  case system(SystemError)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .connect(let error): error.description
    case .privilegedProgram:
      "a program with more rights than its caller starts no daemon: start localauthd beforehand"
    case .directory(let error): error.description
    case .unwritable(let path, let error):
      "nothing can be written in \(path), where the state is kept: \(error.reason)"
    case .log(let error): "the daemon's log cannot be written: \(error)"
    case .noExecutable(let searched):
      "localauthd is not installed: it is in none of \(searched.joined(separator: ", ")); install "
        + "it, or name it in LOCALAUTH_DAEMON"
    case .relativeName(let name, let place):
      "\(place) has '\(name)', which is no absolute path to localauthd: name it by its whole path"
    case .installation(let error): "no daemon is started: \(error)"
    case .untrustedExecutable(let path, let reason):
      "\(path) is not started, because \(reason)"
    case .daemonFailed(let lastLine, let log):
      "localauthd ended before it listened: \(lastLine ?? "it said nothing") (see \(log))"
    case .notReady(let limit, let log):
      "localauthd did not listen within \(limit): see \(log), and try again"
    case .system(let error): "localauthd cannot be started: \(error)"
    }
  }
}
