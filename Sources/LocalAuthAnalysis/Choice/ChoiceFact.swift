/// A thing to compute: one for all candidates that it is the same for.
public enum ChoiceFact: Hashable, Sendable {
  /// Which rules the case does not meet, if this share of transactions is refused to the right
  /// person.
  case rules(case: Int, rejected: Double)
  /// What people come to.
  case people(case: Int)
  /// The time that 95 in 100 logins take at most.
  case time(case: Int)
  /// The chance of the attack of this bound.
  case attack(case: Int, bound: Int)
}

/// The answer to a ``ChoiceFact``.
public enum ChoiceFinding: Sendable {
  case rules(unmet: Set<String>)
  case people(ChoicePeople)
  case time(ClosedRange<Duration>)
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

extension ComplianceRule {
  /// Whether everything that was assessed is met.
  public var isKept: Bool {
    switch finding {
    case .met, .notAssessed: true
    case .failed, .unknown: false
    }
  }
}
