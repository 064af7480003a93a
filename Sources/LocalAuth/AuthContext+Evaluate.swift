import LocalAuthCore
public import LocalAuthToken
import LocalAuthUnix

extension AuthContext {
  /// Evaluates a policy, and asks a person if necessary.
  ///
  /// The evaluation runs on its own thread, so waiting for a person blocks neither the caller's
  /// thread nor one of Swift concurrency's. Cancelling the task ends the evaluation with
  /// ``AuthError/appCancel``; attempts already made stay counted.
  ///
  /// - Parameters:
  ///   - policy: the policy to evaluate.
  ///   - reason: the reason shown to the person; nil for ``localizedReason``. At most 1024 bytes.
  ///   - action: the exact action to approve. It is shown in full and unchanged, and the result and
  ///     the audit record its digest. A success for a different action is never reused for it. At
  ///     most 1024 bytes, of visible characters and single spaces.
  ///   - assertion: the audience to sign the success for; the signed result is
  ///     ``Evaluation/assertion``.
  ///   - maxAge: the maximum age of an earlier success that may answer instead of a person; this
  ///     success is then remembered too. Nil, the default, disables both. The policy limits the age
  ///     it allows. The earlier success must be for the same policy, action and audience, and for
  ///     the same process or, if the process has a terminal, the same program in the same session.
  ///     ``Evaluation/age`` tells whether an earlier success answered.
  ///   - maxUses: how many times this success may answer again; nil for as many as the policy
  ///     allows.
  /// - Returns: what was proven, and the methods that proved it.
  /// - Throws: the reason for the failure. An empty reason, an action that cannot be shown
  ///   unchanged, and limits that allow nothing throw ``AuthError/usage(_:)``.
  @discardableResult
  public func evaluate(
    _ policy: PolicyName,
    reason: String? = nil,
    action: String? = nil,
    assertion: AssertionRequest? = nil,
    maxAge: Duration? = nil,
    maxUses: Int? = nil
  ) async throws(AuthError) -> Evaluation {
    let run = try core.begin(
      policy,
      reason,
      action: action,
      assertion: assertion,
      reuse: try Self.reuse(maxAge, maxUses),
      on: device
    )
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(run) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      run.cancel()
    }
    return try result.get()
  }

  private static func reuse(
    _ maxAge: Duration?,
    _ maxUses: Int?
  ) throws(AuthError) -> GrantRule? {
    guard let maxAge else {
      guard maxUses == nil else { throw .usage("maxUses is about what maxAge lets be remembered.") }
      return nil
    }
    let uses = maxUses.map { UInt32(clamping: $0) }
    guard maxAge >= .seconds(1), uses != 0 else {
      throw .usage("A success is remembered for a second at least, and for one use.")
    }
    return GrantRule(maxAge: maxAge, uses: uses)
  }

  func start(
    _ run: EvaluationRun,
    _ reply: @escaping @Sendable (Result<Evaluation, AuthError>) -> Void
  ) {
    let core = core
    do throws(SystemError) {
      // The thread is not joined; it ends after the reply.
      _ = try SystemThread(name: "localauth-eval", stackSize: Self.replyStackSize) {
        let result: Result<ProvenSuccess, AuthError>
        do throws(AuthError) {
          result = .success(try run.evaluate())
        } catch {
          result = .failure(error)
        }
        reply(core.finish(run, result))
      }
    } catch {
      reply(core.finish(run, .failure(.internalError("\(error)"))))
    }
  }
}
