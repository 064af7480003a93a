import LocalAuthClient

/// A call that waits or runs on a ``ConnectionPool``, and replies to its caller exactly once.
final class KeychainJob: Sendable {
  /// Reports the result to the caller; true if the context was invalidated meanwhile.
  typealias Reply = @Sendable (_ isInvalid: Bool) -> Void

  /// Delivers answers and cancellation to the job's thread.
  let inbox: PromptInbox
  private let body: @Sendable (inout KeychainStream?) -> Reply
  private let refusal: @Sendable (AuthError) -> Void

  /// Creates a job that runs `body` and passes the result to `reply`.
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

  /// Runs the job on `stream`, if any, and leaves the stream that the next call may use.
  func run(_ stream: inout KeychainStream?) -> Reply { body(&stream) }

  /// Ends the job with `error` before it runs.
  func refuse(_ error: AuthError) { refusal(error) }
}
