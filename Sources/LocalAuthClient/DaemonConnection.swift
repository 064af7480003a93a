import LocalAuthJSON
import LocalAuthSecret
public import LocalAuthUnix
public import LocalAuthWire

/// A blocking connection to the daemon: one request at a time, from one thread at a time.
///
/// A request that carries a secret is composed in secret memory, which is wiped once it is sent.
/// After any failure other than an error reply from the daemon the connection is unusable: a late
/// reply must never be taken for the answer to another request.
public struct DaemonConnection: ~Copyable, Sendable {
  /// How long a request waits for its answer by default.
  public static let standardPatience = Duration.seconds(30)
  /// How long to wait for a request that has a passcode judged: PAM's modules may be slow.
  public static let passcodePatience = Duration.seconds(180)

  private static let frameLimit = WireLimits().frameBytesMax
  private var socket: ClientSocket
  /// The frame's buffer, kept so that a round trip allocates none.
  private var frame: [UInt8] = []
  private var isUsable = true
  /// The user whose devices every call is about; nil for the caller's own.
  private let user: UInt32?

  /// Creates a connection from a socket whose other end has been checked.
  ///
  /// - Parameters:
  ///   - socket: the socket.
  ///   - user: the user whose devices every call is about; nil for the caller's own.
  public init(socket: consuming ClientSocket, user: UInt32? = nil) {
    self.socket = socket
    self.user = user
  }

  /// Calls `method` and waits for its one reply.
  ///
  /// - Parameters:
  ///   - method: the method to call.
  ///   - parameters: its parameters; a secret in them must stay in place during the call.
  ///   - patience: how long to wait for the reply; nil waits as long as the daemon is there.
  /// - Returns: the reply's parameters.
  /// - Throws: ``ClientError``.
  public mutating func call<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ parameters: Call,
    within patience: Duration? = standardPatience
  ) throws(ClientError) -> Reply {
    try send(method, parameters, more: false)
    let (reply, continues) = try receive { (socket) throws(ClientSocketError) in
      // SAFETY: the frame is read inside the closure only.
      guard let patience else {
        return try unsafe socket.receiveFrame { unsafe Self.read($0, Self.whole(Reply.self)) }
      }
      return try unsafe socket.receiveFrame(within: patience) {
        unsafe Self.read($0, Self.whole(Reply.self))
      }
    }
    guard !continues else { throw failed(.protocolError("more replies than were asked for")) }
    return reply
  }

  /// Calls `method` and leaves it to ``next(_:until:)`` to return its replies.
  ///
  /// - Parameters:
  ///   - method: the method to call.
  ///   - parameters: its parameters; a secret in them must stay in place during the call.
  ///   - more: whether the method may reply several times.
  /// - Throws: ``ClientError``.
  public mutating func begin<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ parameters: Call,
    more: Bool = true
  ) throws(ClientError) {
    try send(method, parameters, more: more)
  }

  /// The socket, to poll for the one reply to a method that was begun without `more`.
  public var fileDescriptor: Int32 { socket.fileDescriptor }

  /// Waits for the next reply to the method that was begun.
  ///
  /// - Parameters:
  ///   - method: the method that was begun.
  ///   - deadline: when to give up; nil waits as long as the daemon is there.
  /// - Returns: the reply's parameters, and whether another reply follows.
  /// - Throws: ``ClientError``.
  public mutating func next<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    until deadline: Deadline? = nil
  ) throws(ClientError) -> (reply: Reply, continues: Bool) {
    let (reply, continues) = try next(until: deadline, Self.whole(Reply.self))
    return (reply, continues)
  }

  /// Waits for the next reply, which may carry secrets; `take` copies them into secret memory while
  /// the frame exists.
  mutating func next<Reply: WireObject, Value>(
    until deadline: Deadline?,
    _ take: (Reply, ReplyParameters) throws(WireError) -> Value
  ) throws(ClientError) -> (value: Value, continues: Bool) {
    try receive { (socket) throws(ClientSocketError) in
      // SAFETY: the frame is read inside the closure only.
      try unsafe socket.receiveFrame(until: deadline) { unsafe Self.read($0, take) }
    }
  }

  /// Returns a closure that takes a reply unchanged.
  private static func whole<Reply: WireObject>(
    _: Reply.Type
  ) -> (Reply, ReplyParameters) throws(WireError) -> Reply {
    { reply, _ in reply }
  }

  /// Waits until a reply or one of `others` is readable, or `deadline` has passed.
  ///
  /// - Throws: ``ClientError/unreachable(_:)``.
  public mutating func wait(
    alsoFor others: [Int32],
    until deadline: Deadline?
  ) throws(ClientError) -> ClientSocket.Readiness {
    do throws(SystemError) {
      return try socket.wait(alsoFor: others, until: deadline)
    } catch {
      throw failed(.unreachable("the connection to the daemon failed: \(error)"))
    }
  }

  // MARK: Sending

  private mutating func send<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ parameters: Call,
    more: Bool
  ) throws(ClientError) {
    guard let user else { return try send(parameters, to: method.name, more: more) }
    try send(Addressed(parameters, to: user), to: method.name, more: more)
  }

  private mutating func send(
    _ parameters: some WireObject,
    to method: String,
    more: Bool
  ) throws(ClientError) {
    guard isUsable else { throw Self.brokenConnection }
    if parameters.holdsSecret {
      return try sendFromSecretMemory(method, parameters, more: more)
    }
    frame.removeAll(keepingCapacity: true)
    do throws(JSONWriteError) {
      try IncomingCall.write(method, parameters, more: more, to: &frame)
    } catch {
      throw .protocolError("the request cannot be written")
    }
    guard frame.count <= Self.frameLimit else { throw .requestTooLong(limit: Self.frameLimit) }
    do throws(ClientSocketError) {
      // SAFETY: the bytes are sent inside the closure.
      try unsafe frame.span.withUnsafeBytes { (bytes) throws(ClientSocketError) in
        try unsafe socket.send(bytes)
      }
    } catch {
      throw failed(ClientError(error))
    }
  }

  /// Composes the request in secret memory, which is large enough on the second try at the latest.
  private mutating func sendFromSecretMemory(
    _ method: String,
    _ parameters: some WireObject,
    more: Bool
  ) throws(ClientError) {
    // The largest block of the arena, then a mapping of its own; either is wiped at the end.
    for capacity in [4000, Self.frameLimit + 1] {
      var memory = Secret(capacity: capacity)
      do throws(JSONWriteError) {
        // SAFETY: the writer stays inside the buffer and keeps no pointer to it.
        try unsafe memory.withUnsafeMutableBytes { (room, used) throws(JSONWriteError) in
          used = try unsafe IncomingCall.write(method, parameters, more: more, into: room)
        }
      } catch {
        if error == .bufferFull { continue }
        throw .protocolError("the passcode or script is no UTF-8 text")
      }
      do throws(ClientSocketError) {
        // SAFETY: the bytes are sent inside the closure.
        return try unsafe memory.withUnsafeBytes { (bytes) throws(ClientSocketError) in
          try unsafe socket.send(bytes)
        }
      } catch {
        throw failed(ClientError(error))
      }
    }
    throw .requestTooLong(limit: Self.frameLimit)
  }

  // MARK: Receiving

  private mutating func receive<Value>(
    _ body: (inout ClientSocket) throws(ClientSocketError) -> Result<(Value, Bool), ClientError>
  ) throws(ClientError) -> (value: Value, continues: Bool) {
    guard isUsable else { throw Self.brokenConnection }
    let received: Result<(Value, Bool), ClientError>
    do throws(ClientSocketError) {
      received = try body(&socket)
    } catch {
      throw failed(ClientError(error))
    }
    do throws(ClientError) {
      return try received.get()
    } catch {
      switch error {
      case .remote: throw error
      case .unreachable, .foreignServer, .requestTooLong, .protocolError: throw failed(error)
      }
    }
  }

  @unsafe
  private static func read<Reply: WireObject, Value>(
    _ frame: UnsafeRawBufferPointer,
    _ take: (Reply, ReplyParameters) throws(WireError) -> Value
  ) -> Result<(Value, Bool), ClientError> {
    do throws(WireError) {
      let incoming = try unsafe IncomingReply(frame: frame)
      guard let name = incoming.error else {
        let reply = try unsafe Reply.read(incoming.parameters, of: frame)
        let parameters = unsafe ReplyParameters(incoming.parameters, of: frame)
        return .success((try take(reply, parameters), incoming.continues))
      }
      // An error counts even if its parameters are not understood.
      let parameters = try? unsafe ServiceMessages.ErrorParameters.read(
        incoming.parameters,
        of: frame
      )
      return .failure(
        .remote(name: name, parameters ?? ServiceMessages.ErrorParameters())
      )
    } catch {
      return .failure(.protocolError("\(error)"))
    }
  }

  /// Marks the connection as unusable and returns `error`.
  private mutating func failed(_ error: ClientError) -> ClientError {
    isUsable = false
    return error
  }

  private static var brokenConnection: ClientError {
    .unreachable("the connection to the daemon failed earlier: connect again")
  }
}
