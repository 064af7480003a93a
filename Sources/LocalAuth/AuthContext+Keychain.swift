import LocalAuthClient
public import LocalAuthKeychain
import LocalAuthWire

extension AuthContext {
  /// Has proven what an access control asks for, so that keychain calls with this context do not ask
  /// again.
  ///
  /// It counts for items with the same protection and flags and for that use, in this context only,
  /// until ``invalidate()``, a lock of the device, a change of its fingers, or a failed connection.
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
    guard !core.isInvalid else { throw .invalidContext }
    let caller = keychainCaller
    let reason = reason ?? caller.settings.reason
    guard !reason.isEmpty else {
      throw .usage("An evaluation needs a reason, which the person reads.")
    }
    let answer: RemoteAnswer
    do throws(KeychainFailure) {
      answer = try await core.line.perform(for: caller) { (session) throws(KeychainFailure) in
        try session.evaluate(accessControl, use.operation, reason: reason)
      }
    } catch {
      throw AuthError(error)
    }
    guard let result = answer.evaluation else { return nil }
    return try Evaluation(result, of: .named(result.policy))
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
