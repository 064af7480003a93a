import Glibc

/// Connects to the user's daemon and starts it first where it does not run.
///
/// Any number of clients may do so at once: a lock beside the socket lets one of them start it, and
/// the others connect as soon as it listens. The daemon is told with `--home`, `--socket` and
/// `--ready-fd 3` where it belongs; it writes one byte to descriptor 3 once it listens.
public struct DaemonLauncher: Sendable {
  /// How long a daemon may take to listen, unless told otherwise: 20 seconds, for a machine under
  /// load.
  public static let standardTimeout = Duration.seconds(20)

  /// The lock that only one starter holds.
  static let lockName = "start.lock"

  private let paths: RuntimePaths
  private let environment: ProcessEnvironment
  /// Nil for the standard places, which are looked up only when a daemon is to be started.
  private let candidates: [String]?
  private let timeout: Duration

  /// Prepares to reach the daemon at `paths`.
  ///
  /// - Parameters:
  ///   - paths: where its socket and its state are.
  ///   - environment: where the few variables that it is given come from.
  ///   - candidates: absolute paths of its program, in order; nil for the standard places.
  ///   - timeout: how long the whole may take.
  public init(
    paths: RuntimePaths,
    environment: ProcessEnvironment = .current,
    candidates: [String]? = nil,
    timeout: Duration = standardTimeout
  ) {
    self.paths = paths
    self.environment = environment
    self.candidates = candidates
    self.timeout = timeout
  }

  /// Connects, starting the daemon where none runs.
  ///
  /// - Throws: ``LaunchError``. A daemon that took too long is left to come up: the next call may
  ///   find it.
  public func connect() throws(LaunchError) -> ClientSocket {
    let deadline = Deadline.after(timeout)
    if let running = try connectToRunning(until: deadline) { return running }
    // Its caller chose our environment and could choose the daemon's.
    guard !environment.isPrivileged else { throw .privilegedProgram }
    let directory = try privateDirectory(paths.socketDirectory)
    let turn = try awaitTurn(in: directory, until: deadline)
    switch consume turn {
    case .connected(let socket): return socket
    case .locked(let lock): return try startAndConnect(holding: lock, until: deadline)
    }
  }

  private enum Turn: ~Copyable {
    case connected(ClientSocket)
    case locked(FileLock)
  }

  /// Waits for the lock, or for a daemon that somebody else started meanwhile.
  private func awaitTurn(
    in directory: borrowing PrivateDirectory,
    until deadline: Deadline
  ) throws(LaunchError) -> Turn {
    var pause: Int32 = 1
    while true {
      do throws(FileLockError) {
        return .locked(try FileLock(acquiring: DaemonLauncher.lockName, in: directory))
      } catch {
        switch error {
        case .held: break
        case .system(let error): throw .system(error)
        }
      }
      if let running = try connectToRunning(until: deadline) { return .connected(running) }
      guard !deadline.hasPassed else { throw .notReady(within: timeout, log: logPath) }
      // A lock has no descriptor to wait on together with a socket that is not there yet.
      _ = poll(nil, 0, min(pause, deadline.remainingMilliseconds))
      pause = min(pause * 2, 32)
    }
  }

  private func startAndConnect(
    holding lock: borrowing FileLock,
    until deadline: Deadline
  ) throws(LaunchError) -> ClientSocket {
    // The starter before us may have let go of the lock just now.
    if let running = try connectToRunning(until: deadline) { return running }
    let executable = try DaemonExecutable.find(
      among: candidates ?? DaemonExecutable.standardCandidates
    )
    let log = try openLog()
    let readiness = try start(executable, writingTo: log)
    try awaitReadiness(readiness, log, until: deadline)
    guard let started = try connectToRunning(until: deadline) else {
      throw .daemonFailed(lastLine: log.lastLine(), log: log.path)
    }
    return started
  }

  private func connectToRunning(until deadline: Deadline) throws(LaunchError) -> ClientSocket? {
    do throws(ConnectError) {
      return try ClientSocket.connect(to: paths.socket, trusting: .ownUser, until: deadline)
    } catch {
      switch error {
      case .notRunning: return nil
      case .foreignServer, .pathTooLong, .timedOut, .system: throw .connect(error)
      }
    }
  }

  private func start(
    _ executable: DaemonExecutable,
    writingTo log: borrowing DaemonLog
  ) throws(LaunchError) -> FileDescriptor {
    do throws(SystemError) {
      let pipe = try Pipe()
      let request = SpawnRequest(
        executable: executable.path,
        arguments: ["--home", paths.home, "--socket", paths.socket, "--ready-fd", "3"],
        environment: daemonEnvironment,
        descriptors: [
          .null, .null, .duplicate(of: log.descriptor), .duplicate(of: pipe.writer.rawValue),
        ]
      )
      try ChildProcess.spawnDetached(request)
      return pipe.takeReader()
    } catch {
      throw .system(error)
    }
  }

  private func awaitReadiness(
    _ readiness: borrowing FileDescriptor,
    _ log: borrowing DaemonLog,
    until deadline: Deadline
  ) throws(LaunchError) {
    let hasAnswer: Bool
    do throws(SystemError) {
      hasAnswer = try waitForEvents(POLLIN, on: readiness.rawValue, until: deadline)
    } catch {
      throw .system(error)
    }
    guard hasAnswer else { throw .notReady(within: timeout, log: log.path) }
    var byte: UInt8 = 0
    // SAFETY: room for the one byte asked for; the descriptor has something to say, so no wait.
    guard unsafe read(readiness.rawValue, &byte, 1) == 1 else {
      throw .daemonFailed(lastLine: log.lastLine(), log: log.path)
    }
  }

  /// All that a daemon gets: nothing that its starter's shell happens to contain.
  private var daemonEnvironment: [String] {
    var variables = ["PATH=/usr/bin:/bin", "LANG=\(environment["LANG"] ?? "C.UTF-8")"]
    if let home = environment.homeDirectory { variables.append("HOME=\(home)") }
    for name in ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
      if let value = environment.absolutePath(name) { variables.append("\(name)=\(value)") }
    }
    return variables
  }

  private var logPath: String { paths.home + "/daemon.log" }

  private func openLog() throws(LaunchError) -> DaemonLog {
    let state = try privateDirectory(paths.home)
    do throws(DurableFileError) { return try DaemonLog(in: state) } catch { throw .log(error) }
  }

  private func privateDirectory(_ path: String) throws(LaunchError) -> PrivateDirectory {
    do throws(PrivateDirectoryError) {
      return try PrivateDirectory(opening: path)
    } catch {
      throw .directory(error)
    }
  }
}
