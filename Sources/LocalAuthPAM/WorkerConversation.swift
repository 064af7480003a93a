import LocalAuthSecret
import LocalAuthWire

/// Passes the questions of one transaction to the daemon.
final class WorkerConversation: PAMConversation {
  private let channel: WorkerChannel
  private let id: UInt64
  /// Why the connection became unusable; nil while it is usable.
  private(set) var ending: WorkerEnding?

  init(id: UInt64, channel: WorkerChannel) {
    self.id = id
    self.channel = channel
  }

  func answer(prompt: String, echo: Bool) throws(PAMConversationFailure) -> Secret {
    do throws(WorkerEnding) {
      try channel.send(.prompt(conversation: id, echo: echo, text: prompt))
      if let answer = try nextAnswer() { return answer }
    } catch {
      ending = error
    }
    throw .aborted
  }

  func show(_ text: String, as notice: PAMNotice) throws(PAMConversationFailure) {
    do throws(WorkerEnding) {
      switch notice {
      case .info: try channel.send(.info(conversation: id, text: text))
      case .error: try channel.send(.error(conversation: id, text: text))
      }
    } catch {
      ending = error
      throw .aborted
    }
  }

  /// Waits for the answer to the open prompt; nil if the daemon ends the conversation.
  ///
  /// Drops messages for an earlier conversation.
  private func nextAnswer() throws(WorkerEnding) -> Secret? {
    while true {
      let body = try channel.receive()
      switch try WorkerRequest.reading(body) {
      case .respond(let conversation, let range):
        guard conversation == id else { continue }
        return unsafe body.withUnsafeBytes { bytes in
          unsafe Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
      case .abort(let conversation):
        guard conversation == id else { continue }
        return nil
      case .start: throw .secondConversation
      }
    }
  }
}

extension WorkerRequest {
  /// Parses a message body in wiped memory.
  static func reading(_ body: borrowing Secret) throws(WorkerEnding) -> WorkerRequest {
    do throws(WorkerMessageError) {
      return unsafe try body.withUnsafeBytes { bytes throws(WorkerMessageError) in
        // SAFETY: the bytes of a secret are plain bytes, borrowed for the call.
        let octets = unsafe bytes.assumingMemoryBound(to: UInt8.self)
        return try unsafe WorkerRequest(body: octets.span)
      }
    } catch {
      throw .malformed(error)
    }
  }
}
