import CLocalAuthLinux
import Glibc

/// A listening Unix socket without a name: only its holder can connect to it.
private struct NamelessListener: ~Copyable {
  /// The listener, for the program that accepts.
  let listener: FileDescriptor
  /// What leads to it, for whoever connects.
  let place: FileDescriptor

  /// How many connections may wait to be accepted.
  private static let backlog: Int32 = 16

  init(in directory: borrowing PrivateDirectory) throws(SystemError) {
    var held: Int32 = -1
    // SAFETY: the pointer is valid for the call.
    let made = unsafe la_nameless_listen(directory.descriptor.rawValue, Self.backlog, &held)
    listener = FileDescriptor(
      owning: try SystemError.check(made, "listen", subject: directory.path)
    )
    place = FileDescriptor(owning: held)
  }

  consuming func takePlace() -> FileDescriptor { place }
}

/// A program that serves a listening Unix socket, as with socket activation, to this process alone.
///
/// The socket has no name: nobody else can connect to it. The program gets it as descriptor 3, with
/// `LISTEN_FDS` and `LISTEN_PID` in its environment. Dropping the value kills the program and its
/// process group.
public struct ListeningProgram: ~Copyable, Sendable {
  private var child: ChildProcess
  private let place: FileDescriptor

  /// How long a blocking connection waits for a program that does not read, in milliseconds.
  private static let sendLimit: Int32 = 2000

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
    let socket = try NamelessListener(in: directory)
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

  /// Connects to the program, by default without waiting for anything.
  ///
  /// - Parameter isBlocking: whether the descriptor blocks, and this call while too many connections
  ///   wait to be accepted.
  /// - Returns: the connection.
  /// - Throws: ECONNREFUSED if the program has ended, EAGAIN if it accepts nothing.
  public borrowing func connect(isBlocking: Bool = false) throws(SystemError) -> FileDescriptor {
    let made = la_nameless_connect(place.rawValue, isBlocking)
    let socket = FileDescriptor(owning: try SystemError.check(made, "connect"))
    if isBlocking { _ = la_limit_send(socket.rawValue, Self.sendLimit) }
    return socket
  }

  /// Kills the program and its process group.
  public borrowing func kill() { child.killGroup() }

  /// Reaps the program and returns how it ended, or nil while it runs.
  public mutating func reap() throws(SystemError) -> ChildProcess.Exit? { try child.reap() }
}
