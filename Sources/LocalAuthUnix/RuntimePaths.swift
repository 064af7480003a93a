/// The paths of the daemon's socket and state, and who chose them.
///
/// The command line takes precedence over the environment, and the environment over the standard
/// places; a socket named at one level takes precedence over a home named at the same level. So a
/// variable never sends a caller who named a home to another daemon.
public struct RuntimePaths: Sendable, Equatable {
  /// Who chose a path.
  public enum Origin: Sendable, Equatable {
    /// The caller, in an argument or in code.
    case argument
    /// A `LOCALAUTH_*` variable.
    case environment
    /// The standard place.
    case standard
  }

  /// The directory that holds the daemon's state.
  public let home: String
  /// Who chose ``home``.
  public let homeOrigin: Origin
  /// The socket that the daemon listens on.
  public let socket: String
  /// Who chose ``socket``.
  public let socketOrigin: Origin
  /// Whether somebody named ``socket`` itself; otherwise it follows from ``home`` and the
  /// environment, and the daemon of that home may listen elsewhere.
  public let isSocketNamed: Bool

  /// The longest path that fits a socket address, in bytes (`sun_path` without its NUL, unix(7)).
  public static let longestSocketPath = 107

  /// The system daemon's paths, compiled in so that nothing can redirect a caller.
  public static let system = RuntimePaths(
    home: "/var/lib/localauth",
    homeOrigin: .standard,
    socket: "/run/localauth/socket",
    socketOrigin: .standard,
    isSocketNamed: true
  )

  /// The socket on which root's PAM workers listen for the system daemon.
  public static let systemPAMSocket = "/run/localauth-pam/socket"
  /// Where programs that are connected to hubs are started for the system's service.
  public static let systemSyncSocket = "/run/localauth/sync"

  /// The directory of the sockets behind which root starts authenticators for the system daemon.
  public static let systemAuthenticatorSockets = "/run/localauth/authenticators"

  /// The directory of ``socket``.
  public var socketDirectory: String { directory(ofPath: socket) }

  /// Finds the paths of one user's daemon.
  ///
  /// - Parameters:
  ///   - home: the value of `--home`; relative to the current directory.
  ///   - socket: the value of `--socket`; relative to the current directory.
  ///   - environment: the variables; ignored if this program is privileged.
  /// - Throws: ``RuntimePathsError``, if there is no usable path.
  public init(
    home: String? = nil,
    socket: String? = nil,
    environment: ProcessEnvironment = .current
  ) throws(RuntimePathsError) {
    let named = try RuntimePaths.named(home, by: "--home", in: environment)
    let namedSocket = try RuntimePaths.named(socket, by: "--socket", in: environment)
    let variable = try RuntimePaths.variable("LOCALAUTH_HOME", in: environment)
    let variableSocket = try RuntimePaths.variable("LOCALAUTH_SOCKET", in: environment)

    if let chosen = named ?? variable {
      self.home = chosen
    } else {
      self.home = try RuntimePaths.standardHome(in: environment)
    }
    homeOrigin = named != nil ? .argument : variable != nil ? .environment : .standard
    isSocketNamed = namedSocket != nil || (named == nil && variableSocket != nil)
    if let namedSocket {
      self.socket = namedSocket
      socketOrigin = .argument
    } else if named == nil, let variableSocket {
      self.socket = variableSocket
      socketOrigin = .environment
    } else {
      let runtime = homeOrigin == .standard ? environment.absolutePath("XDG_RUNTIME_DIR") : nil
      self.socket = (runtime.map { $0 + "/localauth" } ?? self.home) + "/socket"
      socketOrigin = homeOrigin
    }
    guard self.socket.utf8.count <= RuntimePaths.longestSocketPath else {
      throw .socketPathTooLong(path: self.socket)
    }
  }

  /// Finds the system daemon's paths, which only arguments change (for tests), never a variable.
  ///
  /// - Parameters:
  ///   - home: the value of `--home`, or nil.
  ///   - socket: the value of `--socket`, or nil.
  ///   - environment: supplies the current directory for a relative path.
  /// - Throws: ``RuntimePathsError``.
  public init(
    systemHome home: String?,
    socket: String? = nil,
    environment: ProcessEnvironment = .current
  ) throws(RuntimePathsError) {
    let named = try RuntimePaths.named(home, by: "--home", in: environment)
    let namedSocket = try RuntimePaths.named(socket, by: "--socket", in: environment)
    self.home = named ?? RuntimePaths.system.home
    homeOrigin = named != nil ? .argument : .standard
    // The home is closed to other users, so a socket for all users cannot be in it.
    self.socket = namedSocket ?? RuntimePaths.system.socket
    socketOrigin = namedSocket != nil ? .argument : .standard
    isSocketNamed = true
    guard self.socket.utf8.count <= RuntimePaths.longestSocketPath else {
      throw .socketPathTooLong(path: self.socket)
    }
  }

  private init(
    home: String,
    homeOrigin: Origin,
    socket: String,
    socketOrigin: Origin,
    isSocketNamed: Bool
  ) {
    self.home = home
    self.isSocketNamed = isSocketNamed
    self.homeOrigin = homeOrigin
    self.socket = socket
    self.socketOrigin = socketOrigin
  }

  private static func named(
    _ path: String?,
    by option: String,
    in environment: ProcessEnvironment
  ) throws(RuntimePathsError) -> String? {
    guard let path else { return nil }
    guard !path.isEmpty else { throw .emptyPath(option: option) }
    guard let absolute = environment.absolute(path) else { throw .noCurrentDirectory(path: path) }
    return withoutTrailingSlashes(absolute)
  }

  private static func variable(
    _ name: String,
    in environment: ProcessEnvironment
  ) throws(RuntimePathsError) -> String? {
    guard let path = environment[name] else { return nil }
    guard path.utf8.first == UInt8(ascii: "/") else {
      throw .relativeVariable(name: name, path: path)
    }
    return withoutTrailingSlashes(path)
  }

  private static func standardHome(
    in environment: ProcessEnvironment
  ) throws(RuntimePathsError) -> String {
    if let state = environment.absolutePath("XDG_STATE_HOME") { return state + "/localauth" }
    guard let home = environment.homeDirectory else { throw .noHomeDirectory }
    return withoutTrailingSlashes(home) + "/.local/state/localauth"
  }
}

/// Why there is no usable path.
public enum RuntimePathsError: Error, Equatable, CustomStringConvertible {
  /// An option was given an empty path.
  case emptyPath(option: String)
  /// A relative path was given and the current directory no longer exists.
  case noCurrentDirectory(path: String)
  /// A variable holds a relative path.
  case relativeVariable(name: String, path: String)
  /// Neither `$HOME` nor `/etc/passwd` names a home directory.
  case noHomeDirectory
  /// The path does not fit a socket address.
  case socketPathTooLong(path: String)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .emptyPath(let option):
      "\(option) was given an empty path: name a directory or leave the option out"
    case .noCurrentDirectory(let path):
      "the current directory no longer exists: write \(path) as an absolute path"
    case .relativeVariable(let name, let path):
      "\(name) is the relative path \(path): set it to an absolute one or unset it"
    case .noHomeDirectory:
      "this user has no home directory: name a state directory with --home"
    case .socketPathTooLong(let path):
      "the socket path \(path) has \(path.utf8.count) bytes and the system allows "
        + "\(RuntimePaths.longestSocketPath): name a shorter one with --socket"
    }
  }
}
