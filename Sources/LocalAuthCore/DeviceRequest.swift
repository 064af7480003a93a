/// An evaluation requested from a ``DeviceMachine``, with everything that decides it.
public struct DeviceRequest: Hashable, Sendable {
  /// How the request uses earlier successes, and what it leaves for later ones.
  public struct Remembering: Hashable, Sendable {
    /// The scope that a grant must match.
    public var scope: Grant.Scope
    /// The greatest age of a proof.
    public var maxAge: Duration
    /// The limits on answering again with this success.
    public var rule: GrantRule

    /// The wish with these values.
    public init(scope: Grant.Scope, maxAge: Duration, rule: GrantRule) {
      self.scope = scope
      self.maxAge = maxAge
      self.rule = rule
    }
  }

  /// The name of the evaluation.
  public let id: EvaluationID
  /// The uid of the caller, for the queue.
  public let uid: UInt32
  /// The origin that attempts are counted for.
  public var origin = Origin.owner
  /// The policy.
  public let policy: Policy
  /// The lockout profile that the policy names in addition to the device's.
  public let policyLockout: LockoutProfile?
  /// The rules of the evaluation.
  public let rules: EvaluationMachine.Rules
  /// Whether the caller accepts a simulated success.
  public var allowsSimulated = false
  /// Whether something must be prepared before anyone is asked, so that nothing is proven in vain.
  public var needsPreparation = false
  /// Whether an agent shows the prompt, because the caller has no user interface.
  public var asksAgent = false
  /// Whether it unlocks the device, so that its finger stands in for a touch for a while.
  public var isUnlock = false
  /// The greatest age of an unlock by finger that stands in for a touch; zero for none.
  public var reuse = Duration.zero
  /// How grants apply to it; nil if they do not.
  public var remembering: Remembering?
  /// The details that lists show of the grant it leaves behind.
  public var grantOrigin: Grant.Origin

  /// The evaluation `id` of `policy` under `rules`, for `uid`.
  public init(
    _ id: EvaluationID,
    of policy: Policy,
    and policyLockout: LockoutProfile?,
    under rules: EvaluationMachine.Rules,
    for uid: UInt32
  ) {
    self.id = id
    self.uid = uid
    self.policy = policy
    self.policyLockout = policyLockout
    self.rules = rules
    grantOrigin = Grant.Origin(policy: policy.name, action: nil, callerPID: 0, program: "")
  }

  /// Hashes the name alone, because nothing else of a request changes.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
