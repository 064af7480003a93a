import Glibc
import LocalAuthWire

/// Serves PAM conversations, one after the other, to the daemon at the other end of a socket.
///
/// Modules run in this process and may hang or crash it; the daemon then sees the socket close, and
/// kills a worker that exceeds its time limit. Only mapped modules outlive a conversation.
public struct PAMWorker: ~Copyable {
  private let channel: WorkerChannel
  private let scope: PAMScope?
  private var held = HeldModules()

  /// Creates a worker for the peer of a connected stream socket, which the worker closes.
  ///
  /// - Parameters:
  ///   - descriptor: the socket.
  ///   - scope: what the peer may request; nil for everything, if the peer has no fewer rights.
  public init(descriptor: Int32, within scope: PAMScope? = nil) {
    channel = WorkerChannel(descriptor: descriptor)
    self.scope = scope
  }

  /// Serves until the connection ends, and returns the reason.
  public mutating func run() -> WorkerEnding {
    do throws(WorkerEnding) {
      try channel.send(.ready)
      while true {
        switch try WorkerRequest.reading(channel.receive()) {
        case .start(let id, let request): try converse(id, request)
        // These belong to a conversation that has ended meanwhile.
        case .respond, .abort: continue
        }
      }
    } catch {
      return error
    }
  }

  private mutating func converse(
    _ id: UInt64,
    _ request: PAMRequest
  ) throws(WorkerEnding) {
    let conversation = WorkerConversation(id: id, channel: channel)
    let judgement = judge(request, conversation)
    if let ending = conversation.ending { throw ending }
    try channel.send(.finished(conversation: id, judgement))
  }

  private mutating func judge(
    _ request: PAMRequest,
    _ conversation: WorkerConversation
  ) -> PAMJudgement {
    guard scope?.contains(request) ?? true else {
      return PAMJudgement(
        verdict: .authInfoUnavailable,
        user: nil,
        message: "this worker serves another PAM service"
      )
    }
    do throws(PAMError) {
      let transaction = try PAMTransaction(request, conversation: conversation)
      held.hold(transaction.serviceFile, for: request)
      return transaction.judge()
    } catch {
      return PAMJudgement(
        verdict: .authInfoUnavailable,
        user: nil,
        message: error.description
      )
    }
  }
}
