import LocalAuthSecret
import LocalAuthWire

/// Answers prompts, over a connection of their own, from the process that shows them.
struct PromptAnswers: ~Copyable, Sendable {
  private var connection: DaemonConnection?
  private let source: any ConnectionSource

  /// Answers to the daemon at `source`; nothing is opened before the first.
  init(to source: any ConnectionSource) { self.source = source }

  /// Answers the question of the prompt with this nonce.
  mutating func respond(nonce: String, passcode: borrowing Secret) throws(ClientError) {
    var call = AuthenticationMessages.RespondCall()
    call.nonce = nonce
    var answers = try open()
    try passcode.lend { (secret) throws(ClientError) in
      call.passcode = secret
      _ = try answers.call(Methods.respond, call)
    }
    connection = consume answers
  }

  /// Answers it with `cancel` or `fallback`.
  mutating func act(_ action: String, nonce: String) throws(ClientError) {
    var call = AuthenticationMessages.RespondCall()
    call.nonce = nonce
    call.action = action
    var answers = try open()
    _ = try answers.call(Methods.respond, call)
    connection = consume answers
  }

  /// The connection, to be put back after a call that succeeded; no daemon is started for it, because
  /// another one knows nothing of the prompt.
  private mutating func open() throws(ClientError) -> DaemonConnection {
    if let kept = connection.take() { return kept }
    return try source.connectToRunning()
  }
}
