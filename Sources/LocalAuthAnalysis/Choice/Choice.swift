import LocalAuthCore
public import LocalAuthSensor

/// A question for the cheapest policies that keep to all bounds.
public struct Choice: Sendable {
  /// What is chosen from.
  public var space: ChoiceSpace
  /// What must be kept to.
  public var bounds: [ChoiceBound]
  /// The sensor and its population.
  public var sensor: SensorModel
  /// The number of prints each person enrols.
  public var prints: UInt32 = 1
  /// The habits of the people.
  public var habits = Habits()
  /// What things cost.
  public var prices = ChoicePrices()
  /// The days that what is chosen is solved for: a year, because a device that was just set up asks for
  /// less than one that is in use.
  public var days: UInt32 = 365
  /// The first days, which every candidate is solved for.
  public var firstDays: UInt32 = 14
  /// How many policies are wanted.
  public var count = 5
  /// The worst rate at which a fake is accepted, for rules; nil if nobody has measured it.
  public var iapar: Double?
  /// What is known of passcodes, for rules.
  public var secrets = Compliance.Passcodes()

  /// The question about `space`.
  public init(_ space: ChoiceSpace, _ bounds: [ChoiceBound], sensor: SensorModel) {
    self.space = space
    self.bounds = bounds
    self.sensor = sensor
  }

  /// Whether the first days are not all.
  public var hasLaterDays: Bool { days > firstDays }

  /// The part of a value of the first days that the value of all days is taken to reach.
  ///
  /// All days can have one passcode less in as many logins as the first days have, and so fewer
  /// touches, but not two.
  var leastPart: Double {
    guard hasLaterDays else { return 1 }
    return max(0, 1 - 2 / (Double(firstDays) * Double(habits.loginsPerDay)))
  }

  /// The case of a candidate: its policy on its device.
  public func plan(_ candidate: ChoiceSpace.Candidate) -> PolicyCase {
    PolicyCase(
      policy: candidate.policy,
      rules: DeviceAttempts.Rules(lockout: candidate.lockout, delays: candidate.delays),
      sensor: sensor,
      prints: prints,
      habits: habits
    )
  }
}

/// A candidate, and what it comes to.
public struct ChosenPolicy: Sendable {
  /// What tells policies apart that cost the same.
  struct Look: Hashable {
    var form: String
    var lockout: String
    var freshness: FreshnessRules
    var hundredths: Double
  }

  /// Its number in the space.
  public var index: Int
  /// The candidate.
  public var candidate: ChoiceSpace.Candidate
  /// What it costs a person and year.
  public var cost: Double
  /// What people come to.
  public var people: ChoicePeople
  /// Bounds of the time that 95 in 100 logins take at most; nil if nobody asked.
  public var time: ClosedRange<Duration>?
  /// The chance of each attack in the order of its bounds; nil if it could not be solved.
  public var attacks: [Double?]
  /// How it keeps to each bound.
  public var standings: [ChoiceStanding]
  /// The bounds that it was not judged by yet, which count as missed.
  public var open: [Int] = []
  /// Whether the numbers are those of all days, and not of the first ones.
  public var isWhole = true
  /// The rules among the bounds of which no clause says anything of it, which it therefore does not meet.
  public var moot: [Int] = []

  /// The bound that excludes it first if all are tightened alike; nil if none has a number.
  public var deciding: Int? {
    let shares = standings.enumerated().compactMap { index, standing in
      standing.share.map { (index, $0) }
    }
    return shares.max { ($0.1, -$0.0) < ($1.1, -$1.0) }?.0
  }

  /// The bounds that it misses.
  public var missed: [Int] { standings.indices.filter { !standings[$0].isMet } }

  /// The cost in hundredths: what is equal to the hundredth costs the same.
  var hundredths: Double { (cost * 100).rounded() }

  /// The chance of the attack that succeeds most often; one that could not be solved may always.
  var worst: Double { attacks.map { $0 ?? 1 }.max() ?? 0 }

  var look: Look {
    Look(
      form: candidate.form,
      lockout: candidate.lockout.name,
      freshness: candidate.policy.freshness,
      hundredths: hundredths
    )
  }
}

/// The answer to a ``Choice``.
public struct ChoiceResult: Sendable {
  /// The policies that keep to all bounds, the cheapest first; see ``ChoiceSearch``.
  public var chosen: [ChosenPolicy] = []
  /// If there are none: every smallest set of bounds that no candidate keeps to together, although
  /// any part of it is kept to by one, in the first days if it was solved for no more.
  public var conflicts: [[Int]] = []
  /// If there are none: the candidates that miss the fewest bounds, the cheapest first.
  public var nearest: [ChosenPolicy] = []
  /// If the search is not over: the candidates that keep to all bounds that they were judged by, but
  /// were not judged by all, or by the first days alone, the cheapest first.
  public var unjudged: [ChosenPolicy] = []
  /// The rules that nobody can tell of some candidates, which therefore count as missing them.
  public var unknown: [UnknownRule] = []
  /// If there are none: the rules that no candidate meets, and why.
  public var unmet: [UnmetRule] = []
  /// Whether all was looked at that had to be.
  public var isComplete = false
}
