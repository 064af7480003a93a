import Glibc
import LocalAuthCore
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// Why a program gave no reply.
enum ProgramFailure: Error {
  /// It replied with this error, and said why if it did.
  case refused(String, message: String)
  /// It closed the connection, or has ended.
  case gone
  /// It sent something that is not a reply to the call.
  case malformed
}

/// One call of an authenticator's program, on a connection of its own.
///
/// It belongs to the loop's thread. Dropping the connection cancels the call.
final class ProgramCall {
  private let connection: Connection
  private var onEnd: ((ProgramFailure) -> Void)?

  private static let limits = ConnectionLimits(
    frameSize: Arming.wordSizeMax,
    outputSize: 65_536,
    frameTime: .seconds(5)
  )

  /// Calls `method`; `onReply` is called with each reply and whether another follows, or once with
  /// why there is none.
  ///
  /// Throws EINVAL if a parameter cannot be sent.
  init<Parameters: WireObject, Reply: WireObject>(
    _ method: Method<Parameters, Reply>,
    _ parameters: Parameters,
    over socket: consuming FileDescriptor,
    on loop: EventLoop,
    onReply: @escaping (Result<(reply: Reply, continues: Bool), ProgramFailure>) -> Void
  ) throws(SystemError) {
    let peer = try PeerIdentity(of: socket.rawValue)
    connection = Connection(socket, peer: peer, on: loop, limits: Self.limits)
    onEnd = { onReply(.failure($0)) }
    try connection.start { [weak self] _, frame in
      guard let self, onEnd != nil else { return }
      switch Self.read(frame, as: Reply.self) {
      case .success(let (reply, continues)):
        if !continues { finish() }
        onReply(.success((reply, continues)))
      case .failure(let failure): end(failure)
      }
    } onClose: { [weak self] _, reason in
      self?.end(reason == .frameTooLarge || reason == .frameTooSlow ? .malformed : .gone)
    }
    guard send(method.name, parameters, more: method.replies == .stream) else {
      connection.close()
      throw SystemError("send", code: EINVAL, subject: method.name)
    }
  }

  deinit { connection.close() }

  /// Closes the connection; nothing is heard of the call any more.
  func cancel() { finish() }

  private func end(_ failure: ProgramFailure) {
    let body = onEnd
    finish()
    body?(failure)
  }

  private func finish() {
    onEnd = nil
    connection.close()
  }

  /// Sends the call from memory that is wiped, since it may hold an answer; false if it is no text, or
  /// too long.
  private func send(_ method: String, _ parameters: some WireObject, more: Bool) -> Bool {
    var memory = Secret(capacity: 8_192)
    // SAFETY: the writer and the connection stay inside the memory while the closures run.
    let isWritten = unsafe memory.withUnsafeMutableBytes { room, used in
      let written = try? unsafe IncomingCall.write(method, parameters, more: more, into: room)
      used = written ?? 0
      return written != nil
    }
    guard isWritten else { return false }
    unsafe memory.withUnsafeBytes { bytes in
      let call = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropLast())
      // That it was not sent is heard when the connection closes.
      _ = connection.send(unsafe call.bindMemory(to: UInt8.self).span)
    }
    return true
  }

  private static func read<Reply: WireObject>(
    _ frame: Span<UInt8>,
    as type: Reply.Type
  ) -> Result<(Reply, Bool), ProgramFailure> {
    // SAFETY: the frame stays in place until this returns, and nothing keeps the pointer.
    unsafe frame.withUnsafeBytes { bytes in
      guard let incoming = try? unsafe IncomingReply(frame: bytes) else {
        return .failure(.malformed)
      }
      guard let error = incoming.error else {
        guard let reply = try? unsafe Reply.read(incoming.parameters, of: bytes) else {
          return .failure(.malformed)
        }
        return .success((reply, incoming.continues))
      }
      let parameters = try? unsafe ServiceMessages.ErrorParameters.read(
        incoming.parameters,
        of: bytes
      )
      return .failure(.refused(error, message: parameters?.message ?? ""))
    }
  }
}
