import LocalAuthCore
import LocalAuthSensor

/// What a policy comes to, exactly: the quantities that ``Simulation`` estimates, from the finite Markov chain that
/// policy, lockout profile, passcode delays, sensor and habits make.
public struct Solution: Sendable {
  /// The days that it is about.
  public let days: UInt32
  /// Logins whose first use of the finger is refused, of those that begin with one.
  public private(set) var rejected = 0.0
  /// Logins that need a passcode though a finger alone meets the policy.
  public private(set) var fallbacks = 0.0
  /// Logins that people give up.
  public private(set) var denied = 0.0
  /// Lockouts of a person in a year, on average.
  public private(set) var lockoutsPerYear = 0.0
  /// How long a login takes that succeeds, on average.
  public private(set) var meanTime = Duration.zero
  /// Presentations a login.
  public private(set) var presentations = 0.0
  /// The share of people who are not locked out by the end of each day, from the beginning on.
  public private(set) var survival: [Double]
  /// The share of people who need a passcode at least once though a finger would do.
  public private(set) var everFellBack = 0.0
  /// The share of people who give up at least once.
  public private(set) var everDenied = 0.0
  /// Kinds of people: their share, and the lockouts that one of them expects in a year, the fewest first.
  public private(set) var people: [(share: Double, lockoutsPerYear: Double)] = []
  /// The states that the chain has, over all days.
  public private(set) var states = 0
  private let latency: LognormalLatency
  private var crowds: [LoginCrowd] = []

  /// The share of people who are locked out at least once.
  public var everLockedOut: Double { 1 - (survival.last ?? 1) }

  /// Solves `plan` for so many days.
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

  /// How long a login takes that succeeds; worked out anew at each call, which takes as long as all else together.
  public func times() -> LoginTimes {
    var weights = LoginWeights()
    for crowd in crowds { weights.add(crowd.weights, crowd.people.weight) }
    return LoginTimes(weights, latency)
  }

  /// The lockouts a year that this share of people expects at most.
  public func lockoutsPerYear(percentile: Double) -> Double {
    var seen = 0.0
    for kind in people {
      seen += kind.share
      // The shares add up to 1 but for their last digits.
      if seen >= percentile * (1 - 1e-12) { return kind.lockoutsPerYear }
    }
    return people.last?.lockoutsPerYear ?? 0
  }
}

/// Expectations of one person's logins, or of all people's.
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
