import CLocalAuthLinux
import Glibc

/// A client's blocking connection to the daemon; it checks the server's user before it sends.
///
/// Use it from one thread at a time. Received bytes are wiped after they have been handed out.
public struct ClientSocket: ~Copyable, Sendable {
  /// Which user's daemon a client accepts.
  public enum TrustedServer: Sendable {
    /// A daemon of this process's effective user.
    case ownUser
    /// The system daemon, which started listening as root or as its own account.
    case system
    /// A daemon of root only.
    case root

    func includes(_ uid: UInt32) -> Bool {
      switch self {
      case .ownUser: uid == geteuid()
      case .system: uid == 0 || uid == SystemAccount.uid(of: SystemAccount.service)
      case .root: uid == 0
      }
    }
  }

  /// The outcome of a wait.
  public struct Readiness: Sendable, Equatable {
    /// Whether the socket has a frame, part of a frame or the end of the stream to receive.
    public let isSocketReady: Bool
    /// The other descriptors that are readable or at end of file, in the order given.
    public let descriptors: [Int32]
    /// Whether the deadline passed first.
    public var hasTimedOut: Bool { !isSocketReady && descriptors.isEmpty }
  }

  /// The default limit for a received frame: 1 MiB.
  public static let standardFrameLimit = 1 << 20
  /// How long a send waits for a daemon that does not read: 10 seconds.
  public static let sendLimit = Duration.seconds(10)

  /// The socket; only poll it, and only if no frame may have been received along with another.
  public var fileDescriptor: Int32 { descriptor.rawValue }

  private let descriptor: FileDescriptor
  private var buffer: FrameBuffer
  /// The socket's receive timeout, in milliseconds; 0 for none.
  private var receiveLimit: Int32 = 0

  /// Connects to the running daemon that `paths` mean, and checks which user runs it.
  ///
  /// If none listens at the socket that follows from the environment, it is the one that the daemon
  /// of this home says it listens on.
  ///
  /// - Throws: ``ConnectError``. No byte has been sent then.
  public static func connect(
    toDaemonOf paths: RuntimePaths,
    trusting server: TrustedServer,
    until deadline: Deadline
  ) throws(ConnectError) -> ClientSocket {
    do throws(ConnectError) {
      return try connect(to: paths.socket, trusting: server, until: deadline)
    } catch {
      guard case .notRunning = error, !paths.isSocketNamed,
        let other = ListeningFile.socket(ofDaemonAt: paths.home), other != paths.socket
      else { throw error }
      return try connect(to: other, trusting: server, until: deadline)
    }
  }

  /// Connects to the daemon at `path` and checks which user runs it.
  ///
  /// - Parameters:
  ///   - path: the socket's path.
  ///   - server: the user whose daemon is trusted.
  ///   - deadline: when to give up on a daemon that does not accept.
  ///   - frameLimit: the longest answer, in bytes.
  /// - Returns: a connection to a trusted daemon.
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

  /// Connects to the listener at `path` and checks which user runs it; never waits.
  ///
  /// - Returns: a non-blocking descriptor.
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

  /// Wraps a connected socket whose peer is known, such as one end of a pair.
  ///
  /// - Throws: a system error if memory for answers cannot be mapped.
  public init(
    descriptor: consuming FileDescriptor,
    frameLimit: Int = standardFrameLimit
  ) throws(SystemError) {
    buffer = try FrameBuffer(limit: frameLimit)
    self.descriptor = descriptor
  }

  /// Sends all of `bytes`; the caller adds the NUL that ends a frame.
  ///
  /// A peer that has closed may have said why before, as to one connection too many: who reads next hears that, or that it
  /// has closed.
  ///
  /// - Throws: ``ClientSocketError``. Close the connection then: how much was sent is unknown.
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
      } else if errno == EPIPE || errno == ECONNRESET {
        return
      } else if errno != EINTR {
        throw ClientSocketError(code: errno, call: "send")
      }
    }
  }

  /// Waits for the next frame and lends it, without its NUL, to `body`; wipes it afterwards.
  ///
  /// - Parameters:
  ///   - deadline: when to give up; nil waits as long as the connection lasts. Nothing is lost on
  ///     giving up: a later call receives the rest of a frame.
  ///   - body: reads the frame; it must not keep the memory.
  /// - Returns: the result of `body`.
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

  /// Waits for the next frame as ``receiveFrame(until:_:)`` does, with a time limit for each part.
  ///
  /// The kernel enforces the limit (SO_RCVTIMEO), which saves a `poll` on each round trip.
  /// - Parameters:
  ///   - limit: how long to wait for each part of the frame.
  ///   - body: reads the frame; it must not keep the memory.
  /// - Returns: the result of `body`.
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

  /// Waits until the connection or one of `others` is readable.
  ///
  /// - Parameters:
  ///   - others: descriptors of the caller, such as a terminal or a signalfd.
  ///   - deadline: when to stop waiting; nil waits forever.
  /// - Returns: what is readable.
  /// - Throws: the error of `poll`. A signal does not end the wait.
  public mutating func wait(
    alsoFor others: [Int32] = [],
    until deadline: Deadline? = nil
  ) throws(SystemError) -> Readiness {
    let hasFrame = buffer.hasFrame()
    var entries = ([descriptor.rawValue] + others).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      // The socket does not become readable for a frame that is in the buffer already.
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
    // The kernel recorded these credentials when the server called listen.
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
      // SAFETY: `free` is writable memory of `free.count` bytes for the call.
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
