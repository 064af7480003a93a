import LocalAuthCore
import LocalAuthSensor

/// What public rules say of a policy, lockout profile, passcode delays and sensor.
///
/// What is counted is what the machines of the daemon allow somebody who never succeeds and is never slow.
public struct Compliance: Sendable {
  /// The rules, in the order in which they are shown.
  public let rules: [ComplianceRule]

  /// The verdicts on `plan`; `rejected` is how often a transaction of the right person is refused, and
  /// `iapar` how often a fake is accepted at worst, nil where nobody has measured it.
  public init(_ plan: PolicyCase, rejected: Double, iapar: Double? = nil) {
    let evidence = ComplianceEvidence(plan, rejected: rejected, iapar: iapar)
    rules = [
      evidence.nist, evidence.fido, evidence.android(.class3), evidence.android(.class2),
      evidence.android(.class1), evidence.apple, evidence.stig,
    ]
  }
}

/// What rules speak of.
struct ComplianceEvidence {
  /// Nobody who waits longer is stopped by a lockout any more.
  static let horizon = Duration.seconds(30 * 86_400)

  let plan: PolicyCase
  let rejected: Double
  let iapar: Double?
  /// The mean rate at which a finger of its owner is not matched.
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

  /// Whether an attempt of the policy always proves the passcode too.
  var alwaysAsksForPasscode: Bool { !plan.isFingerEnough }

  /// Whether every success by finger is at most so long after a passcode.
  func asksForPasscode(within limit: Duration) -> Bool {
    guard !alwaysAsksForPasscode else { return true }
    let rules = plan.policy.freshness
    guard let age = rules.passcodeWithin else { return false }
    return age <= limit && rules.unlessMatchedWithin == nil
  }

  // MARK: Clauses

  /// A rate that must not be above `limit`.
  func atMost(
    _ limit: Double,
    _ rate: Double?,
    _ rule: String,
    _ clause: String
  ) -> ComplianceClause {
    guard let rate else {
      return ComplianceClause(rule, clause, "nothing is known of it", isMet: nil)
    }
    // A threshold that was made for a rate gives it back but for its last digits.
    return ComplianceClause(rule, clause, RateText.text(rate), isMet: rate <= limit * (1 + 1e-9))
  }

  /// Attempts, of which there must not be more than `limit`.
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

  /// A wait that must not be shorter than `limit` seconds, or a lock.
  func wait(_ limit: Double, _ gap: Double?, _ rule: String, _ clause: String) -> ComplianceClause {
    guard let gap else { return ComplianceClause(rule, clause, "locked before", isMet: true) }
    return ComplianceClause(rule, clause, "\(RateText.significant(gap)) s", isMet: gap >= limit)
  }
}
