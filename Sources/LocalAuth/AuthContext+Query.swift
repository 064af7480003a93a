import LocalAuthClient
import LocalAuthWire

extension AuthContext {
  /// Checks whether `policy` could be met now; nobody is asked, and nothing is counted.
  ///
  /// It blocks for one exchange with the service, a fraction of a millisecond where that runs
  /// already. The answer is about now: use it at once. ``interactionNotAllowed`` does not matter.
  ///
  /// - Throws: the error that an evaluation would begin with.
  public func canEvaluate(_ policy: PolicyName) throws(AuthError) {
    guard !core.isInvalid else { throw .invalidContext }
    if policy.needsFinger { core.evaluatedDomainState = nil }
    let reply = try ask(policy)
    if let error = AuthError(reply.result) { throw error }
    if policy.needsFinger { core.evaluatedDomainState = reply.domainState.map { DomainState($0) } }
  }

  /// What kind of biometry the device has, whether or not it can be used now.
  ///
  /// It blocks as ``canEvaluate(_:)`` does; a device that cannot be asked has none.
  public var biometryType: BiometryType {
    let word = (try? ask(.biometrics))?.biometryType
    return word.flatMap { BiometryType(rawValue: $0) } ?? .none
  }

  /// Stands for the fingers that are enrolled now; nil where there are none.
  ///
  /// It blocks as ``canEvaluate(_:)`` does; a device that cannot be asked has none.
  public var domainState: DomainState? {
    (try? ask(.biometrics))?.domainState.map { DomainState($0) }
  }

  /// Stands for the fingers that were enrolled when this context last met, or could have met, a
  /// policy with a finger.
  ///
  /// Nil before that, and after a success by passcode.
  public var evaluatedDomainState: DomainState? { core.evaluatedDomainState }

  private func ask(
    _ policy: PolicyName
  ) throws(AuthError) -> AuthenticationMessages.CanEvaluateReply {
    let (choice, source) = try device.resolved()
    var connection = try AuthError.translating { () throws(ClientError) in try source.connect() }
    return try CanEvaluate.ask(policy, choice, &connection)
  }
}
