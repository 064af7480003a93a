import LocalAuthCore
import LocalAuthSensor

/// The exact results of a policy.
///
/// These are the quantities that ``Simulation`` estimates, computed from the finite Markov chain of
/// policy, lockout profile, passcode delays, sensor and habits.
public struct Solution: Sendable {
  /// The number of days covered.
  public let days: UInt32
  /// The share of logins whose first use of the finger is refused, among those that begin with one.
  public private(set) var rejected = 0.0
  /// The share of logins that need a passcode although a finger alone meets the policy.
  public private(set) var fallbacks = 0.0
  /// The share of logins that people give up.
  public private(set) var denied = 0.0
  /// The mean number of lockouts per person and year.
  public private(set) var lockoutsPerYear = 0.0
  /// The mean duration of a successful login.
  public private(set) var meanTime = Duration.zero
  /// The mean number of presentations per login.
  public private(set) var presentations = 0.0
  /// The share of people not locked out by the end of each day, beginning with day 0.
  public private(set) var survival: [Double]
  /// The share of people who need a passcode at least once although a finger would do.
  public private(set) var everFellBack = 0.0
  /// The share of people who give up at least once.
  public private(set) var everDenied = 0.0
  /// The classes of people, by ascending lockouts per year: their share, and those lockouts.
  public private(set) var people: [(share: Double, lockoutsPerYear: Double)] = []
  /// The number of states of the chain, over all days.
  public private(set) var states = 0
  private let latency: LognormalLatency
  private var crowds: [LoginCrowd] = []

  /// The share of people who are locked out at least once.
  public var everLockedOut: Double { 1 - (survival.last ?? 1) }

  /// Solves `plan` for this many days.
  public init(_ plan: PolicyCase, days: UInt32) {
    self.days = days
    latency = plan.sensor.latency
    survival = Array(repeating: 0, count: Int(days) + 1)
    var sums = Sums()
    let classes = plan.sensor.classes(prints: plan.prints)
    for hasFinger in [true, false] {
      var year = LoginYear(plan, hasFinger: hasFinger)
      for people in classes where people.hasFinger == hasFinger && people.weight > 0 {
        var run = ClassRun(people, plan, days)
        run.live(&year)
        add(run, people.weight, &sums)
        crowds.append(run.crowd(year))
      }
      states += year.count
    }
    rejected = sums.transactions > 0 ? sums.rejected / sums.transactions : 0
    fallbacks = sums.fallbacks / sums.logins
    denied = sums.denied / sums.logins
    presentations = sums.presentations / sums.logins
    lockoutsPerYear = people.reduce(0) { $0 + $1.share * $1.lockoutsPerYear }
    meanTime = .seconds(sums.seconds / max(sums.logins - sums.denied, .leastNormalMagnitude))
    people.sort { $0.lockoutsPerYear < $1.lockoutsPerYear }
  }

  private mutating func add(_ run: ClassRun, _ weight: Double, _ sums: inout Sums) {
    sums.add(run.sums, weight)
    for day in survival.indices { survival[day] += weight * run.notLockedOut[day] }
    everFellBack += weight * (1 - run.notFallenBack)
    everDenied += weight * (1 - run.notDenied)
    people.append((weight, run.sums.lockouts * Year.days / Double(days)))
  }

  /// Computes the distribution of the duration of successful logins.
  ///
  /// Each call computes it anew, which takes as long as the rest of the solution.
  public func times() -> LoginTimes {
    var weights = LoginWeights()
    for crowd in crowds { weights.add(crowd.weights, crowd.people.weight) }
    return LoginTimes(weights, latency)
  }

  /// Returns the expected lockouts per year that this share of people does not exceed.
  public func lockoutsPerYear(percentile: Double) -> Double {
    var seen = 0.0
    for kind in people {
      seen += kind.share
      // The shares add up to 1 only up to rounding.
      if seen >= percentile * (1 - 1e-12) { return kind.lockoutsPerYear }
    }
    return people.last?.lockoutsPerYear ?? 0
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
