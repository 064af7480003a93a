/// A success that answers the same request of the same caller again for a while.
///
/// | ends by            | because                                                              |
/// |--------------------|----------------------------------------------------------------------|
/// | its age            | the boot clock counts; the wall clock can only end it sooner         |
/// | a pause            | it was unused for the rule's idle time                               |
/// | its last use       | each use is durable before its answer is given                       |
/// | a boot             | the proof belongs to another boot                                    |
/// | lock, change       | the device forgets its grants when it is locked, and with each change |
/// |                    | of fingers or passcode                                               |
/// | revocation         | by its owner                                                         |
public struct Grant: Hashable, Sendable {
  /// The caller and the question that the grant answers; every part must match.
  public struct Scope: Hashable, Sendable {
    /// The caller.
    public var caller: CallerScope
    /// SHA-256 of the policy's rules, so that a changed policy is a different one.
    public var policy: [UInt8]
    /// SHA-256 of the action; nil if none was approved.
    public var action: [UInt8]?
    /// The audience that the success was signed for; nil if there is none.
    public var audience: String?

    /// The scope.
    public init(caller: CallerScope, policy: [UInt8], action: [UInt8]?, audience: String?) {
      self.caller = caller
      self.policy = policy
      self.action = action
      self.audience = audience
    }
  }

  /// Further details for lists of grants.
  public struct Origin: Hashable, Sendable {
    /// The policy's name.
    public var policy: String
    /// The action that was approved.
    public var action: String?
    /// The process that asked first.
    public var callerPID: Int32
    /// Its program; advisory only.
    public var program: String

    /// The description.
    public init(policy: String, action: String?, callerPID: Int32, program: String) {
      self.policy = policy
      self.action = action
      self.callerPID = callerPID
      self.program = program
    }
  }

  /// The evaluation that succeeded.
  public let id: EvaluationID
  /// The scope it answers; nil for an unlock of the whole device, which only stands in for a touch.
  public let scope: Scope?
  /// The limits of the grant.
  public let rule: GrantRule
  /// What was proven.
  public let proven: Proven
  /// When it was proven.
  public let provenAt: Moment
  /// The details that lists show.
  public let origin: Origin
  /// The time of its last use, or of its creation if unused.
  public private(set) var usedAt: BootInstant
  /// Uses left; nil for any number.
  public private(set) var usesLeft: UInt32?

  /// The grant that a success at `provenAt` makes.
  public init(
    id: EvaluationID,
    scope: Scope?,
    rule: GrantRule,
    proven: Proven,
    provenAt: Moment,
    origin: Origin
  ) {
    self.init(
      id: id,
      scope: scope,
      rule: rule,
      proven: proven,
      provenAt: provenAt,
      origin: origin,
      usedAt: provenAt.boot,
      usesLeft: rule.uses
    )
  }

  /// A grant as it was stored.
  public init(
    id: EvaluationID,
    scope: Scope?,
    rule: GrantRule,
    proven: Proven,
    provenAt: Moment,
    origin: Origin,
    usedAt: BootInstant,
    usesLeft: UInt32?
  ) {
    self.id = id
    self.scope = scope
    self.rule = rule
    self.proven = proven
    self.provenAt = provenAt
    self.origin = origin
    self.usedAt = usedAt
    self.usesLeft = usesLeft
  }

  /// The age of the proof at `now`; nil if unknown, because the machine was restarted or the wall
  /// clock was set back to before the proof.
  public func age(at now: Moment) -> Duration? {
    guard now.bootID == provenAt.bootID, now.boot >= provenAt.boot, now.boot >= usedAt,
      now.wall >= provenAt.wall
    else { return nil }
    let (lapse, overflow) = now.wall.milliseconds
      .subtractingReportingOverflow(provenAt.wall.milliseconds)
    return overflow ? nil : max(now.boot - provenAt.boot, .milliseconds(lapse))
  }

  /// How long it still lives if unused; nil once it has ended.
  public func timeLeft(at now: Moment) -> Duration? {
    guard let age = age(at: now), usesLeft != 0 else { return nil }
    var left = rule.maxAge - age
    if let idle = rule.idle { left = min(left, idle - (now.boot - usedAt)) }
    return left > .zero ? left : nil
  }

  /// Whether it answers `scope` at `now`, for a caller who accepts a proof younger than `maxAge`.
  public func answers(_ scope: Scope, within maxAge: Duration, at now: Moment) -> Bool {
    guard self.scope == scope, timeLeft(at: now) != nil, let age = age(at: now) else {
      return false
    }
    return age < maxAge
  }

  /// Counts one use; true if that must be durable before the answer is given.
  public mutating func use(at now: Moment) -> Bool {
    usedAt = max(usedAt, now.boot)
    guard let left = usesLeft else { return false }
    usesLeft = left > 0 ? left - 1 : 0
    return true
  }
}
