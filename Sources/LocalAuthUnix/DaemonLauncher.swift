import Glibc

/// Connects to the user's daemon, starting it if it is not running.
///
/// Any number of clients may do so at once: a lock in the state directory lets one of them start
/// the daemon, and the others connect as soon as it listens. The launcher passes `--home`, `--socket`
/// and `--ready-fd 3`; the daemon writes one byte to descriptor 3 once it listens.
public struct DaemonLauncher: Sendable {
  /// The default time limit for a daemon to start listening: 20 seconds, for a machine under load.
  public static let standardTimeout = Duration.seconds(20)

  /// The name of the lock that a starter holds.
  static let lockName = "start.lock"

  private let paths: RuntimePaths
  private let environment: ProcessEnvironment
  /// Nil for the standard places, which are resolved only when a daemon has to be started.
  private let candidates: [String]?
  private let timeout: Duration

  /// Prepares to connect to the daemon at `paths`.
  ///
  /// - Parameters:
  ///   - paths: the paths of its socket and state.
  ///   - environment: the source of the few variables that the daemon is given.
  ///   - candidates: absolute paths of its program, in order; nil for the standard places.
  ///   - timeout: the time limit for the whole of ``connect()``.
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

  /// Connects, starting the daemon if none is running.
  ///
  /// - Throws: ``LaunchError``. A daemon that took too long is left running: the next call may
  ///   reach it.
  public func connect() throws(LaunchError) -> ClientSocket {
    let deadline = Deadline.after(timeout)
    if let running = try connectToRunning(until: deadline) { return running }
    // The caller of a privileged program chose its environment and could choose the daemon's.
    guard !environment.isPrivileged else { throw .privilegedProgram }
    _ = try privateDirectory(paths.socketDirectory)
    // Beside the state, because clients may mean different sockets of one daemon.
    let directory = try privateDirectory(paths.home)
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

  /// Waits for the lock, or for a daemon that another client has started.
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
        case .system(let error): throw .unwritable(path: paths.home, error)
        }
      }
      if let running = try connectToRunning(until: deadline) { return .connected(running) }
      guard !deadline.hasPassed else { throw .notReady(within: timeout, log: logPath) }
      // Nothing to poll for: a lock has no event, and the socket does not exist yet.
      _ = poll(nil, 0, min(pause, deadline.remainingMilliseconds))
      pause = min(pause * 2, 32)
    }
  }

  private func startAndConnect(
    holding lock: borrowing FileLock,
    until deadline: Deadline
  ) throws(LaunchError) -> ClientSocket {
    // The previous holder of the lock may have started the daemon.
    if let running = try connectToRunning(until: deadline) { return running }
    let executable =
      if let candidates {
        try DaemonExecutable.find(among: candidates)
      } else {
        try DaemonExecutable.find(in: environment)
      }
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
      return try ClientSocket.connect(toDaemonOf: paths, trusting: .ownUser, until: deadline)
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
    // SAFETY: the buffer holds the one byte asked for. The descriptor is readable, so this cannot
    // block.
    guard unsafe read(readiness.rawValue, &byte, 1) == 1 else {
      throw .daemonFailed(lastLine: log.lastLine(), log: log.path)
    }
  }

  /// The daemon's whole environment, free of other variables from its starter's shell.
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
