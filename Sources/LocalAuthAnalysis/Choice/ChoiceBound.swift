public import LocalAuthCore

/// What a chosen policy must keep to.
public enum ChoiceBound: Hashable, Sendable {
  /// It asks for nothing but these.
  case authenticators(ChoiceAuthenticators)
  /// It meets this rule of ``Compliance``, as far as that is assessed.
  case rule(String)
  /// The most that it costs a person and year.
  case cost(Double)
  /// The most lockouts of a person in a year.
  case lockouts(Double)
  /// The largest share of logins that are given up.
  case denied(Double)
  /// The highest chance of this attack.
  case attack(Attack, Double)
  /// The longest time that 95 in 100 successful logins take.
  case time(Duration)

  /// The share of logins that ``time(_:)`` is about.
  public static let timeShare = 0.95
}

/// The authenticators that there are.
public struct ChoiceAuthenticators: Hashable, Sendable {
  /// The factors among ``Factor/biometry`` and ``Factor/passcode``.
  public var factors: FactorSet
  /// The kinds of things that people have, such as `key`.
  public var kinds: Set<String>

  /// These factors and kinds.
  public init(factors: FactorSet, kinds: Set<String> = []) {
    self.factors = factors
    self.kinds = kinds
  }

  /// Whether `requirement` asks for nothing else.
  public func include(_ requirement: Requirement) -> Bool {
    guard factors.union(.possession).isSuperset(of: requirement.factors) else { return false }
    switch requirement.possession {
    case .none: return true
    case .any: return !kinds.isEmpty
    case .kind(let kind): return kinds.contains(kind)
    case .authenticator: return false
    }
  }
}

/// How a candidate keeps to a bound.
public enum ChoiceStanding: Hashable, Sendable {
  /// It does, and comes to this share of what is allowed; nil where there is no number.
  case met(Double?)
  /// It does not; nil where there is no number, or none could be computed.
  case missed(Double?)

  /// Whether it does.
  public var isMet: Bool {
    if case .met = self { true } else { false }
  }

  /// Compares a value with the most that is allowed.
  static func of(_ value: Double, atMost limit: Double) -> ChoiceStanding {
    // Of what must not be at all, nothing is as much as is allowed.
    let share = limit > 0 ? value / limit : value > 0 ? .infinity : 1
    return RoundedLimit(limit).isAtLeast(value) ? .met(min(share, 1)) : .missed(share)
  }

  /// The share of what is allowed; nil where there is no number.
  public var share: Double? {
    switch self {
    case .met(let share), .missed(let share): share
    }
  }
}

/// What things cost, in any currency.
public struct ChoicePrices: Hashable, Sendable {
  /// A lockout: what the helpdesk spends on it.
  public var lockout = 15.0
  /// A login that is given up, for which the helpdesk lets the person in.
  public var denied = 15.0
  /// An hour of a person's time, which logins take from them.
  public var hour = 30.0

  /// The default prices, which are our own assumptions.
  public init() {}

  /// The cost of what people of `habits` come to, a person and year.
  func perYear(_ people: ChoicePeople, _ habits: Habits) -> Double {
    let logins = Double(habits.loginsPerDay) * Year.days
    let seconds = logins * (1 - people.denied) * people.meanSeconds
    return lockout * people.lockoutsPerYear + denied * logins * people.denied
      + hour * seconds / 3600
  }
}
