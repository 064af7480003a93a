import LocalAuthCore
import LocalAuthSensor

/// The exact results of a policy.
///
/// These are the quantities that ``Simulation`` estimates, computed from the finite Markov chain of
/// policy, lockout profile, passcode delays, sensor and habits.
public struct Solution: Sendable {
  /// The number of days solved; fewer than asked for if the solution was stopped.
  public private(set) var days: UInt32 = 0
  /// The share of logins whose first use of the finger is refused, among those whose first evaluation
  /// judges one.
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
  /// The share of people locked out at least once by the end of each day, beginning with day 0.
  public private(set) var lockedOut: [Double] = [0]
  /// The share of people who need a passcode at least once although a finger would do.
  public private(set) var everFellBack = 0.0
  /// The share of people who give up at least once.
  public private(set) var everDenied = 0.0
  /// The classes of people, by ascending lockouts per year: their share, and those lockouts.
  public private(set) var people: [(share: Double, lockoutsPerYear: Double)] = []
  /// The expected lockouts per year of the person at each of the shares asked for.
  ///
  /// People are ordered by how often they miss, those without a print first. The person is solved by
  /// themselves and no member of a class near them.
  public private(set) var percentiles: [(share: Double, lockoutsPerYear: Double)] = []
  /// The number of states of the chain, over all days.
  public private(set) var states = 0
  /// The share of people below which they are dropped by default; all dropped shares of a year add up
  /// to hardly a millionth.
  public static let dropping = 1e-12
  private let latency: LognormalLatency
  private var crowds: [LoginCrowd] = []

  /// The most logins a day for which a chain is solved.
  ///
  /// Its states grow with their square: with 100, shipped policies have up to 610,000, in 0.5 GB.
  public static let loginsPerDayMax: UInt32 = 100

  /// The share of people who are locked out at least once.
  public var everLockedOut: Double { lockedOut.last ?? 0 }

  /// The share of people not locked out by the end of each day, beginning with day 0.
  public var survival: [Double] { lockedOut.map { 1 - $0 } }

  /// Solves `plan` for this many days.
  ///
  /// - Parameters:
  ///   - plan: The case to solve.
  ///   - days: The number of days.
  ///   - shares: The shares of people for ``percentiles``.
  ///   - nobody: The share of people below which they are dropped: nothing more happens to them.
  ///   - isStopped: Asked before each day; the solution ends with the day before if it returns true.
  public init(
    _ plan: PolicyCase,
    days: UInt32,
    percentiles shares: [Double] = [],
    dropping nobody: Double = Solution.dropping,
    isStopped: () -> Bool = { false }
  ) {
    latency = plan.sensor.latency
    var population = SolvedPeople(plan, percentiles: shares, dropping: nobody)
    while self.days < days, !isStopped() {
      population.liveOneDay()
      self.days += 1
      lockedOut.append(population.mean(\.lockedOut))
    }
    states = population.states
    guard self.days > 0 else { return }
    take(population)
    crowds = population.crowds
    let years = Double(self.days) / Year.days
    percentiles = zip(shares, population.chosen).map { ($0, $1.sums.lockouts / years) }
    people = population.runs.map { ($0.people.weight, $0.sums.lockouts / years) }
      .sorted { $0.1 < $1.1 }
    lockoutsPerYear = people.reduce(0) { $0 + $1.share * $1.lockoutsPerYear }
  }

  private mutating func take(_ population: SolvedPeople) {
    let sums = population.sums
    rejected = sums.rejectedShare
    fallbacks = sums.fallbacks / sums.logins
    denied = sums.deniedShare
    presentations = sums.presentations / sums.logins
    meanTime = .seconds(sums.meanSeconds)
    everFellBack = population.mean(\.fellBack)
    everDenied = population.mean(\.denied)
  }

  /// Computes the distribution of the duration of successful logins.
  ///
  /// Each call computes it anew, which takes as long as the rest of the solution.
  public func times() -> LoginTimes {
    times(isStopped: { false }) ?? LoginTimes(LoginWeights(), latency)
  }

  /// The same; nil if it was stopped, which is asked before each class of people.
  public func times(isStopped: () -> Bool) -> LoginTimes? {
    var weights = LoginWeights()
    for crowd in crowds {
      guard !isStopped() else { return nil }
      weights.add(crowd.weights, crowd.people.weight)
    }
    return LoginTimes(weights, latency)
  }
}
