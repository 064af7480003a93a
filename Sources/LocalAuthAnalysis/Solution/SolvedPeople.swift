import LocalAuthSensor

/// All people of a case, class by class, living one day after another.
struct SolvedPeople {
  /// The classes of people.
  private(set) var runs: [ClassRun] = []
  /// The persons at the chosen shares, who have no weight.
  private(set) var chosen: [ClassRun] = []
  /// The device states that people with a print get to.
  private var withPrint: LoginYear
  /// The device states that people without one get to.
  private var withoutPrint: LoginYear
  private var gathering = Gathering()

  init(_ plan: PolicyCase, percentiles shares: [Double], dropping nobody: Double) {
    self.init(plan, only: shares, dropping: nobody)
    runs = plan.sensor.classes(prints: plan.prints).filter { $0.weight > 0 }
      .map { ClassRun($0, plan, dropping: nobody) }
  }

  /// The persons at `shares` and nobody else.
  init(_ plan: PolicyCase, only shares: [Double], dropping nobody: Double) {
    withPrint = LoginYear(plan, hasFinger: true)
    withoutPrint = LoginYear(plan, hasFinger: false)
    chosen = shares.map {
      ClassRun(plan.sensor.people(at: $0, prints: plan.prints), plan, dropping: nobody)
    }
  }

  mutating func liveOneDay() {
    Self.live(&runs, &withPrint, &withoutPrint, &gathering)
    Self.live(&chosen, &withPrint, &withoutPrint, &gathering)
  }

  private static func live(
    _ runs: inout [ClassRun],
    _ withPrint: inout LoginYear,
    _ withoutPrint: inout LoginYear,
    _ gathering: inout Gathering
  ) {
    for index in runs.indices {
      if runs[index].people.hasFinger {
        runs[index].liveOneDay(&withPrint, &gathering)
      } else {
        runs[index].liveOneDay(&withoutPrint, &gathering)
      }
    }
  }

  /// The number of device states so far.
  var states: Int { withPrint.count + withoutPrint.count }

  /// The logins of each class.
  var crowds: [LoginCrowd] {
    runs.map { $0.crowd($0.people.hasFinger ? withPrint : withoutPrint) }
  }

  /// The results of all logins.
  var sums: Sums {
    runs.reduce(into: Sums()) { $0.add($1.sums, $1.people.weight) }
  }

  /// Returns the mean of `value` over all people.
  func mean(_ value: (ClassRun) -> Double) -> Double {
    runs.reduce(0) { $0 + $1.people.weight * value($1) }
  }
}

/// The expected results of one person's logins, or of all people's.
struct Sums {
  var logins = 0.0
  var transactions = 0.0
  var rejected = 0.0
  var fallbacks = 0.0
  var denied = 0.0
  var lockouts = 0.0
  var presentations = 0.0
  var seconds = 0.0

  /// The share of transactions that are refused.
  var rejectedShare: Double { transactions > 0 ? rejected / transactions : 0 }
  /// The share of logins that are given up.
  var deniedShare: Double { denied / logins }
  /// The mean duration of a successful login.
  var meanSeconds: Double { seconds / max(logins - denied, .leastNormalMagnitude) }

  mutating func add(_ other: Sums, _ weight: Double) {
    logins += weight * other.logins
    transactions += weight * other.transactions
    rejected += weight * other.rejected
    fallbacks += weight * other.fallbacks
    denied += weight * other.denied
    lockouts += weight * other.lockouts
    presentations += weight * other.presentations
    seconds += weight * other.seconds
  }
}
