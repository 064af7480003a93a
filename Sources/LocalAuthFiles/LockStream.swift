import LocalAuthClient
import LocalAuthCore
import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// What the service tells of a device's lock, on a connection of its own.
struct LockStream: ~Copyable {
  private var connection: DaemonConnection
  /// How it was at the beginning.
  let first: DataAvailability

  init(_ device: DeviceChoice, _ connection: consuming DaemonConnection) throws(ClientError) {
    var call = DeviceMessages.DeviceCall()
    call.device = device.name
    try connection.begin(Methods.watchDevice, call)
    let reply = try connection.next(Methods.watchDevice, until: .after(.seconds(30))).reply
    first = DataAvailability(reply)
    self.connection = connection
  }

  /// What the service has told meanwhile; nil if nothing more.
  mutating func next() throws(ClientError) -> DataAvailability? {
    guard try connection.wait(alsoFor: [], until: .after(.zero)).isSocketReady else { return nil }
    let (reply, continues) = try connection.next(Methods.watchDevice)
    guard continues else { throw .protocolError("a lock that is told of once") }
    return DataAvailability(reply)
  }

  /// Waits until there is something to hear, `wakeUp` rings or `deadline` has passed.
  mutating func wait(alsoFor wakeUp: WakeUp, until deadline: Deadline?) throws(ClientError) {
    _ = try connection.wait(alsoFor: [wakeUp.descriptor], until: deadline)
  }
}

/// Hands a stream to the thread that follows it.
final class LockStreamPlace: Sendable {
  private let stream: Mutex<LockStream?>

  init(_ stream: consuming LockStream) { self.stream = Mutex(stream) }

  func take() -> LockStream? { stream.withLock { $0.take() } }
}

extension DataAvailability {
  fileprivate init(_ reply: DeviceMessages.WatchReply) {
    switch reply.state {
    case "unlocked", "noPasscode": self = .available
    case "locking":
      self = .ending(at: .now + .milliseconds(reply.lostInMilliseconds ?? 0))
    case "locked": self = .locked
    case "beforeFirstUnlock": self = .beforeFirstUnlock
    default: self = .unknown
    }
  }
}
