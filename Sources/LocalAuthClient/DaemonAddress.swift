public import LocalAuthUnix

/// The address of a daemon: the user's own, which can be started on demand, or the system's.
public struct DaemonAddress: Sendable {
  /// The daemon's socket and state.
  public let paths: RuntimePaths
  /// Whether ``connect()`` starts a daemon if none is running.
  public let startsDaemon: Bool
  /// Whose daemon is trusted at this address.
  public let server: ClientSocket.TrustedServer
  /// The user whose devices are meant; nil for the caller.
  public let user: UInt32?
  private let environment: ProcessEnvironment
  private let candidates: [String]?

  /// The daemon at `paths`.
  ///
  /// - Parameters:
  ///   - paths: the daemon's socket and state.
  ///   - startsDaemon: whether to start a daemon if none is running.
  ///   - environment: the source of the few variables passed to a started daemon.
  ///   - candidates: absolute paths of the daemon's program, in order; nil for the standard places.
  public init(
    paths: RuntimePaths,
    startsDaemon: Bool = true,
    environment: ProcessEnvironment = .current,
    candidates: [String]? = nil
  ) {
    self.paths = paths
    self.startsDaemon = startsDaemon
    server = .ownUser
    user = nil
    self.environment = environment
    self.candidates = candidates
  }

  /// The system's service, which is never started on demand.
  ///
  /// - Parameters:
  ///   - socket: the socket that it listens on; nil for the compiled-in path. No environment
  ///     variable overrides it.
  ///   - user: the user whose devices are meant, which only root may set; nil for the caller.
  /// - Throws: ``RuntimePathsError`` if `socket` is no possible path of a socket.
  public init(systemSocket socket: String? = nil, user: UInt32? = nil) throws(RuntimePathsError) {
    paths = try RuntimePaths(systemHome: nil, socket: socket)
    startsDaemon = false
    server = .system
    self.user = user
    environment = .current
    candidates = []
  }

  /// Connects, and checks whose daemon it is before sending anything.
  ///
  /// Blocks while a daemon starts, for at most `DaemonLauncher.standardTimeout`.
  ///
  /// - Throws: ``ClientError/unreachable(_:)`` or ``ClientError/foreignServer(uid:_:)``.
  public func connect() throws(ClientError) -> DaemonConnection {
    guard startsDaemon else { return try connectToRunning() }
    let launcher = DaemonLauncher(paths: paths, environment: environment, candidates: candidates)
    do throws(LaunchError) {
      return DaemonConnection(socket: try launcher.connect())
    } catch {
      throw ClientError(error)
    }
  }

  /// Connects to a daemon that is already running; never starts one.
  ///
  /// - Throws: the same errors as ``connect()``.
  public func connectToRunning() throws(ClientError) -> DaemonConnection {
    let deadline = Deadline.after(DaemonLauncher.standardTimeout)
    do throws(ConnectError) {
      return DaemonConnection(
        socket: try ClientSocket.connect(toDaemonOf: paths, trusting: server, until: deadline),
        user: user
      )
    } catch {
      throw ClientError(error, at: paths.socket, server)
    }
  }
}
