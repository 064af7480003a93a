import CLocalAuthLinux
import Glibc

/// A blocking connection of a client to the daemon, which sends nothing before it knows whose it is.
///
/// One thread at a time. Received bytes are wiped once they have been handed out.
public struct ClientSocket: ~Copyable, Sendable {
  /// Whose daemon a client is willing to talk to.
  public enum TrustedServer: Sendable {
    /// One of this process's effective user.
    case ownUser
    /// The system's, which began to listen as root or as its own account.
    case system
    /// Root's alone.
    case root

    func includes(_ uid: UInt32) -> Bool {
      switch self {
      case .ownUser: uid == geteuid()
      case .system: uid == 0 || uid == SystemAccount.uid(of: SystemAccount.service)
      case .root: uid == 0
      }
    }
  }

  /// What ended a wait.
  public struct Readiness: Sendable, Equatable {
    /// Whether ``receiveFrame(until:_:)`` has something to say: a frame, a part of one, or an end.
    public let isSocketReady: Bool
    /// Which of the other descriptors are readable or at their end, in the order they were named.
    public let descriptors: [Int32]
    /// Whether the time passed first.
    public var hasTimedOut: Bool { !isSocketReady && descriptors.isEmpty }
  }

  /// The longest frame a client takes, unless it says otherwise: 1 MiB.
  public static let standardFrameLimit = 1 << 20
  /// How long a daemon may leave a request unread: 10 seconds.
  public static let sendLimit = Duration.seconds(10)

  private let descriptor: FileDescriptor
  private var buffer: FrameBuffer
  /// How long the kernel lets a receive block, in milliseconds; 0 for ever.
  private var receiveLimit: Int32 = 0

  /// Connects to the daemon at `path` and checks whose it is.
  ///
  /// - Parameters:
  ///   - path: the socket's path.
  ///   - server: whose daemon may answer there.
  ///   - deadline: when to give up on a daemon that does not accept.
  ///   - frameLimit: the longest answer, in bytes.
  /// - Returns: a connection to a daemon that is trusted.
  /// - Throws: ``ConnectError``. No byte has been sent then.
  public static func connect(
    to path: String,
    trusting server: TrustedServer,
    until deadline: Deadline,
    frameLimit: Int = standardFrameLimit
  ) throws(ConnectError) -> ClientSocket {
    guard path.utf8.count <= RuntimePaths.longestSocketPath, !path.utf8.contains(0) else {
      throw .pathTooLong(path)
    }
    // 0 would mean no limit.
    let limit = max(1, deadline.remainingMilliseconds)
    // SAFETY: the string is a C string for the length of the call.
    let connected = unsafe la_connect(path, limit)
    guard connected >= 0 else { throw ConnectError(code: -connected, path: path) }
    let descriptor = FileDescriptor(owning: connected)
    try checkServer(descriptor.rawValue, server)
    do throws(SystemError) {
      let milliseconds = Int32(clamping: sendLimit.components.seconds * 1000)
      let limited = la_limit_send(descriptor.rawValue, milliseconds)
      _ = try SystemError.check(limited, "setsockopt")
      return try ClientSocket(descriptor: descriptor, frameLimit: frameLimit)
    } catch {
      throw .system(error)
    }
  }

  /// Connects to the listener at `path` and checks whose it is; never waits.
  ///
  /// - Returns: a descriptor that does not block.
  /// - Throws: ``ConnectError``. No byte has been sent then.
  public static func descriptor(
    connectedTo path: String,
    trusting server: TrustedServer
  ) throws(ConnectError) -> FileDescriptor {
    guard path.utf8.count <= RuntimePaths.longestSocketPath, !path.utf8.contains(0) else {
      throw .pathTooLong(path)
    }
    let created = la_socket_create()
    guard created >= 0 else { throw .system(SystemError("socket", code: -created)) }
    let descriptor = FileDescriptor(owning: created)
    // SAFETY: the string is a C string for the length of the call.
    let connected = unsafe la_socket_connect(created, path)
    guard connected >= 0 else { throw ConnectError(code: -connected, path: path) }
    try checkServer(created, server)
    return descriptor
  }

  /// Wraps a connected socket whose other end is known, such as one of a pair.
  ///
  /// - Throws: what the system says when there is no memory for answers.
  public init(
    descriptor: consuming FileDescriptor,
    frameLimit: Int = standardFrameLimit
  ) throws(SystemError) {
    buffer = try FrameBuffer(limit: frameLimit)
    self.descriptor = descriptor
  }

  /// Sends all of `bytes`; the frame's NUL is the caller's to add.
  ///
  /// - Throws: ``ClientSocketError``. How much was sent is unknown then: close the connection.
  public func send(_ bytes: UnsafeRawBufferPointer) throws(ClientSocketError) {
    var sent = 0
    while sent < bytes.count {
      // SAFETY: the source lies inside `bytes`, since `sent < bytes.count`.
      let count = unsafe Glibc.send(
        descriptor.rawValue,
        bytes.baseAddress.map { unsafe $0 + sent },
        bytes.count - sent,
        Int32(MSG_NOSIGNAL)
      )
      if count >= 0 {
        sent += count
      } else if errno != EINTR {
        throw ClientSocketError(code: errno, call: "send")
      }
    }
  }

  /// Waits for the next frame and lends it, without its NUL, to `body`; it is wiped afterwards.
  ///
  /// - Parameters:
  ///   - deadline: when to give up; nil waits for as long as the daemon is there. Giving up loses
  ///     nothing: the rest of a frame can still be received.
  ///   - body: reads the frame; its memory is not to be kept.
  /// - Returns: what `body` makes of the frame.
  /// - Throws: ``ClientSocketError``.
  public mutating func receiveFrame<R>(
    until deadline: Deadline? = nil,
    _ body: (UnsafeRawBufferPointer) -> R
  ) throws(ClientSocketError) -> R {
    try limitReceive(to: 0)
    while true {
      if let result = unsafe buffer.takeFrame(body) { return result }
      try awaitBytes(until: deadline)
      try receive()
    }
  }

  /// Waits for the next frame as ``receiveFrame(until:_:)`` does, but for at most `limit` from one
  /// part of it to the next, which the kernel watches: a round trip saves a system call.
  ///
  /// - Parameters:
  ///   - limit: how long to wait for each part.
  ///   - body: reads the frame; its memory is not to be kept.
  /// - Returns: what `body` makes of the frame.
  /// - Throws: ``ClientSocketError``.
  public mutating func receiveFrame<R>(
    within limit: Duration,
    _ body: (UnsafeRawBufferPointer) -> R
  ) throws(ClientSocketError) -> R {
    let (seconds, attoseconds) = limit.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let milliseconds = overflow ? Int64.max : whole + attoseconds / 1_000_000_000_000_000
    // 0 would mean no limit.
    try limitReceive(to: max(1, Int32(clamping: milliseconds)))
    while true {
      if let result = unsafe buffer.takeFrame(body) { return result }
      try receive()
    }
  }

  /// Waits until the daemon or one of `others` has something to read.
  ///
  /// - Parameters:
  ///   - others: descriptors of the caller's, such as the terminal or a signal's.
  ///   - deadline: when to stop waiting; nil waits for ever.
  /// - Returns: which of them have.
  /// - Throws: what `poll` reports. A signal does not end the wait.
  public mutating func wait(
    alsoFor others: [Int32] = [],
    until deadline: Deadline? = nil
  ) throws(SystemError) -> Readiness {
    let hasFrame = buffer.hasFrame()
    var entries = ([descriptor.rawValue] + others).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      // A frame that is here already is not announced again by the socket.
      let limit = hasFrame ? 0 : deadline?.remainingMilliseconds ?? -1
      // SAFETY: the array's storage is valid for the call and has `count` entries.
      let ready = unsafe poll(&entries, nfds_t(entries.count), limit)
      if ready < 0, errno != EINTR { throw SystemError("poll", code: errno) }
      let hasPassed = ready == 0 && deadline?.hasPassed ?? false
      guard ready > 0 || hasFrame || hasPassed else { continue }
      let readable = entries.dropFirst().filter { $0.revents != 0 }.map(\.fd)
      return Readiness(
        isSocketReady: hasFrame || entries[0].revents != 0,
        descriptors: ready < 0 ? [] : readable
      )
    }
  }

  private static func checkServer(
    _ descriptor: Int32,
    _ server: TrustedServer
  ) throws(ConnectError) {
    var peer = la_peer()
    // The kernel recorded it when the server began to listen.
    // SAFETY: the pointer is valid for the call.
    let outcome = unsafe la_peer_credentials(descriptor, &peer)
    guard outcome >= 0 else { throw .system(SystemError("getsockopt", code: -outcome)) }
    guard server.includes(peer.uid) else { throw .foreignServer(uid: peer.uid) }
  }

  private mutating func limitReceive(to milliseconds: Int32) throws(ClientSocketError) {
    guard milliseconds != receiveLimit else { return }
    let outcome = la_limit_receive(descriptor.rawValue, milliseconds)
    guard outcome == 0 else { throw .system(SystemError("setsockopt", code: -outcome)) }
    receiveLimit = milliseconds
  }

  private func awaitBytes(until deadline: Deadline?) throws(ClientSocketError) {
    guard let deadline else { return }
    let isReadable: Bool
    do throws(SystemError) {
      isReadable = try waitForEvents(POLLIN, on: descriptor.rawValue, until: deadline)
    } catch {
      throw .system(error)
    }
    guard isReadable else { throw .timedOut }
  }

  private mutating func receive() throws(ClientSocketError) {
    let raw = descriptor.rawValue
    let received: Int?
    do throws(SystemError) {
      // SAFETY: the buffer lends memory of that size.
      received = unsafe try buffer.fill { free in
        while true {
          let count = unsafe recv(raw, free.baseAddress, free.count, 0)
          if count >= 0 || errno != EINTR { return count }
        }
      }
    } catch {
      throw .system(error)
    }
    guard let received else {
      buffer.removeAll()
      throw .frameTooLong(limit: buffer.limit)
    }
    guard received >= 0 else { throw ClientSocketError(code: errno, call: "recv") }
    guard received > 0 else {
      buffer.removeAll()
      throw .closed
    }
  }
}
