/// A thing to compute: one for all candidates that it is the same for.
public enum ChoiceFact: Hashable, Sendable {
  /// How the case stands to the rules, if this share of transactions is refused to the right person.
  case rules(case: Int, rejected: Double)
  /// What people come to in the first days.
  case people(case: Int)
  /// The time that 95 in 100 logins of the first days take at most.
  case time(case: Int)
  /// Both over all days, if these are more.
  case whole(case: Int)
  /// The chance of the attack of this bound.
  case attack(case: Int, bound: Int)
}

/// The answer to a ``ChoiceFact``.
public enum ChoiceFinding: Sendable {
  /// How the case stands to each rule, by its name.
  case rules([String: RuleStanding])
  case people(ChoicePeople)
  case time(ClosedRange<Duration>)
  case whole(ChoicePeople, ClosedRange<Duration>)
  /// Nil if the attack has more states than can be solved.
  case attack(Double?)
}

/// What people come to under a candidate.
public struct ChoicePeople: Hashable, Sendable {
  /// The mean number of lockouts of a person in a year.
  public var lockoutsPerYear: Double
  /// The share of logins that are given up.
  public var denied: Double
  /// The share of transactions refused to the right person.
  public var rejected: Double
  /// The mean seconds of a successful login.
  public var meanSeconds: Double

  /// What `solution` says of them.
  public init(_ solution: Solution) {
    lockoutsPerYear = solution.lockoutsPerYear
    denied = solution.denied
    rejected = solution.rejected
    meanSeconds = solution.meanTime / .seconds(1)
  }
}

/// How a case stands to a rule of ``Compliance``.
public enum RuleStanding: Hashable, Sendable {
  /// Everything that was assessed is met, and something was.
  case kept
  /// No clause says anything of it, so nothing says that the rule is met.
  case moot
  /// These clauses are not met.
  case broken(Set<FailedClause>)
  /// It depends on what nobody said, so nothing says that the rule is met.
  case unknown(Set<ComplianceClause.Unsaid>)

  init(_ rule: ComplianceRule) {
    switch rule.finding {
    case .met: self = .kept
    case .notAssessed: self = rule.isMoot ? .moot : .kept
    case .failed:
      let failed = rule.clauses.filter { $0.finding == .failed }
      self = .broken(Set(failed.map { FailedClause(clause: $0.clause, found: $0.found) }))
    case .unknown: self = .unknown(rule.unsaid)
    }
  }

  /// Whether it meets the rule, as far as that was assessed.
  var isKept: Bool { self == .kept }
}

/// A clause that is not met, and what was found.
public struct FailedClause: Hashable, Sendable {
  /// The requirement of the clause.
  public var clause: String
  /// The value found.
  public var found: String
}

/// A rule that no candidate meets.
public struct UnmetRule: Hashable, Sendable {
  /// The number of its bound.
  public var bound: Int
  /// How many candidates no clause says anything of.
  public var moot: Int
  /// The clauses that none of the others meets, with the same value found, in the order of the alphabet.
  public var clauses: [FailedClause]
}

/// A rule that nobody can tell of some candidates, for want of what nobody said.
public struct UnknownRule: Hashable, Sendable {
  /// The number of its bound.
  public var bound: Int
  /// How many candidates it is not known of.
  public var candidates: Int
  /// What would have to be said.
  public var unsaid: Set<ComplianceClause.Unsaid>
}
