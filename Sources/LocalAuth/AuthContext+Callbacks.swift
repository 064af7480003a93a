package import LocalAuthKeychain
import LocalAuthUnix

/// For faces that speak in callbacks: each is called once, on a thread where it may wait.
extension AuthContext {
  /// Whether ``invalidate()`` was called.
  package var isInvalid: Bool { core.isInvalid }

  /// Evaluates a policy and calls `reply` once, on the evaluation's own thread.
  ///
  /// The evaluation does not keep the context: when the last reference to the context goes, it ends
  /// with ``AuthError/appCancel``.
  ///
  /// - Throws: what is wrong with the request; `reply` is not called then.
  package func begin(
    _ policy: PolicyName,
    reason: String? = nil,
    reply: @escaping @Sendable (Result<Evaluation, AuthError>) -> Void
  ) throws(AuthError) {
    start(try core.begin(policy, reason, on: device), reply)
  }

  /// Has proven what an access control asks for and calls `reply` once, on a thread of its own.
  ///
  /// The context is not kept, as in ``begin(_:reason:reply:)``.
  ///
  /// - Throws: what is wrong with the request; `reply` is not called then.
  package func begin(
    _ accessControl: AccessControl,
    for use: AccessControlUse,
    reason: String? = nil,
    reply: @escaping @Sendable (Result<Evaluation?, AuthError>) -> Void
  ) throws(AuthError) {
    let proof = try proof(of: accessControl, for: use, reason: reason)
    core.pool.perform(for: proof.caller, proof.body) { result in
      // The pool's thread serves the context's next call, for which `reply` may wait.
      Self.onOwnThread { reply(result.mapError { AuthError($0) }.flatMap(Self.evaluation)) }
    }
  }

  /// In bytes, twice what threads of libdispatch have: a reply is anybody's code.
  static let replyStackSize = 1024 * 1024

  /// Runs `body` on a thread of LocalAuth's, where it may wait; where there is none to be had, here.
  package static func onOwnThread(_ body: @escaping @Sendable () -> Void) {
    do throws(SystemError) {
      // Nobody waits for the thread; its last act is the end of `body`.
      _ = try SystemThread(name: "localauth-reply", stackSize: replyStackSize, body)
    } catch {
      body()
    }
  }
}
