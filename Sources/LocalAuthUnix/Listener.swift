import CLocalAuthLinux
import Glibc
import LocalAuthCore

/// A Unix stream socket that waits for clients; it belongs to the loop's thread.
public final class Listener {
  /// What to do with a new connection: its socket, and who is at the other end.
  public typealias AcceptHandler = (consuming FileDescriptor, PeerIdentity) -> Void

  /// Connections turned away because the process or the system had run out of descriptors.
  public private(set) var refusedCount = 0

  private let socket: FileDescriptor
  /// The path that was bound here and is removed at the end; nil for an adopted socket.
  private let path: SocketPath?
  /// Given up for a moment to accept and close a connection when there are no descriptors left.
  private var reserve: FileDescriptor?
  private var loop: EventLoop?
  private var onAccept: AcceptHandler?
  private var retry: TimerToken?

  /// Connections taken in one turn, so that a flood does not keep the others waiting.
  private static let acceptsPerTurn = 32
  /// How long to leave the backlog alone when not even turning clients away works.
  private static let pause = Duration.milliseconds(100)

  /// Listens at `path`, which appears with exactly `mode` and is removed again with ``stop()``.
  ///
  /// A socket that nobody listens at any more is replaced. One with a living server is left alone
  /// (EADDRINUSE), and so is everything that is not a socket.
  public init(path: String, mode: UInt32 = 0o600, backlog: Int32 = 128) throws(SystemError) {
    socket = FileDescriptor(owning: try SystemError.check(la_socket_create(), "socket"))
    try Self.tellSenders(socket.rawValue)
    self.path = try SocketPath(
      binding: socket.rawValue,
      to: path,
      mode: mode,
      backlog: backlog
    )
    reserve = Self.openReserve()
  }

  /// Takes over a socket that listens already, as systemd hands them out.
  public init(adopting listener: consuming FileDescriptor) throws(SystemError) {
    let number = listener.rawValue
    guard try SystemError.check(la_socket_is_listener(number), "getsockopt") == 1 else {
      throw SystemError("adopt", code: EINVAL, subject: "descriptor \(number)")
    }
    _ = try SystemError.check(la_socket_set_nonblocking(number), "fcntl")
    try Self.tellSenders(number)
    socket = listener
    path = nil
    reserve = Self.openReserve()
  }

  /// Begins to accept; `onAccept` is called on the loop's thread.
  public func start(on loop: EventLoop, onAccept: @escaping AcceptHandler) throws(SystemError) {
    precondition(self.loop == nil, "the listener has been started already")
    try loop.add(socket.rawValue, interest: .readable) { [unowned self] _ in acceptWaiting() }
    self.loop = loop
    self.onAccept = onAccept
  }

  /// Stops accepting and removes the path, unless somebody else has put another socket there.
  public func stop() {
    if let retry { loop?.cancel(retry) }
    loop?.remove(socket.rawValue)
    loop = nil
    onAccept = nil
    path?.remove()
  }

  deinit { stop() }

  private func acceptWaiting() {
    for _ in 0..<Self.acceptsPerTurn {
      // The handler may have stopped the listener.
      guard let onAccept else { return }
      let accepted = la_socket_accept(socket.rawValue)
      guard accepted >= 0 else {
        switch -accepted {
        case EAGAIN: return
        case EINTR, ECONNABORTED: continue
        case EMFILE, ENFILE:
          guard turnOneAway() else { return pauseAccepting() }
          continue
        default: return pauseAccepting()
        }
      }
      let connection = FileDescriptor(owning: accepted)
      // A peer whom the kernel does not name is nobody: the connection closes here.
      guard let peer = try? PeerIdentity(of: accepted) else { continue }
      onAccept(connection, peer)
    }
  }

  /// Accepts and closes one connection on the reserved descriptor, so that the client learns at
  /// once, and the loop does not spin on a backlog that it cannot take.
  private func turnOneAway() -> Bool {
    guard reserve != nil else {
      reserve = Self.openReserve()
      return false
    }
    reserve = nil
    let accepted = la_socket_accept(socket.rawValue)
    if accepted >= 0 {
      close(accepted)
      refusedCount += 1
    }
    reserve = Self.openReserve()
    return accepted >= 0 || accepted == -EAGAIN
  }

  private func pauseAccepting() {
    guard let loop, retry == nil else { return }
    try? loop.modify(socket.rawValue, interest: [])
    retry = loop.schedule(at: SystemClock.bootNow() + Self.pause) { [unowned self] in
      retry = nil
      try? self.loop?.modify(socket.rawValue, interest: .readable)
    }
  }

  /// Here and not at each connection, whose client may have sent something before it is accepted.
  private static func tellSenders(_ listener: Int32) throws(SystemError) {
    _ = try SystemError.check(la_socket_tell_senders(listener), "setsockopt SO_PASSCRED")
  }

  private static func openReserve() -> FileDescriptor? {
    let number = la_reserve_descriptor()
    return number >= 0 ? FileDescriptor(owning: number) : nil
  }
}
