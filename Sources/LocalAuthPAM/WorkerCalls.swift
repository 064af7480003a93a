import CLocalAuthLinux
import Glibc
import LocalAuthCore
import LocalAuthSecret
import LocalAuthWire

/// The calls of the daemon to one worker, one after the other.
///
/// What needs no attempt is answered here: what the worker is, whether it can judge, what is
/// enrolled.
final class WorkerCalls {
  /// A call that is about an attempt, or its end.
  enum Event {
    /// An attempt begins; its connection lives as long as it does.
    case armed(WorkerAttempt)
    /// The question of the attempt is answered.
    case answered(SecretBox)
    /// The daemon no longer waits for the attempt.
    case cancelled
  }

  private let listener: Int32
  private let daemon: UInt32?
  /// The open calls of `Watch`, which have nothing more to tell.
  private var watches: [WorkerCall] = []

  /// The most open calls of `Watch`; the oldest makes room for one more.
  private static let watchesMax = 4
  private static let version = "1"
  /// The one thing that an account has; nobody is told when it changes.
  private static let label = "password"

  /// Takes over a listening socket.
  ///
  /// - Parameters:
  ///   - listener: the socket.
  ///   - daemon: the only uid whose calls are read; nil if nobody else can connect.
  /// - Throws: ``WorkerFailure`` if the descriptor is no listening socket.
  init(listener: Int32, from daemon: UInt32?) throws(WorkerFailure) {
    guard la_socket_is_listener(listener) == 1 else { throw WorkerFailure(code: ENOTSOCK) }
    // Modules start programs, which must not inherit the socket.
    let prepared = la_socket_set_nonblocking(listener)
    guard prepared >= 0 else { throw WorkerFailure(code: -prepared) }
    self.listener = listener
    self.daemon = daemon
  }

  /// Waits for the next event; `attempt` is the one that waits for an answer.
  func next(during attempt: WorkerAttempt?) throws(WorkerFailure) -> Event {
    while true {
      // The end of the attempt comes first: nothing is an answer any more. poll(2) looks at one socket
      // after the other, so who connected after the end may be seen before it.
      if try wait(during: attempt) || attempt?.isOver == true { return .cancelled }
      guard let call = try accept() else { continue }
      guard let frame = call.receive(unlessHeardFrom: attempt?.call) else { continue }
      if let event = handle(frame, of: call, during: attempt) { return event }
    }
  }

  /// Waits for a connection; returns whether the attempt was cancelled instead.
  private func wait(during attempt: WorkerAttempt?) throws(WorkerFailure) -> Bool {
    let events = Int16(POLLIN)
    while true {
      // A negative descriptor is not waited for.
      var entries = [
        pollfd(fd: attempt?.call.descriptor ?? -1, events: events, revents: 0),
        pollfd(fd: listener, events: events, revents: 0),
      ]
      entries += watches.map { pollfd(fd: $0.descriptor, events: events, revents: 0) }
      // SAFETY: the array's storage is valid for the call and has `count` entries.
      guard unsafe poll(&entries, nfds_t(entries.count), -1) >= 0 else {
        if errno == EINTR { continue }
        throw WorkerFailure(code: errno)
      }
      if entries[0].revents != 0 { return true }
      watches = zip(watches, entries.dropFirst(2)).filter { $1.revents == 0 }.map(\.0)
      if entries[1].revents != 0 { return false }
    }
  }

  /// The next connection of the daemon's; nil if there is none, or if it is somebody else's.
  private func accept() throws(WorkerFailure) -> WorkerCall? {
    let connection = la_socket_accept(listener)
    guard connection >= 0 else {
      switch -connection {
      case EAGAIN, EINTR, ECONNABORTED: return nil
      default: throw WorkerFailure(code: -connection)
      }
    }
    let call = WorkerCall(owning: connection)
    guard let daemon else { return call }
    var peer = la_peer()
    // SAFETY: `peer` outlives the call that fills it.
    let isKnown = unsafe la_peer_credentials(connection, &peer) >= 0
    return isKnown && peer.uid == daemon ? call : nil
  }

  private func handle(
    _ frame: borrowing Secret,
    of call: WorkerCall,
    during attempt: WorkerAttempt?
  ) -> Event? {
    // SAFETY: the bytes are borrowed for the call, and nothing that is read keeps them.
    unsafe frame.withUnsafeBytes { bytes in
      do throws(WireError) {
        let request = try unsafe AuthenticatorCall(frame: bytes)
        return try unsafe handle(request, in: bytes, of: call, during: attempt)
      } catch {
        call.refuse("org.varlink.service.InvalidParameter")
        return nil
      }
    }
  }

  @unsafe
  private func handle(
    _ request: AuthenticatorCall,
    in frame: UnsafeRawBufferPointer,
    of call: WorkerCall,
    during attempt: WorkerAttempt?
  ) throws(WireError) -> Event? {
    switch request {
    case .describe: describe(to: call)
    case .watch: hold(call)
    case .enrolled(let user): tellEnrolled(user, to: call)
    case .arm(let name, let user):
      guard EvaluationID(text: name) != nil, PAMService.isUser(user) else {
        throw .invalidParameter("attempt")
      }
      guard attempt != nil else { return .armed(WorkerAttempt(name, of: user, over: call)) }
      call.refuse(AuthenticatorMessages.unavailable, "It judges another attempt.")
    case .answer(let name, let secret, let range):
      guard let attempt, attempt.name == name, !attempt.isOver else {
        call.refuse(AuthenticatorMessages.noSuchAttempt)
        return nil
      }
      let parameters = unsafe UnsafeRawBufferPointer(rebasing: frame[range])
      let answer = try unsafe Self.answer(secret, from: parameters)
      call.reply(ServiceMessages.Empty())
      return .answered(answer)
    case .other: call.refuse("org.varlink.service.MethodNotFound")
    }
    return nil
  }

  /// The answer, which must be one that PAM takes whole.
  @unsafe
  private static func answer(
    _ secret: WireSecret,
    from parameters: UnsafeRawBufferPointer
  ) throws(WireError) -> SecretBox {
    var answer = Secret(capacity: Arming.answerSizeMax)
    // libpam would cut the answer off at a NUL.
    try unsafe secret.decode(from: parameters) { $0 != 0 && answer.append($0) }
    return SecretBox(answer)
  }

  // MARK: What needs no attempt

  private func describe(to call: WorkerCall) {
    var reply = AuthenticatorMessages.DescribeReply()
    reply.version = Self.version
    reply.kind = AuthenticatorKind.password.name
    reply.asks = AuthenticatorDescription.Asking.text.rawValue
    call.reply(reply)
  }

  private func hold(_ call: WorkerCall) {
    var reply = AuthenticatorMessages.WatchReply()
    reply.state = AuthenticatorState.available.rawValue
    guard call.reply(reply, continues: true) else { return }
    if watches.count == Self.watchesMax { watches.removeFirst() }
    watches.append(call)
  }

  private func tellEnrolled(_ user: String, to call: WorkerCall) {
    var reply = AuthenticatorMessages.EnrolledReply()
    // SAFETY: the name lives for the call, and only whether there is an entry is used.
    if PAMService.isUser(user), unsafe getpwnam(user) != nil { reply.labels = [Self.label] }
    reply.setToken = Self.label
    call.reply(reply)
  }
}

/// An attempt that the worker judges, and the connection of its `Arm`.
final class WorkerAttempt {
  /// The attempt's name.
  let name: String
  /// The account to authenticate.
  let user: String
  let call: WorkerCall

  init(_ name: String, of user: String, over call: WorkerCall) {
    self.name = name
    self.user = user
    self.call = call
  }

  /// Whether the daemon has ended it.
  var isOver: Bool { call.hasNews }
}
