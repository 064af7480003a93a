import CLocalAuthLinux
import Glibc

/// A listening Unix socket without a name: only who holds its ``NamelessPlace`` can connect to it.
public struct NamelessListener: ~Copyable, Sendable {
  /// The listener, for the program that accepts.
  let listener: FileDescriptor
  /// What leads to it, for whoever connects.
  private let place: FileDescriptor

  /// How many connections may wait to be accepted.
  private static let backlog: Int32 = 16

  /// Makes the socket, which has a name in `directory` for a moment.
  public init(in directory: borrowing PrivateDirectory) throws(SystemError) {
    var held: Int32 = -1
    // SAFETY: the pointer is valid for the call.
    let made = unsafe la_nameless_listen(directory.descriptor.rawValue, Self.backlog, &held)
    listener = FileDescriptor(
      owning: try SystemError.check(made, "listen", subject: directory.path)
    )
    place = FileDescriptor(owning: held)
  }

  /// Closes the listener, once its program has a duplicate of it.
  ///
  /// Until then nobody notices that the program has ended.
  public consuming func takePlace() -> NamelessPlace { NamelessPlace(descriptor: place) }

  /// Passes the listener to the process at the other end of `connection`, and closes it here.
  public consuming func pass(
    over connection: borrowing FileDescriptor
  ) throws(SystemError) -> NamelessPlace {
    let sent = la_send_descriptor(connection.rawValue, listener.rawValue)
    _ = try SystemError.check(sent, "sendmsg")
    return NamelessPlace(descriptor: place)
  }
}

/// What leads to a ``NamelessListener`` that a program has.
public struct NamelessPlace: ~Copyable, Sendable {
  fileprivate let descriptor: FileDescriptor

  /// How long a blocking connection waits for a program that does not read, in milliseconds.
  private static let sendLimit: Int32 = 2000

  fileprivate init(descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  /// Connects to the program, by default without waiting for anything.
  ///
  /// - Parameter isBlocking: whether the descriptor blocks, and this call while too many connections
  ///   wait to be accepted.
  /// - Returns: the connection.
  /// - Throws: ECONNREFUSED if the program has ended, EAGAIN if it accepts nothing.
  public borrowing func connect(isBlocking: Bool = false) throws(SystemError) -> FileDescriptor {
    let made = la_nameless_connect(descriptor.rawValue, isBlocking)
    let socket = FileDescriptor(owning: try SystemError.check(made, "connect"))
    if isBlocking { _ = la_limit_send(socket.rawValue, Self.sendLimit) }
    return socket
  }
}
