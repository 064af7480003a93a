public import LocalAuthSecret
import LocalAuthWire

/// Answers prompts over a separate connection, from the process that shows them.
///
/// Use it from one thread at a time.
public struct PromptAnswers: ~Copyable, Sendable {
  private var connection: DaemonConnection?
  private let source: any ConnectionSource

  /// Creates answers to the daemon at `source`; the connection opens with the first answer.
  init(to source: any ConnectionSource) { self.source = source }

  /// Answers the prompt with this nonce.
  ///
  /// - Throws: ``ClientError``; `PromptNotFound` if the prompt was replaced or has ended.
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

  /// Cancels on behalf of the user who is asked.
  ///
  /// - Throws: the same errors as ``respond(nonce:passcode:)``.
  public mutating func cancel(nonce: String) throws(ClientError) {
    try act("cancel", nonce: nonce)
  }

  /// Chooses the fallback on behalf of the user who is asked.
  ///
  /// - Throws: the same errors as ``respond(nonce:passcode:)``.
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

  /// Returns the connection, which the caller puts back after a call that succeeded.
  ///
  /// It starts no daemon, because a new one would not know the prompt.
  private mutating func open() throws(ClientError) -> DaemonConnection {
    if let kept = connection.take() { return kept }
    return try source.connectToRunning()
  }
}
