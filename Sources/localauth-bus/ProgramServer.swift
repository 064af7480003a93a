import LocalAuthCore
import LocalAuthJSON
import LocalAuthUnix
import LocalAuthWire

/// Serves `io.localauth.Authenticator` on a listening socket: one call for each connection at a time.
///
/// It belongs to the loop's thread.
final class ProgramServer {
  private let listener: Listener
  private let handlers: [String: (ProgramRequest) throws(WireError) -> Void]

  private static let limits = ConnectionLimits(
    frameSize: Arming.wordSizeMax,
    outputSize: 65_536,
    frameTime: .seconds(5)
  )

  init(_ listener: Listener, _ handlers: [ProgramHandler]) {
    self.listener = listener
    self.handlers = Dictionary(uniqueKeysWithValues: handlers.map { ($0.method, $0.run) })
  }

  func start(on loop: EventLoop) throws(SystemError) {
    try listener.start(on: loop) { [unowned self] socket, peer in
      let connection = Connection(socket, peer: peer, on: loop, limits: Self.limits)
      serve(connection)
    }
  }

  private func serve(_ connection: Connection) {
    var current: ProgramResponder?
    let started: Void? = try? connection.start { [unowned self] connection, frame in
      // A second call before the first is answered is nothing that a client of ours does.
      guard current?.isDone ?? true else { return connection.close() }
      current = answer(frame, on: connection)
    } onClose: { _, _ in
      current?.gone()
    }
    if started == nil { connection.close() }
  }

  private func answer(_ frame: Span<UInt8>, on connection: Connection) -> ProgramResponder? {
    let responder = ProgramResponder(connection)
    // SAFETY: the frame stays in place until this returns, and no handler keeps the request.
    unsafe frame.withUnsafeBytes { bytes in
      do throws(WireError) {
        let call = try unsafe IncomingCall(frame: bytes)
        guard let handler = handlers[call.method] else {
          return responder.fail("org.varlink.service.MethodNotFound", "")
        }
        try handler(unsafe ProgramRequest(call.parameters, of: bytes, responder))
      } catch {
        responder.fail("org.varlink.service.InvalidParameter", "")
      }
    }
    return responder
  }
}

/// What answers one method.
struct ProgramHandler {
  let method: String
  let run: (ProgramRequest) throws(WireError) -> Void

  init<Parameters: WireObject, Reply: WireObject>(
    _ method: Method<Parameters, Reply>,
    _ body: @escaping (Parameters, ProgramResponder) -> Void
  ) {
    self.method = method.name
    run = { (request: ProgramRequest) throws(WireError) in
      body(try request.read(Parameters.self), request.responder)
    }
  }
}

/// A call while it is read.
@safe
struct ProgramRequest {
  let responder: ProgramResponder
  private let range: Range<Int>?
  private let frame: UnsafeRawBufferPointer

  @unsafe
  init(_ range: Range<Int>?, of frame: UnsafeRawBufferPointer, _ responder: ProgramResponder) {
    self.range = range
    unsafe self.frame = frame
    self.responder = responder
  }

  func read<Parameters: WireObject>(_ type: Parameters.Type) throws(WireError) -> Parameters {
    try unsafe Parameters.read(range, of: frame)
  }
}

/// Answers one call: with any number of continuing replies and one last one.
final class ProgramResponder {
  /// Called if the caller goes away before the last reply.
  var onCancel: () -> Void = {}
  private(set) var isDone = false
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  func reply(_ parameters: some WireObject, continues: Bool = false) {
    guard !isDone else { return }
    isDone = !continues
    var frame: [UInt8] = []
    guard (try? IncomingReply.write(parameters, continues: continues, to: &frame)) != nil else {
      return connection.close()
    }
    send(frame)
  }

  func fail(_ error: String, _ message: String) {
    guard !isDone else { return }
    isDone = true
    var parameters = ServiceMessages.ErrorParameters()
    parameters.message = message
    var frame: [UInt8] = []
    guard (try? IncomingReply.write(error: error, parameters, to: &frame)) != nil else {
      return connection.close()
    }
    send(frame)
  }

  fileprivate func gone() {
    guard !isDone else { return }
    isDone = true
    onCancel()
  }

  private func send(_ frame: [UInt8]) {
    // Without the closing NUL, which the connection sends itself.
    _ = connection.send(frame.span.extracting(0..<frame.count - 1))
  }
}
