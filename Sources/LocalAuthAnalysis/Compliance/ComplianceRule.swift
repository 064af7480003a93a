/// Whether a policy on a device meets one clause of a rule.
public struct ComplianceClause: Hashable, Sendable {
  /// What was found.
  public enum Finding: String, CaseIterable, Hashable, Sendable {
    /// It does.
    case met
    /// It does not.
    case failed
    /// That depends on something that was not said.
    case unknown
  }

  /// The rule.
  public var rule: String
  /// What the clause demands.
  public var clause: String
  /// What there is.
  public var found: String
  /// Whether that is enough.
  public var finding: Finding

  init(_ rule: String, _ clause: String, _ found: String, isMet: Bool?) {
    self.rule = rule
    self.clause = clause
    self.found = found
    finding = isMet.map { $0 ? .met : .failed } ?? .unknown
  }
}

/// The verdict on all clauses of one rule.
public struct ComplianceRule: Hashable, Sendable {
  /// The rule.
  public var rule: String
  /// Where it is written.
  public var source: String
  /// Its clauses.
  public var clauses: [ComplianceClause]

  /// Failed if a clause is, unknown if one is and none failed.
  public var finding: ComplianceClause.Finding {
    if clauses.contains(where: { $0.finding == .failed }) { return .failed }
    return clauses.contains { $0.finding == .unknown } ? .unknown : .met
  }
}
