import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// Where conversations with PAM run.
public enum PAMSource: Sendable {
  /// Nowhere: there is no PAM.
  case none
  /// In processes of the program at this path, which the host starts.
  case program(String)
  /// In processes that root starts, one for each connection to the socket at this path.
  case socket(String)
}

/// One `localauth-pam-worker` and the socket to it.
final class PAMWorkerProcess {
  /// Called with every reply, and once with nil when the worker is gone.
  var onReply: (WorkerReply?) -> Void = { _ in }
  private(set) var isAlive = true
  private let loop: EventLoop
  private let socket: FileDescriptor
  /// Nil if root started the worker; its listener ends it when our end of the socket closes.
  private var process: ChildProcess?
  private var received: [UInt8] = []

  /// Connects to a worker that root starts.
  ///
  /// Passwords are sent to it, so the owner of the socket is checked before this returns.
  init(connectingTo path: String, loop: EventLoop) throws(ConnectError) {
    self.loop = loop
    socket = try ClientSocket.descriptor(connectedTo: path, trusting: .root)
    do throws(SystemError) {
      try loop.add(socket.rawValue, interest: .readable) { [unowned self] _ in receive() }
    } catch {
      throw .system(error)
    }
  }

  /// Starts a worker as a child process.
  init(executable: String, loop: EventLoop) throws(SystemError) {
    self.loop = loop
    let pair = try SocketPair()
    var request = SpawnRequest(
      executable: executable,
      environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
      descriptors: [.null, .null, .null, .duplicate(of: pair.theirs.rawValue)]
    )
    request.diesWithParent = true
    process = try ChildProcess.spawn(request)
    socket = pair.takeOurs()
    try socket.setNonBlocking()
    try loop.add(socket.rawValue, interest: .readable) { [unowned self] _ in receive() }
  }

  // Runs before the socket closes, because the loop's handler must not outlive this object.
  deinit { stop() }

  /// Sends a frame, which is small enough for any socket's buffer.
  @discardableResult
  func send(_ frame: [UInt8]) -> Bool { unsafe frame.span.withUnsafeBytes { unsafe send($0) } }

  /// Answers the open prompt; the answer never leaves wiped memory on this side.
  func respond(_ answer: consuming Secret, conversation: UInt64) -> Bool {
    var frame = Secret(capacity: WorkerMessage.responseOverhead + answer.count)
    let isWritten = unsafe answer.withUnsafeBytes { source in
      unsafe frame.withUnsafeMutableBytes { target, count in
        // SAFETY: both buffers stay in place inside these closures.
        var room = unsafe MutableSpan(_unsafeElements: target.bindMemory(to: UInt8.self))
        let bytes = unsafe source.bindMemory(to: UInt8.self).span
        let written = try? WorkerRequest.writeResponse(
          bytes,
          conversation: conversation,
          to: &room
        )
        count = written ?? 0
        return written != nil
      }
    }
    guard isWritten else { return false }
    return unsafe frame.withUnsafeBytes { unsafe send($0) }
  }

  /// Kills the worker and everything it started.
  func stop() {
    guard isAlive else { return }
    isAlive = false
    loop.remove(socket.rawValue)
    process?.killGroup()
    // Root's listener kills a worker whose daemon hangs up. The descriptor closes with this object,
    // which may still be referenced, so the socket is shut down here.
    socket.shutDown()
  }

  @unsafe
  private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard isAlive, (try? unsafe socket.writeAll(bytes)) != nil else {
      died()
      return false
    }
    return true
  }

  private func receive() {
    guard let chunk = try? socket.readAvailable(limit: 65_536) else { return }
    guard !chunk.isEmpty else { return died() }
    received += chunk
    while isAlive, let reply = nextReply() { onReply(reply) }
  }

  private func nextReply() -> WorkerReply? {
    do throws(WorkerMessageError) {
      guard let size = try WorkerMessage.frameSize(received.span), received.count >= size else {
        return nil
      }
      let body = Array(received[WorkerMessage.lengthSize..<size])
      received.removeFirst(size)
      return try WorkerReply(body: body.span)
    } catch {
      died()
      return nil
    }
  }

  private func died() {
    guard isAlive else { return }
    stop()
    onReply(nil)
  }
}
