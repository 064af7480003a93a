import Glibc
import LocalAuthSync

/// How long a connection waits for its hub, and what ends a wait.
public struct HubPatience: Sendable {
  /// How long connecting may take.
  public let connecting: Duration
  /// How long one answer may take.
  public let answering: Duration
  /// A socket whose other end closes when nobody waits for the answer any more; nil for none.
  public let asker: Int32?

  /// Waits this long; a name server may take longer, because libpq waits for that itself.
  public init(
    connecting: Duration = .seconds(20),
    answering: Duration = .seconds(60),
    asker: Int32? = nil
  ) {
    self.connecting = connecting
    self.answering = answering
    self.asker = asker
  }

  /// Waits until the socket of a connection is ready.
  ///
  /// - Parameters:
  ///   - events: What it is to be ready for, as `poll` has it.
  ///   - socket: The socket.
  ///   - end: When to give up, by ``now()``.
  /// - Throws: `HubError.unreachable`, when it is too late or nobody waits any more.
  func wait(for events: Int32, on socket: Int32, until end: Duration) throws(HubError) {
    while true {
      let left = end - Self.now()
      guard left > .zero else { throw .unreachable("the hub took too long to answer") }
      var entries = [
        pollfd(fd: socket, events: Int16(events), revents: 0),
        pollfd(fd: asker ?? -1, events: Int16(Self.hangUp), revents: 0),
      ]
      // SAFETY: the array has both entries, and lives for the call.
      let ready = unsafe poll(&entries, 2, Self.milliseconds(left))
      if ready < 0, errno != EINTR { throw .unreachable("poll failed") }
      guard ready > 0 else { continue }
      guard entries[1].revents == 0 else { throw .unreachable("nobody waits for the answer") }
      return
    }
  }

  /// A clock that only counts.
  static func now() -> Duration {
    var time = timespec()
    // SAFETY: the pointer is valid for the call; the clock exists on every Linux.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// `POLLRDHUP`, which Swift does not import.
  private static let hangUp: Int32 = 0x2000

  private static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
