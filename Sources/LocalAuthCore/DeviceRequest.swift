/// An evaluation that is asked of a ``DeviceMachine``: all of it that decides anything.
public struct DeviceRequest: Hashable, Sendable {
  /// What the request wants of earlier successes, and leaves behind for later ones.
  public struct Remembering: Hashable, Sendable {
    /// Whom a grant answers, and about what.
    public var scope: Grant.Scope
    /// How old a proof may be.
    public var maxAge: Duration
    /// How far this success answers again.
    public var rule: GrantRule

    /// The wish with these values.
    public init(scope: Grant.Scope, maxAge: Duration, rule: GrantRule) {
      self.scope = scope
      self.maxAge = maxAge
      self.rule = rule
    }
  }

  /// Which evaluation.
  public let id: EvaluationID
  /// Who asks, for the queue.
  public let uid: UInt32
  /// Where attempts come from.
  public var origin = Origin.owner
  /// The policy.
  public let policy: Policy
  /// The lockout profile that the policy names besides the device's.
  public let policyLockout: LockoutProfile?
  /// What decides, besides the events.
  public let rules: EvaluationMachine.Rules
  /// Whether the caller takes a simulated success for what it is.
  public var allowsSimulated = false
  /// Whether something must be ready before anybody is asked: what was proven in vain must not be.
  public var needsPreparation = false
  /// Whether an agent shows the prompt, because the caller has no user interface.
  public var asksAgent = false
  /// Whether it unlocks the device, so that a finger stands in for a touch for a while.
  public var isUnlock = false
  /// How old an unlock by finger may be that stands in for a touch; zero for none.
  public var reuse = Duration.zero
  /// What grants may do for it.
  public var remembering: Remembering?
  /// What a list of grants shows of what it leaves behind.
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

  /// Nothing else of it changes.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
