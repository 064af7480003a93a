public import LocalAuthCore
import LocalAuthPolicies
import LocalAuthToken

/// A wish to be answered by an earlier success, or to have this one remembered.
public struct GrantRequest: Sendable {
  /// Who wishes it: the kernel's word.
  public var caller: CallerScope
  /// How old the proof may be.
  public var maxAge: Duration
  /// How often it may answer again, or nil for as often as the policy allows.
  public var uses: UInt32?

  /// The wish of `caller`.
  public init(caller: CallerScope, maxAge: Duration, uses: UInt32? = nil) {
    self.caller = caller
    self.maxAge = maxAge
    self.uses = uses
  }
}

/// Answering from what was proven before, and remembering what is proven now.
extension Session {
  /// What a grant for this request covers; nil where nothing is remembered.
  static func grantScope(
    of request: EvaluationRequest,
    _ policy: Policy,
    action: [UInt8]?,
    _ engine: Engine
  ) -> Grant.Scope? {
    guard let wish = request.grant, policy.grant != nil, request.purpose == .evaluate else {
      return nil
    }
    return Grant.Scope(
      caller: wish.caller,
      policy: engine.digest(of: policy),
      action: action,
      audience: request.assertion?.audience
    )
  }

  /// The rule for what this request leaves behind.
  var grantRule: GrantRule? {
    guard grantScope != nil, let wish = request.grant else { return nil }
    return policy.grant?.narrowed(maxAge: wish.maxAge, uses: wish.uses)
  }

  /// The grant that answers this request at `now`.
  func answeringGrant(at now: Moment) -> Grant? {
    guard let grantScope, let wish = request.grant,
      let grant = device.record.grants.answering(grantScope, within: wish.maxAge, at: now)
    else { return nil }
    let generation = grant.proven.biometryGeneration ?? device.record.enrolment.generation
    return generation == device.record.enrolment.generation ? grant : nil
  }

  /// Counts an answer of the grant: what must not be given back by a crash is durable first.
  func redeem() {
    let now = device.now(engine.clock.now())
    guard let grant = answeringGrant(at: now),
      let isCounted = device.record.grants.use(grant.id, at: now)
    else { return perform(machine.notRedeemed(conditions: conditions)) }
    redeemed = (grant, grant.age(at: now) ?? grant.rule.maxAge)
    if !isCounted, engine.grantUsage.repeats(grant.id, audit) {
      auditedOutcome = .success
      return perform(machine.redeemed())
    }
    var line = audit
    close(&line, .success, grant.proven)
    engine.interpreter.commit([.audit(line)], of: device, isCounted ? .guarded : .ordinary) {
      [self] in redeemed(grant, line, isDurable: $0)
    }
  }

  private func redeemed(_ grant: Grant, _ line: AuditRecord, isDurable: Bool) {
    guard machine.outcome == nil else { return }
    guard isDurable else {
      redeemed = nil
      return end(device.unwritable)
    }
    guard device.record.grants[grant.id] != nil else {
      redeemed = nil
      return perform(machine.notRedeemed(conditions: conditions))
    }
    if grant.rule.uses == nil { engine.grantUsage.began(grant.id, line) }
    auditedOutcome = .success
    perform(machine.redeemed())
  }

  /// Remembers this success where the request wants that; true when there is something to store.
  ///
  /// Only what was proven by this very evaluation is remembered: neither an unlock that stood in for a
  /// touch, nor an answer of another grant, which would live for ever; and nothing that was proven
  /// before the device forgot its grants.
  func remember() -> Bool {
    guard let grantScope, let grantRule, let provenAt, provenAt.era == device.grantEra,
      !machine.isGranted, !machine.isUnlockReused
    else { return false }
    let grant = grant(of: grantScope, grantRule, provenAt: provenAt.device)
    device.record.grants.add(grant, at: device.now(engine.clock.now()))
    return true
  }

  /// What was proven here, to be remembered.
  func grant(of scope: Grant.Scope?, _ rule: GrantRule, provenAt: Moment) -> Grant {
    Grant(
      id: id,
      scope: scope,
      rule: rule,
      proven: machine.proven,
      provenAt: provenAt,
      origin: Grant.Origin(
        policy: policy.name,
        action: request.action?.text,
        callerPID: caller.pid,
        program: caller.program
      )
    )
  }
}

extension Engine {
  /// SHA-256 of all rules of a policy, so that a grant ends with the rules it was given under.
  func digest(of policy: Policy) -> [UInt8] {
    if let known = policyDigests[policy.name] { return known }
    let digest = hash.sha256(of: PolicyFile.text(policy))
    policyDigests[policy.name] = digest
    return digest
  }
}
