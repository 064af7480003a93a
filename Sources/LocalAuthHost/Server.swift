import LocalAuthCore
import LocalAuthPolicies
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// What one user takes up of the service.
private struct UserShare {
  var connections = 0
  /// The bytes of the calls that wait for an answer.
  var pendingBytes = 0
}

/// Serves calls from one engine, to any number of connections on one loop.
final class Server {
  /// What the handlers report about the service.
  struct Description {
    var version: String
    var storage: String
    var socket: String?
    var pid: Int32
  }

  let engine: Engine
  let limits: WireLimits
  let description: Description
  let started: BootInstant
  let programs: AuthenticatorPrograms
  let audit: AuditFeed
  /// The copy of the audit that users cannot reach, if there is one.
  let trail: AuditTrail?
  private let handlers = Handler.byName()
  private let loop: EventLoop
  private var clients: [ObjectIdentifier: ClientConnection] = [:]
  private var shares: [UInt32: UserShare] = [:]
  /// The number of the last accepted connection.
  private var lastConnection: UInt64 = 0
  private var audience: Audience { configuration.audience }
  /// The records of who sits at this machine; nil in a service for one user.
  private let logins: LoginRecords?
  private var configuration: HostConfiguration
  /// What is wrong with the files of the configuration, one line each.
  private var problems: Set<String>
  /// Called whenever the last connection closes.
  var onIdle: () -> Void = {}
  /// Called with each further mistake in a file that was read anew, in one line for the log.
  var onWarning: (String) -> Void = { _ in }
  /// Whether the service ends: no call is taken any more.
  var isEnding = false
  /// Ends the process; nil if the service is part of a program of another purpose.
  var onStop: (() -> Void)?

  init(
    engine: Engine,
    configuration: HostConfiguration,
    store: any StateStoring,
    programs: AuthenticatorPrograms,
    loop: EventLoop,
    limits: WireLimits,
    description: Description,
    logins: LoginRecords?,
    trail: AuditTrail?
  ) {
    self.engine = engine
    self.configuration = configuration
    self.programs = programs
    self.loop = loop
    self.limits = limits
    self.description = description
    self.trail = trail
    self.logins = logins
    problems = Set(configuration.problems)
    started = SystemClock.bootNow()
    audit = AuditFeed(store: store, limits: limits)
    engine.onAuditLine = { [audit] line in
      trail?.add(line)
      audit.add(line)
    }
    trail?.onWarning = { [weak self] in self?.onWarning($0) }
    engine.onSyncDoubt = { [weak self] in self?.onWarning($1.line(of: $0)) }
  }

  var connectionCount: Int { clients.count }

  /// The policies in force.
  var catalog: PolicyCatalog { configuration.catalog }

  /// Accepts a new connection, unless its user has too many or is not served here.
  func accept(_ socket: consuming FileDescriptor, _ peer: PeerIdentity) {
    let connection = Connection(
      socket,
      peer: peer.withoutProcess,
      on: loop,
      limits: ConnectionLimits(
        frameSize: limits.frameBytesMax,
        outputSize: limits.outputBytesMax,
        frameTime: limits.partialFrameLimit
      )
    )
    if let refusal = audience.refusal(of: peer.userID) {
      return turnAway(connection, "NotPermitted", refusal)
    }
    guard hasRoom(for: peer.userID) else {
      return turnAway(connection, "LimitReached", "Too many connections are open.")
    }
    do throws(SystemError) {
      try start(connection, of: Caller(peer), configuration.entitlements.entitlement(of: peer))
    } catch {
      connection.close()
    }
  }

  /// Whether `user` may have another connection.
  ///
  /// In a service for all users root always may: logins connect as root, and other users must not
  /// be able to block them by filling the limits.
  private func hasRoom(for user: UInt32) -> Bool {
    if isUnlimited(user) { return true }
    return clients.count < limits.connectionsMax
      && shares[user, default: UserShare()].connections < limits.connectionsPerUserMax
  }

  /// Whether another call of `user` with `count` bytes may wait for an answer.
  ///
  /// What the service keeps of a call, secrets included, is about as large as its frame. Answers that
  /// the user has not read take from the same share.
  private func hasRoom(forBytes count: Int, of user: UInt32) -> Bool {
    guard !isUnlimited(user) else { return true }
    let pending = shares[user, default: UserShare()].pendingBytes
    let unread = clients.values.lazy.filter { $0.connection.peer.userID == user }
      .reduce(0) { $0 + $1.connection.outputCount }
    return pending + unread + count <= limits.pendingBytesPerUserMax && mayKeep(count, of: user)
  }

  /// Whether `count` bytes more may be kept for `user`: calls may have been taken before their answers find nobody who reads
  /// them, and frames come in parts.
  private func mayKeep(_ count: Int, of user: UInt32) -> Bool {
    guard !isUnlimited(user) else { return true }
    var (own, all) = (count, count)
    for client in clients.values {
      let kept = client.connection.keptCount
      all += kept
      if client.connection.peer.userID == user { own += kept }
    }
    for (holder, share) in shares {
      all += share.pendingBytes
      if holder == user { own += share.pendingBytes }
    }
    return own <= limits.keptBytesPerUserMax && all <= limits.keptBytesMax
  }

  private func isUnlimited(_ user: UInt32) -> Bool { audience.isEverybody && user == 0 }

  private func start(
    _ connection: Connection,
    of caller: Caller,
    _ entitlement: CallerEntitlement
  ) throws(SystemError) {
    lastConnection += 1
    let client = ClientConnection(
      connection,
      of: caller,
      entitlement,
      number: lastConnection,
      looksAtProgram: !audience.isEverybody,
      logins: logins
    )
    let key = ObjectIdentifier(connection)
    let uid = connection.peer.userID
    client.onPendingBytes = { [weak self] change in self?.shares[uid]?.pendingBytes += change }
    connection.mayKeep = { [weak self] in self?.mayKeep($0, of: uid) ?? true }
    // The loop keeps connections alive, also those of a host that is gone.
    try connection.start { [weak self] _, frame in
      self?.received(frame, from: client)
    } onClose: { [weak self] _, _ in
      client.closed()
      self?.ended(client, key, uid)
    }
    clients[key] = client
    shares[uid, default: UserShare()].connections += 1
  }

  private func ended(_ client: ClientConnection, _ key: ObjectIdentifier, _ uid: UInt32) {
    clients[key] = nil
    shares[uid]?.connections -= 1
    if shares[uid]?.connections == 0 { shares[uid] = nil }
    engine.connectionEnded(client.number)
    if clients.isEmpty { onIdle() }
  }

  /// Sends the reason in one error reply and closes; reads nothing from the peer.
  private func turnAway(_ connection: Connection, _ name: String, _ message: String) {
    var parameters = ServiceMessages.ErrorParameters()
    parameters.message = message
    var frame: [UInt8] = []
    let error = "\(AuthenticationMessages.interface).\(name)"
    guard (try? connection.start(onFrame: { _, _ in }, onClose: { _, _ in })) != nil,
      (try? IncomingReply.write(error: error, parameters, to: &frame)) != nil
    else { return connection.close() }
    connection.pauseReading()
    connection.send(frame.span.extracting(droppingLast: 1))
    connection.close(afterFlush: true)
  }

  private func received(_ frame: Span<UInt8>, from client: ClientConnection) {
    guard !isEnding else { return }
    // SAFETY: the frame stays in place until this returns, and nothing keeps the pointer.
    unsafe frame.withUnsafeBytes { bytes in
      do throws(WireError) {
        let incoming = try unsafe IncomingCall(frame: bytes)
        let handler = handlers[incoming.method]
        let streams = handler?.method.replies == .stream
        let responder = client.responder(for: incoming, streams: streams)
        if let handler, !mayWait(handler, frame.count, for: client) {
          responder.fail(.limitReached("Too many calls of this user wait for an answer."))
        } else if let handler {
          let gate = CallGate(handler.method.access, responder, audience)
          let call = unsafe Call(incoming, of: bytes, to: self, through: gate, responder)
          answer(call, with: handler)
        } else {
          refuse(incoming.method, responder)
        }
        client.handlerReturned(holding: frame.count)
      } catch {
        // A frame that is no call gets no answer: the peer does not speak the protocol.
        client.connection.close()
      }
    }
  }

  /// Whether the user's share has room for the call, should it have to wait; what anybody may call
  /// never does.
  private func mayWait(_ handler: Handler, _ count: Int, for client: ClientConnection) -> Bool {
    handler.method.access == .anybody
      || hasRoom(forBytes: count, of: client.connection.peer.userID)
  }

  private func answer(_ call: borrowing Call, with handler: Handler) {
    let responder = call.responder
    takeUpPolicies()
    do throws(WireError) {
      try handler.run(call)
    } catch {
      var wrong = ServiceMessages.ErrorParameters()
      switch error {
      case .notPermitted(let why): return responder.fail(.notPermitted(why))
      case .invalidParameter(let name): wrong.parameter = name
      case .malformed, .notAMessage: wrong.parameter = "parameters"
      }
      responder.fail("\(ServiceMessages.interface).InvalidParameter", wrong)
    }
  }

  /// Takes up the policies if their files changed, so that a call finds what they say now.
  private func takeUpPolicies() {
    guard configuration.refreshPolicies() else { return }
    takeUpConfiguration()
  }

  /// Reads all configuration anew and returns what is wrong with it, one line each.
  ///
  /// A connection keeps the access groups that it was accepted with.
  func reload() -> [String] {
    configuration.read()
    programs.read()
    takeUpConfiguration()
    return configuration.problems + programs.problems
  }

  private func takeUpConfiguration() {
    let found = configuration.problems
    for problem in found where !problems.contains(problem) { onWarning(problem) }
    problems = Set(found)
    engine.takeUp(configuration.catalog)
  }

  private func refuse(_ method: String, _ responder: Responder) {
    var wrong = ServiceMessages.ErrorParameters()
    let interface = method.lastIndex(of: ".").map { String(method[..<$0]) } ?? method
    if Interfaces.all.contains(where: { $0.name == interface }) {
      wrong.method = method
      responder.fail("\(ServiceMessages.interface).MethodNotFound", wrong)
    } else {
      wrong.interface = interface
      responder.fail("\(ServiceMessages.interface).InterfaceNotFound", wrong)
    }
  }
}

extension Caller {
  /// The caller as the kernel identifies it; its program is read once, while it still runs.
  fileprivate init(_ peer: PeerIdentity) {
    let path = peer.executablePath.map { Self.readable($0) }
    let file = path.flatMap { components(ofPath: $0).last }
    // A service that is not root cannot see the executable of another user's process, only its
    // name.
    let program = file ?? Self.readable(peer.commandName ?? "")
    self.init(
      uid: peer.userID,
      pid: peer.processID,
      program: program.isEmpty ? "?" : program
    )
    self.path = path
    terminal = peer.terminal
  }

  private static func readable(_ text: String) -> String {
    String(
      text.map { character in
        character.unicodeScalars.allSatisfy(\.standsForItself) ? character : "?"
      }
    )
  }
}
