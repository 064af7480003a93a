import LocalAuthClient
public import LocalAuthKeychain
import LocalAuthWire

extension AuthContext {
  /// Obtains the proof that an access control requires, so that keychain calls with this context do
  /// not ask again.
  ///
  /// The proof holds in this context only, for items with the same protection and flags and for
  /// that use. It ends with ``invalidate()``, when the device is locked, when its fingers change,
  /// or when the connection fails. With ``AccessControlFlags/eachUse`` it covers a single use of
  /// one item.
  ///
  /// - Parameters:
  ///   - accessControl: the access control of the items.
  ///   - use: the operation to be performed on the items.
  ///   - reason: the reason shown to the person; nil for ``localizedReason``. At most 1024 bytes.
  /// - Returns: what was proven, and the methods that proved it; nil if nothing had to be proven,
  ///   or it had been proven before.
  /// - Throws: the reason for the failure. An empty reason throws ``AuthError/usage(_:)``.
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

  /// A call to obtain proof, to be performed by the context's pool.
  struct ProofCall: Sendable {
    let caller: KeychainCaller
    let body: @Sendable (inout KeychainSession) throws(KeychainFailure) -> RemoteAnswer
  }

  /// Makes the call that obtains the proof an access control requires.
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

  /// What was proven; nil if nothing had to be.
  static func evaluation(_ answer: RemoteAnswer) -> Result<Evaluation?, AuthError> {
    guard let result = answer.evaluation else { return .success(nil) }
    do throws(AuthError) {
      return .success(try Evaluation(result, of: .named(result.policy)))
    } catch {
      return .failure(error)
    }
  }

  /// The caller of the context's keychain calls, with the context's current settings.
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
