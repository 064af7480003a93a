public import LocalAuthSecret
import LocalAuthWire

/// Answers prompts, over a connection of their own, from the process that shows them.
///
/// One thread at a time.
public struct PromptAnswers: ~Copyable, Sendable {
  private var connection: DaemonConnection?
  private let source: any ConnectionSource

  /// Answers to the daemon at `source`; nothing is opened before the first.
  init(to source: any ConnectionSource) { self.source = source }

  /// Answers the prompt of this nonce.
  ///
  /// - Throws: ``ClientError``; `PromptNotFound` where another prompt has taken its place.
  public mutating func respond(nonce: String, passcode: borrowing Secret) throws(ClientError) {
    var call = AuthenticationMessages.RespondCall()
    call.nonce = nonce
    var answers = try open()
    try passcode.lend { (secret) throws(ClientError) in
      call.passcode = secret
      _ = try answers.call(Methods.respond, call)
    }
    connection = consume answers
  }

  /// Cancels, as the user who is asked.
  ///
  /// - Throws: as ``respond(nonce:passcode:)``.
  public mutating func cancel(nonce: String) throws(ClientError) {
    try act("cancel", nonce: nonce)
  }

  /// Asks for the fallback, as the user who is asked.
  ///
  /// - Throws: as ``respond(nonce:passcode:)``.
  public mutating func fallback(nonce: String) throws(ClientError) {
    try act("fallback", nonce: nonce)
  }

  private mutating func act(_ action: String, nonce: String) throws(ClientError) {
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
