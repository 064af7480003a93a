import LocalAuthCore
import LocalAuthJSON
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// A client's process, as the service knows it.
private struct PeerProcess: CallerProcess {
  let reference: ProcessReference

  var hasEnded: Bool { reference.hasEnded }
}

/// A client: its connection and the call being answered.
///
/// Calls are answered one at a time, as Varlink requires: while one is pending nothing more is
/// read. A client that closes its connection cancels its call.
final class ClientConnection {
  let connection: Connection
  let caller: Caller
  /// The client's access groups when it connected.
  let entitlement: CallerEntitlement
  /// The number of the connection, unique while the service runs.
  let number: UInt64
  private var current: Responder?
  /// Called with each change of ``pendingBytes``.
  var onPendingBytes: (Int) -> Void = { _ in }
  /// The bytes of the call that waits for its answer.
  private var pendingBytes = 0 {
    didSet { if pendingBytes != oldValue { onPendingBytes(pendingBytes - oldValue) } }
  }
  /// The number of the context created last for a call that named none.
  private var lastOwnContext = UInt64.max / 2
  /// The scope of the process that connected, read on first use and kept.
  ///
  /// It is not read again, because a process that changes later is no longer the program that
  /// connected.
  private lazy var peerScope: CallerScope? = CallerScope(
    of: connection.holdPeer(),
    looksAtProgram: looksAtProgram
  )
  private let looksAtProgram: Bool
  private var process: ProcessReference?
  /// The login of the process that connected, read on first use and kept, as ``peerScope`` is.
  private lazy var login = try? PeerProgram(of: connection.holdPeer()).auditLogin()
  /// The origin of a call about the caller's own devices: another session may come to the front
  /// between two calls.
  ///
  /// In a service for one user all callers are that user. Counting them by separate origins would
  /// only give that user more attempts.
  var origin: Origin {
    logins.map { Origin(of: connection.peer.userID, in: login, by: $0) } ?? .owner
  }
  private let logins: LoginRecords?

  init(
    _ connection: Connection,
    of caller: Caller,
    _ entitlement: CallerEntitlement,
    number: UInt64,
    looksAtProgram: Bool,
    logins: LoginRecords? = nil
  ) {
    self.connection = connection
    self.caller = caller
    self.entitlement = entitlement
    self.number = number
    self.looksAtProgram = looksAtProgram
    self.logins = logins
  }

  /// The caller's scope; nil if it is unknown or others may speak for the process that connected.
  ///
  /// They may if another process has sent data on this connection, or if the process has ended,
  /// after which its pid may be reused.
  var scope: CallerScope? {
    guard !connection.hasStrangersInput, holdProcess()?.hasEnded == false else { return nil }
    return peerScope
  }

  /// The process that connected, held from the first call that depends on it until the connection closes.
  ///
  /// It is not taken for each call, because the kernel makes a file for it: that takes a third of a call that a grant
  /// answers. Nil if it cannot be held.
  fileprivate func holdProcess() -> ProcessReference? {
    if process == nil { process = connection.holdPeerProcess() }
    return process
  }

  /// Returns a new context number for one call, which no caller can name.
  func nextOwnContext() -> UInt64 {
    lastOwnContext += 1
    return lastOwnContext
  }

  /// Begins to answer a call; `streams` says whether its method has continuing replies.
  func responder(for call: IncomingCall, streams: Bool) -> Responder {
    let responder = Responder(
      self,
      method: call.method,
      isOneway: call.oneway,
      more: call.more && streams
    )
    current = responder
    return responder
  }

  /// Pauses reading if the handler returned before the call, of `count` bytes, was answered; the
  /// answer resumes it.
  func handlerReturned(holding count: Int) {
    guard current != nil else { return }
    pendingBytes = count
    connection.pauseReading()
  }

  fileprivate func answered(_ responder: Responder) {
    guard current === responder else { return }
    current = nil
    pendingBytes = 0
    connection.resumeReading()
  }

  /// Cancels the pending call, because the client is gone.
  func closed() {
    let responder = current
    current = nil
    process = nil
    pendingBytes = 0
    responder?.cancel()
  }
}

/// Answers one call: with any number of continuing replies and one last reply.
final class Responder {
  private(set) var caller: Caller
  /// The caller's access groups.
  let entitlement: CallerEntitlement
  /// The number of the connection.
  let connection: UInt64
  /// Whether the method has continuing replies and the caller accepts them.
  let more: Bool
  /// Called if the client goes away before the call is answered.
  var onCancel: () -> Void = {}
  private weak var client: ClientConnection?
  private let method: String
  private let isOneway: Bool
  private var isDone = false

  fileprivate init(_ client: ClientConnection, method: String, isOneway: Bool, more: Bool) {
    self.client = client
    caller = client.caller
    entitlement = client.entitlement
    connection = client.number
    self.method = method
    self.isOneway = isOneway
    self.more = more
  }

  /// The caller with a hold on its process, for prompts: only that process may answer them.
  var callerWithProcess: Caller {
    var caller = caller
    caller.process = client?.holdProcess().map(PeerProcess.init)
    return caller
  }

  /// The caller with its process and login session, for agents and for requests that need one.
  var callerInSession: Caller {
    var caller = caller
    guard let peer = client?.connection.holdPeer() else { return caller }
    caller.session = try? PeerProgram(of: peer).loginSession()
    caller.process = peer.process.map(PeerProcess.init)
    return caller
  }

  /// The caller with as much of its process as the request needs.
  ///
  /// Nobody answers a prompt that is not shown, so a request that can show none holds no process.
  func caller(of request: EvaluationRequest) -> Caller {
    if request.asksAgent { return callerInSession }
    return request.isInteractive ? callerWithProcess : caller
  }

  /// The number of bytes waiting for the client to read them.
  var unreadBytes: Int { client?.connection.outputCount ?? 0 }

  /// Closes the connection, which cancels the call.
  func drop() { client?.connection.close() }

  /// The scope that distinguishes the caller from others of its user; nil if it is unknown.
  var callerScope: CallerScope? { client?.scope }

  /// Returns a new context number for this call alone.
  func nextOwnContext() -> UInt64 { client?.nextOwnContext() ?? .max }

  /// The origin of calls about the caller's own devices.
  var ownOrigin: Origin { client?.origin ?? .host("") }

  /// Sets whose devices the call is about, which for root may be another user's, and its origin.
  func act(for user: UInt32, from origin: Origin) {
    caller.owner = user
    caller.origin = origin
  }

  /// Sends a continuing reply, if the caller accepts them.
  func replyContinuing(_ parameters: some WireObject) {
    guard more, !isDone, !isOneway else { return }
    var frame: [UInt8] = []
    write(&frame) { frame throws(JSONWriteError) in
      try IncomingReply.write(parameters, continues: true, to: &frame)
    }
  }

  /// Sends the last reply.
  func reply(_ parameters: some WireObject) {
    end { frame throws(JSONWriteError) in try IncomingReply.write(parameters, to: &frame) }
  }

  /// Sends the last reply, which carries `count` bytes of secrets as base64.
  ///
  /// It is composed in wiped memory: buffers of growing size are tried, up to `sizeMax` bytes,
  /// until the reply fits.
  func replySecretly(_ parameters: some WireObject, holding count: Int, sizeMax: Int) {
    guard !isDone else { return }
    var next = 1000
    while next / 4 <= sizeMax {
      let size = min(next, sizeMax)
      next *= 4
      guard size > count else { continue }
      var memory = Secret(capacity: size)
      do throws(JSONWriteError) {
        // SAFETY: the writer stays inside the memory and keeps no pointer to it.
        try unsafe memory.withUnsafeMutableBytes { (room, used) throws(JSONWriteError) in
          used = try unsafe IncomingReply.write(parameters, into: room)
        }
      } catch {
        if error == .bufferFull { continue }
        break
      }
      return end(sending: memory)
    }
    fail(.internalError("The answer is too long to be sent."))
  }

  /// Ends the call with a finished frame, which the connection copies only into memory that it
  /// wipes.
  private func end(sending frame: borrowing Secret) {
    isDone = true
    if !isOneway {
      // SAFETY: the bytes are sent or copied within the call.
      unsafe frame.withUnsafeBytes { bytes in
        let message = unsafe bytes.bindMemory(to: UInt8.self)
        // The connection adds the NUL itself.
        unsafe client?.connection.send(message.span.extracting(droppingLast: 1))
      }
    }
    client?.answered(self)
  }

  /// Ends the call with an error of the called interface.
  func fail(_ error: EngineError) {
    let (name, parameters) = error.onTheWire
    let interface = method.lastIndex(of: ".").map { method[..<$0] } ?? method[...]
    fail("\(interface).\(name)", parameters)
  }

  /// Ends the call with an error.
  func fail(_ name: String, _ parameters: ServiceMessages.ErrorParameters) {
    end { frame throws(JSONWriteError) in
      try IncomingReply.write(error: name, parameters, to: &frame)
    }
  }

  /// Ends the call with what `answer` makes of the value of `result`, or with its error.
  func finish<Value>(
    _ result: Result<Value, EngineError>,
    _ answer: (Value) -> some WireObject
  ) {
    switch result {
    case .success(let value): reply(answer(value))
    case .failure(let error): fail(error)
    }
  }

  /// Ends the call with an empty reply, or with the error of `result`.
  func finish(_ result: Result<Void, EngineError>) {
    finish(result) { ServiceMessages.Empty() }
  }

  fileprivate func cancel() {
    guard !isDone else { return }
    isDone = true
    onCancel()
  }

  private func end(_ body: (inout [UInt8]) throws(JSONWriteError) -> Void) {
    guard !isDone else { return }
    isDone = true
    if !isOneway {
      var frame: [UInt8] = []
      write(&frame, body)
    }
    client?.answered(self)
  }

  private func write(_ frame: inout [UInt8], _ body: (inout [UInt8]) throws(JSONWriteError) -> Void)
  {
    do throws(JSONWriteError) {
      try body(&frame)
      // The connection adds the NUL itself.
      client?.connection.send(frame.span.extracting(droppingLast: 1))
    } catch {
      // A reply that cannot be written would leave the client waiting for ever.
      client?.connection.close()
    }
  }
}
