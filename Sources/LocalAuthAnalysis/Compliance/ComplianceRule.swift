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
  }

  /// The name of the rule.
  public var rule: String
  /// The requirement of the clause.
  public var clause: String
  /// The value found.
  public var found: String
  /// Whether the value meets the clause.
  public var finding: Finding

  init(_ rule: String, _ clause: String, _ found: String, isMet: Bool?) {
    self.rule = rule
    self.clause = clause
    self.found = found
    finding = isMet.map { $0 ? .met : .failed } ?? .unknown
  }
}

/// The verdicts on all clauses of a rule.
public struct ComplianceRule: Hashable, Sendable {
  /// The name of the rule.
  public var rule: String
  /// The document that defines the rule.
  public var source: String
  /// The clauses of the rule.
  public var clauses: [ComplianceClause]

  /// Failed if any clause failed; otherwise unknown if any is unknown.
  public var finding: ComplianceClause.Finding {
    if clauses.contains(where: { $0.finding == .failed }) { return .failed }
    return clauses.contains { $0.finding == .unknown } ? .unknown : .met
  }
}
