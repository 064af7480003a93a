import LocalAuthCore
public import LocalAuthToken
import LocalAuthUnix

extension AuthContext {
  /// Evaluates a policy, and asks a person where that is needed.
  ///
  /// The work is done on a thread of its own: no thread of the caller's, and none of Swift
  /// concurrency's, waits for a person. Cancelling the task ends the evaluation with
  /// ``AuthError/appCancel``; an attempt that was made before stays counted.
  ///
  /// - Parameters:
  ///   - policy: what has to be proven.
  ///   - reason: why, as the person reads it; nil for ``localizedReason``. At most 1024 bytes.
  ///   - action: what exactly is approved. It is shown whole and as it is, and its digest is in the
  ///     result and in the audit; nothing that approved another action counts. At most 1024 bytes,
  ///     of visible characters and single blanks.
  ///   - assertion: for whom the success is to be signed; ``Evaluation/assertion`` has it then.
  ///   - maxAge: how old an earlier success may be that answers in place of a person, and that this one
  ///     is to be remembered; nil, the default, for neither. The policy says how far it allows that. The
  ///     same policy, action and audience must have been approved for the same process, or, where it has
  ///     a terminal, for the same program in the same session. ``Evaluation/age`` says whether one did.
  ///   - maxUses: how often this success may answer again; nil for as often as the policy allows.
  /// - Returns: what was proven, and by what.
  /// - Throws: why not. An empty reason, an action that cannot be shown as it is, and
  ///   limits that allow nothing are ``AuthError/usage(_:)``.
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
      // Nobody waits for the thread; its last act is the reply.
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
