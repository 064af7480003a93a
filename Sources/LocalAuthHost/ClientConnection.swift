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

/// One client: its connection, and the call that is being answered.
///
/// Calls are answered one after the other, as Varlink wants it: while one is under way nothing more
/// is read, and a client that closes its connection cancels it.
final class ClientConnection {
  let connection: Connection
  let caller: Caller
  /// Its access groups, as they were when it connected.
  let entitlement: CallerEntitlement
  /// Names the connection while the service runs; never used again.
  let number: UInt64
  private var current: Responder?
  /// The last of the contexts that no call named.
  private var lastOwnContext = UInt64.max / 2
  /// Within which bounds the process that connected is told from others; read when it is first asked
  /// for, and then as it was: what the process becomes later is nobody that connected.
  private lazy var peerScope: CallerScope? = CallerScope(
    of: connection.holdPeer(),
    looksAtProgram: looksAtProgram
  )
  private let looksAtProgram: Bool
  /// Where the caller is when it asks for itself, read when it is first asked for.
  ///
  /// All callers of a service of one user are that user, who would only gain tries if told apart.
  private(set) lazy var origin: Origin =
    logins.map { Origin(of: connection.holdPeer(), by: $0) } ?? .owner
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

  /// The bounds of whoever calls; nil where others may speak for the process that connected: another
  /// one has sent something on this connection, or it has ended and its number may be another's.
  var scope: CallerScope? {
    guard !connection.hasStrangersInput, connection.holdPeerProcess()?.hasEnded == false else {
      return nil
    }
    return peerScope
  }

  /// The number of a context for one call, which no caller can name.
  func nextOwnContext() -> UInt64 {
    lastOwnContext += 1
    return lastOwnContext
  }

  /// Begins to answer a call; `streams` is whether its method has replies that continue.
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

  /// The call's handler has returned; if its answer is still to come, reading pauses until then.
  func handlerReturned() {
    if current != nil { connection.pauseReading() }
  }

  fileprivate func answered(_ responder: Responder) {
    guard current === responder else { return }
    current = nil
    connection.resumeReading()
  }

  /// The client is gone.
  func closed() {
    let responder = current
    current = nil
    responder?.cancel()
  }
}

/// Answers one call: with any number of replies that continue, and one that ends it.
final class Responder {
  private(set) var caller: Caller
  /// Its access groups.
  let entitlement: CallerEntitlement
  /// The number of the connection.
  let connection: UInt64
  /// Whether the caller takes replies that continue, of a method that has some.
  let more: Bool
  /// Called when the client goes away before the call is answered.
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

  /// The caller together with a hold on its process, for prompts: only that process may answer them.
  var callerWithProcess: Caller {
    var caller = caller
    caller.process = client?.connection.holdPeerProcess().map(PeerProcess.init)
    return caller
  }

  /// The same with its session, for agents and those who need one.
  var callerInSession: Caller {
    var caller = caller
    guard let peer = client?.connection.holdPeer() else { return caller }
    caller.session = try? PeerProgram(of: peer).loginSession()
    caller.process = peer.process.map(PeerProcess.init)
    return caller
  }

  /// Bytes that wait for the client to read.
  var unreadBytes: Int { client?.connection.outputCount ?? 0 }

  /// Closes the connection, which cancels the call.
  func drop() { client?.connection.close() }

  /// Within which bounds the caller is told from others of its user; nil where nobody can say.
  var callerScope: CallerScope? { client?.scope }

  /// The number of a context for this call alone.
  func nextOwnContext() -> UInt64 { client?.nextOwnContext() ?? .max }

  /// Where the caller is when it asks for itself.
  var ownOrigin: Origin { client?.origin ?? .host("") }

  /// Says whose devices the call is about, which may be another's for root, and where it comes from.
  func act(for user: UInt32, from origin: Origin) {
    caller.owner = user
    caller.origin = origin
  }

  /// Sends a reply that others follow, to a caller that takes them.
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

  /// Sends the last reply, which carries `count` bytes of secrets as base64, from wiped memory of the
  /// first size up to `sizeMax` that is enough for it.
  func replySecretly(_ parameters: some WireObject, holding count: Int, sizeMax: Int) {
    guard !isDone else { return }
    var next = 1000
    while next / 4 <= sizeMax {
      let size = min(next, sizeMax)
      next *= 4
      guard size > count else { continue }
      var memory = Secret(capacity: size)
      do throws(JSONWriteError) {
        // SAFETY: the writer stays inside the memory and keeps nothing of it.
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

  /// Sends a frame that was written, which the connection copies only into memory that it wipes.
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

  /// Ends the call as `result` says: with what `answer` makes of its value, or with its error.
  func finish<Value>(
    _ result: Result<Value, EngineError>,
    _ answer: (Value) -> some WireObject
  ) {
    switch result {
    case .success(let value): reply(answer(value))
    case .failure(let error): fail(error)
    }
  }

  /// Ends the call as `result` says, where a success has nothing to tell.
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
