public import LocalAuthUnix

/// Where the user's daemon is, and whether it may be started when it does not run.
public struct DaemonAddress: Sendable {
  /// Its socket and its state.
  public let paths: RuntimePaths
  /// Whether ``connect()`` starts a daemon where none runs.
  public let startsDaemon: Bool
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
    self.environment = environment
    self.candidates = candidates
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
        socket: try ClientSocket.connect(to: paths.socket, trusting: .ownUser, until: deadline)
      )
    } catch {
      throw ClientError(error)
    }
  }
}
