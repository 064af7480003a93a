import LocalAuthCore
import LocalAuthSensor

/// The verdicts of public standards on a policy, lockout profile, passcode delays and sensor.
///
/// Attempts are counted as the daemon's state machines allow them to someone who never succeeds and
/// loses no time.
public struct Compliance: Sendable {
  /// The rules, in display order.
  public let rules: [ComplianceRule]

  /// Judges `plan`.
  ///
  /// - Parameters:
  ///   - plan: The case to judge.
  ///   - rejected: The rate at which transactions of the right person are refused.
  ///   - iapar: The worst rate at which a fake is accepted; nil if nobody has measured it.
  public init(_ plan: PolicyCase, rejected: Double, iapar: Double? = nil) {
    let evidence = ComplianceEvidence(plan, rejected: rejected, iapar: iapar)
    rules = [
      evidence.nist, evidence.fido, evidence.android(.class3), evidence.android(.class2),
      evidence.android(.class1), evidence.apple, evidence.stig,
    ]
  }
}

/// The measurements that the rules refer to.
struct ComplianceEvidence {
  /// The period analyzed; anyone who waits longer has outlasted every lockout.
  static let horizon = Duration.seconds(30 * 86_400)

  let plan: PolicyCase
  let rejected: Double
  let iapar: Double?
  /// The mean rate at which the owner's finger is not matched.
  let falseNonMatch: Double
  let falseMatch: Double
  let fingers: AttemptTimes
  let passcodes: AttemptTimes

  init(_ plan: PolicyCase, rejected: Double, iapar: Double?) {
    self.plan = plan
    self.rejected = rejected
    self.iapar = iapar
    falseNonMatch = plan.sensor.population.mean
    falseMatch = plan.sensor.scores.falseMatch
    fingers = .fingers(plan.rules, within: Self.horizon)
    passcodes = .passcodes(plan.rules, within: Self.horizon)
  }

  /// Whether meeting the policy always requires the passcode too.
  var alwaysAsksForPasscode: Bool { !plan.isFingerEnough }

  /// Whether every success by finger comes at most `limit` after a passcode.
  func asksForPasscode(within limit: Duration) -> Bool {
    guard !alwaysAsksForPasscode else { return true }
    let rules = plan.policy.freshness
    guard let age = rules.passcodeWithin else { return false }
    return age <= limit && rules.unlessMatchedWithin == nil
  }

  // MARK: Clauses

  /// A clause that limits a rate to `limit`.
  func atMost(
    _ limit: Double,
    _ rate: Double?,
    _ rule: String,
    _ clause: String
  ) -> ComplianceClause {
    guard let rate else {
      return ComplianceClause(rule, clause, "nothing is known of it", isMet: nil)
    }
    // A threshold derived from a rate reproduces that rate only up to rounding.
    return ComplianceClause(rule, clause, RateText.text(rate), isMet: rate <= limit * (1 + 1e-9))
  }

  /// A clause that limits the number of attempts to `limit`.
  func atMost(
    _ limit: Int,
    of times: AttemptTimes,
    _ rule: String,
    _ clause: String
  ) -> ComplianceClause {
    ComplianceClause(
      rule,
      clause,
      times.count >= Int(Attack.attemptsMax) ? "no end" : "\(times.count)",
      isMet: times.count <= limit
    )
  }

  /// A clause that requires a wait of at least `limit` seconds, or a lock.
  func wait(_ limit: Double, _ gap: Double?, _ rule: String, _ clause: String) -> ComplianceClause {
    guard let gap else { return ComplianceClause(rule, clause, "locked before", isMet: true) }
    return ComplianceClause(rule, clause, "\(RateText.significant(gap)) s", isMet: gap >= limit)
  }
}
