import CLocalAuthLinux
import Glibc
import LocalAuthCore

/// A listening Unix stream socket; it belongs to the loop's thread.
public final class Listener {
  /// Called with the socket of a new connection and its peer.
  public typealias AcceptHandler = (consuming FileDescriptor, PeerIdentity) -> Void

  /// How many connections were turned away for lack of descriptors.
  public private(set) var refusedCount = 0

  private let socket: FileDescriptor
  /// The path bound here, which ``stop()`` removes; nil for an adopted socket.
  private let path: SocketPath?
  /// A spare descriptor, released to accept and close a connection when none are left.
  private var reserve: FileDescriptor?
  private var loop: EventLoop?
  private var onAccept: AcceptHandler?
  private var retry: TimerToken?

  /// How many connections to accept per turn, so that a flood cannot starve other descriptors.
  private static let acceptsPerTurn = 32
  /// How long to stop accepting when clients cannot even be turned away.
  private static let pause = Duration.milliseconds(100)

  /// Listens at `path`, which is created with exactly `mode` and removed by ``stop()``.
  ///
  /// Replaces a socket on which no process listens. Leaves any other file and the socket of a
  /// running server alone, and throws EADDRINUSE.
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

  /// Takes over a listening socket, such as one passed by systemd.
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

  /// Starts accepting; `onAccept` is called on the loop's thread.
  public func start(on loop: EventLoop, onAccept: @escaping AcceptHandler) throws(SystemError) {
    precondition(self.loop == nil, "the listener has been started already")
    try loop.add(socket.rawValue, interest: .readable) { [unowned self] _ in acceptWaiting() }
    self.loop = loop
    self.onAccept = onAccept
  }

  /// Stops accepting and removes the path, unless it leads to another socket by now.
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
      // Close the connection if the kernel does not identify the peer.
      guard let peer = try? PeerIdentity(of: accepted) else { continue }
      onAccept(connection, peer)
    }
  }

  /// Accepts one connection on the reserved descriptor and closes it.
  ///
  /// The client learns of the refusal at once, and the loop does not spin on its backlog.
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

  /// Set on the listener, because a client may send before its connection is accepted.
  private static func tellSenders(_ listener: Int32) throws(SystemError) {
    _ = try SystemError.check(la_socket_tell_senders(listener), "setsockopt SO_PASSCRED")
  }

  private static func openReserve() -> FileDescriptor? {
    let number = la_reserve_descriptor()
    return number >= 0 ? FileDescriptor(owning: number) : nil
  }
}
