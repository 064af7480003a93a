/// The verdict on one clause of a rule.
public struct ComplianceClause: Hashable, Sendable {
  /// The result of checking a clause.
  public enum Finding: String, CaseIterable, Hashable, Sendable {
    /// The policy meets the clause.
    case met
    /// The policy does not meet the clause.
    case failed
    /// The result depends on something unspecified.
    case unknown
    /// The clause is about something that nothing here can tell, or that the policy does not use.
    case notAssessed
  }

  /// What a finding may depend on that nobody said.
  public enum Unsaid: String, CaseIterable, Hashable, Sendable {
    /// The worst rate at which a fake is accepted.
    case iapar
    /// The fewest digits that a passcode has.
    case digits
    /// How many of the most frequent passcodes cannot be chosen.
    case blocked
  }

  /// The name of the rule.
  public var rule: String
  /// The requirement of the clause.
  public var clause: String
  /// The document that the clause is from, with its version, and how it was read.
  public var source: String
  /// The value found.
  public var found: String
  /// Whether the value meets the clause.
  public var finding: Finding
  /// What would have to be said; nil unless the finding is unknown.
  public var unsaid: Unsaid?
}

/// The verdicts on all clauses of a rule.
public struct ComplianceRule: Hashable, Sendable {
  /// The name of the rule.
  public var rule: String
  /// The document that defines the rule.
  public var source: String
  /// The clauses of the rule.
  public var clauses: [ComplianceClause]

  /// Failed if any clause failed, else unknown if any is unknown, else not assessed if any is: what
  /// was assessed is then met.
  public var finding: ComplianceClause.Finding {
    let findings = Set(clauses.map(\.finding))
    return [.failed, .unknown, .notAssessed].first(where: findings.contains) ?? .met
  }

  /// Whether no clause says anything of the policy, because it does not use what they are about, or
  /// nothing here can tell.
  public var isMoot: Bool { clauses.allSatisfy { $0.finding == .notAssessed } }

  /// Everything that would have to be said for all clauses to be known.
  public var unsaid: Set<ComplianceClause.Unsaid> { Set(clauses.compactMap(\.unsaid)) }
}
