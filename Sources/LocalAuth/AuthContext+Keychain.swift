import LocalAuthClient
public import LocalAuthKeychain
import LocalAuthWire

extension AuthContext {
  /// Has proven what an access control asks for, so that keychain calls with this context do not ask
  /// again.
  ///
  /// It counts for items with the same protection and flags and for that use, in this context only,
  /// until ``invalidate()``, a lock of the device, a change of its fingers, or a failed connection; with
  /// ``AccessControlFlags/eachUse`` for one use of one of them.
  ///
  /// - Parameters:
  ///   - accessControl: what the items are protected with.
  ///   - use: what is about to be done with them.
  ///   - reason: why, as the person reads it; nil for ``localizedReason``. At most 1024 bytes.
  /// - Returns: what was proven, and by what; nil where nothing had to be, or was before.
  /// - Throws: why not. An empty reason is ``AuthError/usage(_:)``.
  @discardableResult
  public func evaluateAccessControl(
    _ accessControl: AccessControl,
    for use: AccessControlUse = .useItem,
    reason: String? = nil
  ) async throws(AuthError) -> Evaluation? {
    let proof = try proof(of: accessControl, for: use, reason: reason)
    let answer: RemoteAnswer
    do throws(KeychainFailure) {
      answer = try await core.pool.perform(for: proof.caller, proof.body)
    } catch {
      throw AuthError(error)
    }
    return try Self.evaluation(answer).get()
  }

  /// A call that has something proven, for the context's pool.
  struct ProofCall: Sendable {
    let caller: KeychainCaller
    let body: @Sendable (inout KeychainSession) throws(KeychainFailure) -> RemoteAnswer
  }

  /// The call that has proven what an access control asks for.
  func proof(
    of accessControl: AccessControl,
    for use: AccessControlUse,
    reason: String?
  ) throws(AuthError) -> ProofCall {
    guard !core.isInvalid else { throw .invalidContext }
    let caller = keychainCaller
    let reason = reason ?? caller.settings.reason
    guard !reason.isEmpty else {
      throw .usage("An evaluation needs a reason, which the person reads.")
    }
    return ProofCall(caller: caller) { (session) throws(KeychainFailure) in
      try session.evaluate(accessControl, use, reason: reason)
    }
  }

  /// What was proven; nil where nothing had to be.
  static func evaluation(_ answer: RemoteAnswer) -> Result<Evaluation?, AuthError> {
    guard let result = answer.evaluation else { return .success(nil) }
    do throws(AuthError) {
      return .success(try Evaluation(result, of: .named(result.policy)))
    } catch {
      return .failure(error)
    }
  }

  /// How the context's keychain calls are made, as it stands now.
  var keychainCaller: KeychainCaller {
    var caller = KeychainCaller(
      device: device,
      settings: core.settings,
      context: 1,
      keepsProof: true
    )
    guard let password = core.credential(.applicationPassword) else { return caller }
    caller.password = password
    caller.onWrongPassword = { [weak core] in core?.forget(password, .applicationPassword) }
    return caller
  }
}
