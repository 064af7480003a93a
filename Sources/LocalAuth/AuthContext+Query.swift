import LocalAuthClient
import LocalAuthWire

extension AuthContext {
  /// Checks whether `policy` can be evaluated now, without asking anyone or counting an attempt.
  ///
  /// Blocks for one exchange with the service: a fraction of a millisecond if the service is
  /// running. The answer is valid only for the moment, so use it at once. It does not depend on
  /// ``interactionNotAllowed``.
  ///
  /// - Throws: the error with which an evaluation would fail at once.
  public func canEvaluate(_ policy: PolicyName) throws(AuthError) {
    guard !core.isInvalid else { throw .invalidContext }
    if policy.needsFinger { core.evaluatedDomainState = nil }
    let reply = try ask(policy)
    if let error = AuthError(reply.result) { throw error }
    if policy.needsFinger { core.evaluatedDomainState = reply.domainState.map { DomainState($0) } }
  }

  /// The kind of biometry the device has, whether or not it is usable now.
  ///
  /// Blocks as ``canEvaluate(_:)`` does. None if the device cannot be queried.
  public var biometryType: BiometryType {
    let word = (try? ask(.biometrics))?.biometryType
    return word.flatMap { BiometryType(rawValue: $0) } ?? .none
  }

  /// A token for the set of fingers enrolled now; nil if there are none.
  ///
  /// Blocks as ``canEvaluate(_:)`` does. None if the device cannot be queried.
  public var domainState: DomainState? {
    (try? ask(.biometrics))?.domainState.map { DomainState($0) }
  }

  /// A token for the set of fingers enrolled at this context's last success by finger, or last
  /// successful ``canEvaluate(_:)`` of a policy that requires a finger.
  ///
  /// Nil before that, after a success by passcode, and after such a check that failed.
  public var evaluatedDomainState: DomainState? { core.evaluatedDomainState }

  private func ask(
    _ policy: PolicyName
  ) throws(AuthError) -> AuthenticationMessages.CanEvaluateReply {
    let (choice, source) = try device.resolved()
    var connection = try AuthError.translating { () throws(ClientError) in try source.connect() }
    return try CanEvaluate.ask(policy, choice, &connection)
  }
}
