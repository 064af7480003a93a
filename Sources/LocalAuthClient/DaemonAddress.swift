public import LocalAuthUnix

/// Where a daemon is: the user's own, which may be started when it does not run, or the system's.
public struct DaemonAddress: Sendable {
  /// Its socket and its state.
  public let paths: RuntimePaths
  /// Whether ``connect()`` starts a daemon where none runs.
  public let startsDaemon: Bool
  /// Whose daemon is trusted there.
  public let server: ClientSocket.TrustedServer
  /// The user whose devices are meant, where that is not the caller.
  public let user: UInt32?
  private let environment: ProcessEnvironment
  private let candidates: [String]?

  /// The daemon at `paths`.
  ///
  /// - Parameters:
  ///   - paths: where its socket and its state are.
  ///   - startsDaemon: whether one is started where none runs.
  ///   - environment: where the few variables that a started daemon is given come from.
  ///   - candidates: absolute paths of its program, in order; nil for the standard places.
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

  /// The service of the system, which nobody starts on demand.
  ///
  /// - Parameters:
  ///   - socket: where it listens; nil for the compiled-in path. No variable says so.
  ///   - user: the user whose devices are meant, which only root may be told; nil for the caller.
  /// - Throws: ``RuntimePathsError``, for a path that no socket can have.
  public init(systemSocket socket: String? = nil, user: UInt32? = nil) throws(RuntimePathsError) {
    paths = try RuntimePaths(systemHome: nil, socket: socket)
    startsDaemon = false
    server = .system
    self.user = user
    environment = .current
    candidates = []
  }

  /// Connects, and checks whose daemon it is before a byte is sent.
  ///
  /// Blocks for as long as a daemon takes to come up, at most `DaemonLauncher.standardTimeout`.
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

  /// Connects to a daemon that runs already, and never starts one.
  ///
  /// - Throws: as ``connect()``.
  public func connectToRunning() throws(ClientError) -> DaemonConnection {
    let deadline = Deadline.after(DaemonLauncher.standardTimeout)
    do throws(ConnectError) {
      return DaemonConnection(
        socket: try ClientSocket.connect(to: paths.socket, trusting: server, until: deadline),
        user: user
      )
    } catch {
      throw ClientError(error, at: paths.socket, server)
    }
  }
}
