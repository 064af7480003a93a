/// A program that serves a listening Unix socket, as with socket activation, to this process alone.
///
/// The socket has no name: nobody else can connect to it. The program gets it as descriptor 3, with
/// `LISTEN_FDS` and `LISTEN_PID` in its environment. Dropping the value kills the program and its
/// process group.
public struct ListeningProgram: ~Copyable, Sendable {
  private var child: ChildProcess
  private let place: NamelessPlace

  /// Starts the program; it is killed when the thread that started it ends.
  ///
  /// - Parameters:
  ///   - executable: its absolute path.
  ///   - arguments: its arguments, which every user can read.
  ///   - environment: the rest of its environment, as `NAME=value`.
  ///   - directory: a directory of this process's user, in which the socket has a name for a moment.
  /// - Throws: the error of the call that failed, execve included; nothing runs then.
  public init(
    _ executable: String,
    arguments: [String],
    environment: [String] = [],
    socketIn directory: borrowing PrivateDirectory
  ) throws(SystemError) {
    try self.init(
      executable,
      arguments: arguments,
      environment: environment,
      serving: NamelessListener(in: directory)
    )
  }

  /// Starts the program on a socket that is there already.
  public init(
    _ executable: String,
    arguments: [String],
    environment: [String] = [],
    serving socket: consuming NamelessListener
  ) throws(SystemError) {
    var request = SpawnRequest(
      executable: executable,
      arguments: arguments,
      environment: [
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LISTEN_FDS=1",
        "LISTEN_PID=0000000000",
      ] + environment,
      descriptors: [.null, .null, .null, .duplicate(of: socket.listener.rawValue)]
    )
    request.diesWithParent = true
    child = try ChildProcess.spawn(request)
    place = socket.takePlace()
  }

  /// The descriptor for an event loop to watch: it becomes readable when the program ends.
  public var pidfd: Int32 { child.pidfd }

  /// Connects to the program as ``NamelessPlace/connect(isBlocking:)`` does.
  public borrowing func connect(isBlocking: Bool = false) throws(SystemError) -> FileDescriptor {
    try place.connect(isBlocking: isBlocking)
  }

  /// Kills the program and its process group.
  public borrowing func kill() { child.killGroup() }

  /// Reaps the program and returns how it ended, or nil while it runs.
  public mutating func reap() throws(SystemError) -> ChildProcess.Exit? { try child.reap() }
}
