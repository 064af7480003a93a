import LocalAuthCore
public import LocalAuthSensor

/// A number of a case that is our own.
public struct Assumption: OwnNumber {
  /// The unit of the number.
  public enum Unit: String, Sendable {
    case share
    case seconds
    case count

    /// Returns half of `value`, whole numbers rounded up, and 2 for no limit; nil if that is the same.
    func half(of value: Double) -> Double? {
      let half = value.isInfinite ? 2 : self == .count ? (value / 2).rounded(.up) : value / 2
      return half == value ? nil : half
    }

    /// Returns twice `value`, `most` at most, or what has twice the odds for a share that would get to 1;
    /// nil if that is the same.
    func double(of value: Double, most: Double) -> Double? {
      let isWhole = self == .share && 2 * value >= 1
      let double = min(isWhole ? 2 * value / (1 + value) : 2 * value, most)
      return double == value ? nil : double
    }
  }

  /// The name for programs.
  public let name: String
  /// A label for a table.
  public let label: String
  /// What the number says, in words for a person who knows none of the terms.
  public let words: String
  /// What the number counts.
  public let unit: Unit
  /// Our number; infinity for no limit.
  public let standard: Double
  /// The greatest number that can be meant.
  private let most: Double
  private var get: @Sendable (PolicyCase) -> Double?
  private let set: @Sendable (inout PolicyCase, Double) throws(ModelError) -> Void

  init(
    _ name: String,
    _ label: String,
    _ words: String,
    _ unit: Unit,
    _ standard: Double,
    most: Double = .infinity,
    get: @escaping @Sendable (PolicyCase) -> Double?,
    set: @escaping @Sendable (inout PolicyCase, Double) throws(ModelError) -> Void
  ) {
    self.name = name
    self.label = label
    self.words = words
    self.unit = unit
    self.standard = standard
    self.most = most
    self.get = get
    self.set = set
  }

  /// Returns the number in `plan`; nil if nothing there depends on such a number.
  public func value(in plan: PolicyCase) -> Double? { get(plan) }

  /// Whether `plan` has our number and no other.
  public func isOurs(in plan: PolicyCase) -> Bool { value(in: plan).map(isStandard) ?? false }

  /// Returns `plan` with the number changed.
  ///
  /// - Throws: `ModelError.outOfRange` if the number cannot be that.
  public func changing(_ plan: PolicyCase, to value: Double) throws(ModelError) -> PolicyCase {
    var changed = plan
    try set(&changed, value)
    return changed
  }

  /// Returns half of `value`, whole numbers rounded up, and 2 for no limit; nil if that is the same.
  public func half(of value: Double) -> Double? { unit.half(of: value) }

  /// Returns twice `value`, or what has twice the odds for a share that would get to 1; nil if that is
  /// the same.
  public func double(of value: Double) -> Double? { unit.double(of: value, most: most) }
}

extension Assumption {
  /// All such numbers: of the sensor and the people, then of what people do.
  public static let all = (people + fingers).map(\.ofFingers) + habits

  /// The same, on which nothing depends where no finger is asked for.
  private var ofFingers: Assumption {
    var assumption = self
    assumption.get = { [get] plan in plan.asksForFinger ? get(plan) : nil }
    return assumption
  }

  private static let people = [
    Assumption(
      "ownVariance",
      "variance of people's own",
      "how much people differ: the share of the scores' variance that is a person's own",
      .share,
      0.5
    ) {
      guard case .probit(let rates) = $0.sensor.population else { return nil }
      return rates.correlation
    } set: { (plan, value) throws(ModelError) in
      guard case .probit(let rates) = plan.sensor.population else { return }
      plan.sensor.population = .probit(try ProbitRates(miss: rates.miss, correlation: value))
    },
    goats("goats", "share of goats", "how many people are missed often", \.goats) {
      ($1, $0.goatMiss, $0.sheepMiss)
    },
    goats("goatMiss", "misses of goats", "how often these are missed", \.goatMiss) {
      ($0.goats, $1, $0.sheepMiss)
    },
    goats(
      "sheepMiss",
      "misses of everybody else",
      "how often everybody else is missed",
      \.sheepMiss
    ) { ($0.goats, $0.goatMiss, $1) },
  ]

  private static let fingers = [
    Assumption(
      "impairedShare",
      "time with an impaired finger",
      "how much of the time a finger is wet, dry or dirty",
      .share,
      0.05
    ) {
      $0.sensor.fingerState.impairedShare
    } set: { (plan, value) throws(ModelError) in
      let time = plan.sensor.fingerState.impairedFor
      plan.sensor.fingerState = try FingerStateProcess(impairedShare: value, impairedFor: time)
    },
    Assumption("impairedFor", "an impaired spell", "how long a finger stays so", .seconds, 600) {
      $0.sensor.fingerState.impairedFor.inSeconds
    } set: { (plan, value) throws(ModelError) in
      let share = plan.sensor.fingerState.impairedShare
      plan.sensor.fingerState = try FingerStateProcess(
        impairedShare: share,
        impairedFor: .rounded(seconds: value)
      )
    },
    Assumption(
      "impairedMiss",
      "misses when impaired (else 1 %)",
      "how often such a finger is missed that is missed in 1 % otherwise",
      .share,
      0.4
    ) {
      $0.sensor.scores.effects.impairedMiss
    } set: { (plan, value) throws(ModelError) in
      plan.sensor.scores.effects = try plan.sensor.scores.effects.withImpairedMiss(value)
    },
    rate(
      "notAcquired",
      "FTA",
      "how often a touch gives no picture of the finger",
      0.01,
      \.failureToAcquire
    ) {
      ($1, $0.failureToEnrol, $0.takenForFake)
    },
    rate(
      "notEnrolled",
      "FTE",
      "how many fingers cannot be enrolled at all",
      0.005,
      \.failureToEnrol
    ) {
      ($0.failureToAcquire, $1, $0.takenForFake)
    },
    rate(
      "takenForFake",
      "BPCER",
      "how often the sensor takes a real finger for a fake",
      0.01,
      \.takenForFake
    ) {
      ($0.failureToAcquire, $0.failureToEnrol, $1)
    },
  ]

  private static let habits = [
    habit(
      "loginsPerDay",
      "logins a day",
      "how often a person logs in, a day",
      .count,
      10,
      most: Double(Solution.loginsPerDayMax)
    ) {
      Double($0.loginsPerDay)
    } set: {
      $0.loginsPerDay = UInt32($1)
    },
    habit(
      "awake",
      "hours with logins",
      "the part of the day in which people log in",
      .seconds,
      17 * 3600,
      most: 86_400
    ) {
      $0.awake.inSeconds
    } set: {
      $0.awake = .rounded(seconds: $1)
    },
    habit("mistyped", "mistyped passcodes", "how often a passcode is mistyped", .share, 0.03) {
      $0.mistyped
    } set: {
      $0.mistyped = $1
    },
    habit("typing", "typing a passcode", "how long typing a passcode takes", .seconds, 4) {
      $0.typing.inSeconds
    } set: {
      $0.typing = .rounded(seconds: $1)
    },
    habit(
      "patience",
      "patience in misses",
      "after how many misses people type the passcode instead",
      .count,
      .infinity
    ) {
      $0.patience.map(Double.init) ?? .infinity
    } set: {
      $0.patience = $1.isInfinite ? nil : UInt32($1)
    }.ofFingers,
    habit("longestWait", "longest wait", "how long a refusal people wait for at most", .seconds, 60)
    {
      $0.longestWait.inSeconds
    } set: {
      $0.longestWait = .rounded(seconds: $1)
    },
    habit(
      "evaluations",
      "evaluations in a login",
      "how often people begin again before they give up",
      .count,
      3
    ) {
      Double($0.evaluations)
    } set: {
      $0.evaluations = UInt32($1)
    },
  ]

  private static func goats(
    _ name: String,
    _ label: String,
    _ words: String,
    _ value: any KeyPath<GoatMixture, Double> & Sendable,
    with change: @escaping @Sendable (GoatMixture, Double) -> (Double, Double, Double)
  ) -> Assumption {
    Assumption(name, label, words, .share, GoatMixture.standard[keyPath: value]) {
      guard case .mixture(let mixture) = $0.sensor.population else { return nil }
      return mixture[keyPath: value]
    } set: { (plan, value) throws(ModelError) in
      guard case .mixture(let mixture) = plan.sensor.population else { return }
      let (goats, goatMiss, sheepMiss) = change(mixture, value)
      plan.sensor.population = .mixture(
        try GoatMixture(goats: goats, goatMiss: goatMiss, sheepMiss: sheepMiss)
      )
    }
  }

  private static func rate(
    _ name: String,
    _ label: String,
    _ words: String,
    _ standard: Double,
    _ value: any KeyPath<AcquisitionRates, Double> & Sendable,
    with change: @escaping @Sendable (AcquisitionRates, Double) -> (Double, Double, Double)
  ) -> Assumption {
    Assumption(name, label, words, .share, standard) {
      $0.sensor.acquisition[keyPath: value]
    } set: { (plan, value) throws(ModelError) in
      let (acquire, enrol, fake) = change(plan.sensor.acquisition, value)
      plan.sensor.acquisition = try AcquisitionRates(
        failureToAcquire: acquire,
        failureToEnrol: enrol,
        bpcer: fake
      )
    }
  }

  private static func habit(
    _ name: String,
    _ label: String,
    _ words: String,
    _ unit: Unit,
    _ standard: Double,
    most: Double = .infinity,
    get: @escaping @Sendable (Habits) -> Double,
    set: @escaping @Sendable (inout Habits, Double) -> Void
  ) -> Assumption {
    Assumption(name, label, words, unit, standard, most: most) {
      get($0.habits)
    } set: { (plan, value) throws(ModelError) in
      set(&plan.habits, value)
      plan.habits = try plan.habits.checked()
    }
  }
}

extension Duration {
  /// The seconds of it, to the nanosecond; a quotient of durations is off in its last digit.
  var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }

  /// Returns this many seconds, to the nanosecond.
  fileprivate static func rounded(seconds: Double) -> Duration {
    .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
