import Glibc
import LocalAuthWire
import Testing

/// The daemon's end of a connection to a worker.
class WorkerConnection {
  private let socket: Int32

  /// Takes over a connected socket.
  init(socket: Int32) {
    self.socket = socket
    // A worker that says nothing fails the test instead of stopping it.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    #expect(unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0)
  }

  deinit {
    close(socket)
  }

  func start(_ request: PAMRequest, conversation: UInt64 = 1) {
    send(WorkerRequest.startFrame(conversation: conversation, request))
  }

  func abort(conversation: UInt64 = 1) {
    send(WorkerRequest.abortFrame(conversation: conversation))
  }

  func respond(_ answer: String, conversation: UInt64 = 1) {
    let bytes = Array(answer.utf8)
    var frame = [UInt8](repeating: 0, count: bytes.count + WorkerMessage.responseOverhead)
    var span = frame.mutableSpan
    do {
      let count = try WorkerRequest.writeResponse(
        bytes.span,
        conversation: conversation,
        to: &span
      )
      #expect(count == frame.count)
    } catch {
      Issue.record(error)
    }
    send(frame)
    wipe(&frame)
  }

  /// Sends bytes as they are.
  func send(_ bytes: [UInt8]) {
    let sent = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
    #expect(sent == bytes.count)
  }

  /// The next message; nil when the worker has hung up.
  func next() throws -> WorkerReply? {
    guard let prefix = try receive(WorkerMessage.lengthSize) else { return nil }
    let size = try #require(try WorkerMessage.frameSize(prefix.span))
    let body = try #require(try receive(size - prefix.count))
    return try WorkerReply(body: body.span)
  }

  /// Runs a conversation without prompts to its end.
  func judge(_ request: PAMRequest) throws -> PAMJudgement {
    start(request)
    return try finish()
  }

  /// Runs a conversation in which each prompt asks for the password; texts are passed over.
  func judge(_ request: PAMRequest, password: String) throws -> PAMJudgement {
    start(request)
    while true {
      switch try next() {
      case .prompt(_, let echo, _):
        #expect(!echo)
        respond(password)
      case .info, .error: continue
      case .finished(_, let judgement): return judgement
      case .ready, nil: throw Unexpected(reply: nil)
      }
    }
  }

  /// The judgement, which must come next.
  func finish(conversation: UInt64 = 1) throws -> PAMJudgement {
    let reply = try next()
    guard case .finished(conversation, let judgement) = reply else {
      throw Unexpected(reply: reply)
    }
    return judgement
  }

  /// Lets the worker see the end of what the daemon sends.
  func hangUp() {
    shutdown(socket, Int32(SHUT_WR))
  }

  /// Whether the worker has hung up, now or soon.
  var isAtEnd: Bool {
    var byte: UInt8 = 0
    return unsafe recv(socket, &byte, 1, 0) == 0 || errno == ECONNRESET
  }

  struct Unexpected: Error {
    let reply: WorkerReply?
  }

  private func receive(_ count: Int) throws -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let received = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe recv(socket, bytes.baseAddress, bytes.count, Int32(MSG_WAITALL))
    }
    if received == 0 || (received < 0 && errno == ECONNRESET) { return nil }
    try #require(received == count, "the worker said nothing, or half a message")
    return bytes
  }

  private func wipe(_ bytes: inout [UInt8]) {
    for index in bytes.indices { bytes[index] = 0 }
  }
}
