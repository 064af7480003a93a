import LocalAuthClient

/// A call that waits for its turn on a ``ConnectionPool`` or has it; its caller hears exactly once.
final class KeychainJob: Sendable {
  /// Tells the caller how it ended; true where the context was invalidated meanwhile.
  typealias Reply = @Sendable (_ isInvalid: Bool) -> Void

  /// Where its thread hears of answers and of cancellation.
  let inbox: PromptInbox
  private let body: @Sendable (inout KeychainStream?) -> Reply
  private let refusal: @Sendable (AuthError) -> Void

  /// The call `body`, whose end is told to `reply`.
  init<Value: Sendable>(
    for caller: KeychainCaller,
    _ inbox: PromptInbox,
    _ body: @escaping @Sendable (inout KeychainSession) throws(KeychainFailure) -> Value,
    reply: @escaping @Sendable (Result<Value, KeychainFailure>) -> Void
  ) {
    self.inbox = inbox
    refusal = { reply(.failure(KeychainFailure($0))) }
    self.body = { stream in
      var session = KeychainSession(for: caller, inbox, over: stream.take())
      let result: Result<Value, KeychainFailure>
      do throws(KeychainFailure) {
        result = .success(try body(&session))
      } catch {
        result = .failure(error)
      }
      stream = session.finish()
      return { isInvalid in
        reply(isInvalid ? .failure(.authentication(.appCancel)) : result)
      }
    }
  }

  /// Does it on a stream, if there is one, and leaves the one that the next call may have.
  func run(_ stream: inout KeychainStream?) -> Reply { body(&stream) }

  /// Ends it before its turn.
  func refuse(_ error: AuthError) { refusal(error) }
}
