package import LocalAuthKeychain
import LocalAuthUnix

/// Callback-based calls, for the modules that have Apple's names.
extension AuthContext {
  /// Whether ``invalidate()`` has been called.
  package var isInvalid: Bool { core.isInvalid }

  /// Evaluates a policy and calls `reply` once, on the evaluation's own thread.
  ///
  /// The evaluation does not retain the context. When the last reference to the context goes away,
  /// the evaluation ends with ``AuthError/appCancel``.
  ///
  /// - Throws: an error if the request is invalid; `reply` is then not called.
  package func begin(
    _ policy: PolicyName,
    reason: String? = nil,
    reply: @escaping @Sendable (Result<Evaluation, AuthError>) -> Void
  ) throws(AuthError) {
    start(try core.begin(policy, reason, on: device), reply)
  }

  /// Obtains the proof that an access control requires and calls `reply` once, on a dedicated
  /// thread.
  ///
  /// The context is not retained, as in ``begin(_:reason:reply:)``.
  ///
  /// - Throws: an error if the request is invalid; `reply` is then not called.
  package func begin(
    _ accessControl: AccessControl,
    for use: AccessControlUse,
    reason: String? = nil,
    reply: @escaping @Sendable (Result<Evaluation?, AuthError>) -> Void
  ) throws(AuthError) {
    let proof = try proof(of: accessControl, for: use, reason: reason)
    core.pool.perform(for: proof.caller, proof.body) { result in
      // The pool's thread serves the context's next call, and `reply` may wait for that call.
      Self.onOwnThread { reply(result.mapError { AuthError($0) }.flatMap(Self.evaluation)) }
    }
  }

  /// The stack size of a reply's thread in bytes: twice that of libdispatch, because replies are
  /// arbitrary code.
  static let replyStackSize = 1024 * 1024

  /// Runs `body` on a thread where it may wait, or on the calling thread if none can be created.
  package static func onOwnThread(_ body: @escaping @Sendable () -> Void) {
    do throws(SystemError) {
      // The thread is not joined; it ends with `body`.
      _ = try SystemThread(name: "localauth-reply", stackSize: replyStackSize, body)
    } catch {
      body()
    }
  }
}
