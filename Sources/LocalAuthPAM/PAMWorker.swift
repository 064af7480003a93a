import Glibc
import LocalAuthWire

/// Serves conversations with PAM, one after the other, to the daemon at the other end of a socket.
///
/// Modules run in this process and may hang or crash it; the daemon sees that the socket closes, and
/// kills whatever exceeds its time. Nothing here outlives a conversation except mapped modules.
public struct PAMWorker: ~Copyable {
  private let channel: WorkerChannel
  private let scope: PAMScope?
  private var held = HeldModules()

  /// Serves the peer of a connected stream socket, which the worker closes.
  ///
  /// - Parameters:
  ///   - descriptor: the socket.
  ///   - scope: what the peer may ask for; nil for everything, to a peer with no fewer rights.
  public init(descriptor: Int32, within scope: PAMScope? = nil) {
    channel = WorkerChannel(descriptor: descriptor)
    self.scope = scope
  }

  /// Serves until the connection ends, and says why it did.
  public mutating func run() -> WorkerEnding {
    do throws(WorkerEnding) {
      try channel.send(.ready)
      while true {
        switch try WorkerRequest.reading(channel.receive()) {
        case .start(let id, let request): try converse(id, request)
        // What belongs to a conversation that has ended meanwhile.
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
