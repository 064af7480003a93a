import LocalAuthCore
import LocalAuthSensor

/// The verdicts of public standards on a policy, lockout profile, passcode delays and sensor.
///
/// Attempts are counted as the daemon's state machines allow them to someone who never succeeds and
/// loses no time.
public struct Compliance: Sendable {
  /// What is known of the passcodes of a device, which no policy says; nil if nothing is.
  public struct Passcodes: Hashable, Sendable {
    /// The fewest digits that a passcode has.
    public var digits: UInt32?
    /// How many of the most frequent passcodes cannot be chosen.
    public var blocked: UInt64?

    /// What is known.
    public init(digits: UInt32? = nil, blocked: UInt64? = nil) {
      self.digits = digits
      self.blocked = blocked
    }
  }

  /// The rules, in display order.
  public let rules: [ComplianceRule]

  /// Judges `plan`.
  ///
  /// - Parameters:
  ///   - plan: The case to judge.
  ///   - rejected: The rate at which transactions of the right person are refused.
  ///   - iapar: The worst rate at which a fake is accepted; nil if nobody has measured it.
  ///   - secrets: What is known of the passcodes.
  public init(
    _ plan: PolicyCase,
    rejected: Double,
    iapar: Double? = nil,
    secrets: Passcodes = Passcodes()
  ) {
    let evidence = ComplianceEvidence(plan, rejected: rejected, iapar: iapar, secrets: secrets)
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
  let secrets: Compliance.Passcodes
  /// The mean rate at which the owner's finger is not matched.
  let falseNonMatch: Double
  /// The rate at which a stranger's finger matches one print.
  let falseMatch: Double
  /// The rate at which it matches one of the prints that a person enrols.
  let falseAccept: Double
  let fingers: AttemptTimes
  let passcodes: AttemptTimes

  init(
    _ plan: PolicyCase,
    rejected: Double,
    iapar: Double?,
    secrets: Compliance.Passcodes
  ) {
    self.plan = plan
    self.rejected = rejected
    self.iapar = iapar
    self.secrets = secrets
    falseNonMatch = plan.sensor.population.mean
    falseMatch = plan.sensor.scores.falseMatch
    falseAccept = Chance.any(of: UInt64(plan.prints), each: falseMatch)
    fingers = .fingers(plan.rules, within: Self.horizon)
    passcodes = .passcodes(plan.rules, within: Self.horizon)
  }

  /// Whether meeting the policy always requires the passcode too.
  var alwaysAsksForPasscode: Bool { !plan.isFingerEnough }

  /// A rule of these clauses.
  func rule(
    _ name: String,
    _ source: String,
    _ clauses: [ClauseDraft]
  ) -> ComplianceRule {
    ComplianceRule(
      rule: name,
      source: source,
      clauses: clauses.map { draft in
        let isMoot = draft.isOfFinger && !plan.asksForFinger
        return ComplianceClause(
          rule: name,
          clause: draft.clause,
          source: draft.source ?? source,
          found: isMoot ? "the policy asks for no finger" : draft.found,
          finding: isMoot ? .notAssessed : draft.finding,
          unsaid: isMoot ? nil : draft.unsaid
        )
      }
    )
  }
}

/// A clause and what was found, before it is known which rule it belongs to.
struct ClauseDraft {
  let clause: String
  let found: String
  let finding: ComplianceClause.Finding
  /// Whether it is about fingers, so that a policy that asks for none does not fail it.
  var isOfFinger = false
  /// The document it is from, if not that of its rule.
  var source: String?
  /// What its finding depends on that nobody said.
  private(set) var unsaid: ComplianceClause.Unsaid?

  init(_ clause: String, _ found: String, isMet: Bool?) {
    self.clause = clause
    self.found = found
    finding = isMet.map { $0 ? .met : .failed } ?? .unknown
  }

  /// A clause whose finding depends on what nobody said.
  init(_ clause: String, unsaid: ComplianceClause.Unsaid) {
    self.init(clause, "nothing is known of it", isMet: nil)
    self.unsaid = unsaid
  }

  private init(notAssessed clause: String, _ found: String) {
    self.clause = clause
    self.found = found
    finding = .notAssessed
  }

  /// A clause that nothing here can tell anything of, and why.
  static func notAssessed(_ clause: String, _ why: String) -> ClauseDraft {
    ClauseDraft(notAssessed: clause, why)
  }

  /// A clause that limits a rate to `limit`; a rate that is nil is that of fakes.
  static func atMost(_ limit: Double, _ rate: Double?, _ clause: String) -> ClauseDraft {
    ratio(rate, clause, RoundedLimit(limit).isAtLeast)
  }

  /// A clause that a rate stays below `limit`; a rate that is nil is that of fakes.
  static func below(_ limit: Double, _ rate: Double?, _ clause: String) -> ClauseDraft {
    ratio(rate, clause, RoundedLimit(limit).isAbove)
  }

  private static func ratio(
    _ rate: Double?,
    _ clause: String,
    _ isMet: (Double) -> Bool
  ) -> ClauseDraft {
    guard let rate else { return ClauseDraft(clause, unsaid: .iapar) }
    return ClauseDraft(clause, RateText.text(rate), isMet: isMet(rate))
  }

  /// A clause that limits the number of attempts to `limit`.
  static func atMost(_ limit: Int, of times: AttemptTimes, _ clause: String) -> ClauseDraft {
    ClauseDraft(clause, text(times.count), isMet: times.count <= limit)
  }

  /// A number of attempts, in words.
  static func text(_ count: Int) -> String {
    count >= AttemptTimes.countMax ? "no end" : "\(count)"
  }

  /// A clause that requires a wait of at least `limit` seconds, or a lock.
  static func wait(_ limit: Double, _ gap: Double?, _ clause: String) -> ClauseDraft {
    guard let gap else { return ClauseDraft(clause, "locked before", isMet: true) }
    return ClauseDraft(
      clause,
      "\(RateText.significant(gap)) s",
      isMet: RoundedLimit(limit).isAtMost(gap)
    )
  }

  /// The same clause, of fingers.
  var ofFinger: ClauseDraft {
    var draft = self
    draft.isOfFinger = true
    return draft
  }

  /// The same clause, from this document.
  func from(_ source: String) -> ClauseDraft {
    var draft = self
    draft.source = source
    return draft
  }
}
