public import LocalAuthCore
import LocalAuthPolicies
import LocalAuthToken

/// A request to be answered by an earlier success, or to have this one remembered.
public struct GrantRequest: Sendable {
  /// The requesting caller, as identified by the kernel.
  public var caller: CallerScope
  /// The greatest age of the proof.
  public var maxAge: Duration
  /// How often the success may be used again, or nil for as often as the policy allows.
  public var uses: UInt32?

  /// The request of `caller`.
  public init(caller: CallerScope, maxAge: Duration, uses: UInt32? = nil) {
    self.caller = caller
    self.maxAge = maxAge
    self.uses = uses
  }
}

extension Engine {
  /// The grant that may answer `request` and that its success leaves behind; nil if nothing is
  /// remembered.
  func remembering(
    _ request: EvaluationRequest,
    under policy: Policy,
    action: [UInt8]?
  ) -> DeviceRequest.Remembering? {
    guard let wish = request.grant, request.purpose == .evaluate,
      let rule = policy.grant?.narrowed(maxAge: wish.maxAge, uses: wish.uses)
    else { return nil }
    return DeviceRequest.Remembering(
      scope: Grant.Scope(
        caller: wish.caller,
        policy: digest(of: policy),
        action: action,
        audience: request.assertion?.audience
      ),
      maxAge: wish.maxAge,
      rule: rule
    )
  }

  /// SHA-256 of all rules of a policy, so that changing a rule ends the grants made under it.
  private func digest(of policy: Policy) -> [UInt8] {
    if let known = policyDigests[policy.name] { return known }
    let digest = hash.sha256(of: PolicyFile.text(policy))
    policyDigests[policy.name] = digest
    return digest
  }
}
