import LocalAuthCore
public import LocalAuthSensor

/// People who log in day after day, on the daemon's state machines and a virtual clock.
///
/// Each person's random draws have their own addresses, so people can be simulated in any order and
/// on any thread, and results can be merged in any order.
public struct Simulation: Sendable {
  /// The case to simulate.
  public let plan: PolicyCase
  /// The source of randomness.
  public let random: EventRandom
  /// The number of days.
  public let days: UInt32
  /// The people.
  public let sample: PeopleSample

  /// Creates the simulation of `plan` with these people.
  public init(
    _ plan: PolicyCase,
    seed: UInt64,
    days: UInt32,
    people sample: PeopleSample = .independent
  ) {
    self.plan = plan
    self.sample = sample
    random = EventRandom(seed: seed)
    self.days = days
  }

  /// Empty statistics, to begin with.
  public var nobody: LoginStatistics { LoginStatistics(days: days) }

  /// Simulates `users` and adds them to `statistics`.
  ///
  /// It checks `isStopped` once per simulated day and stops when it returns true; a person who was
  /// not simulated through the last day is left out.
  public func run(
    _ users: Range<UInt32>,
    into statistics: inout LoginStatistics,
    isStopped: () -> Bool = { false }
  ) {
    let own = Simulation(plan.unshared, seed: random.seed, days: days, people: sample)
    for user in users {
      var run = SimulatedUser(user, own)
      var times = DurationHistogram()
      for day in 0..<days {
        if isStopped() { return }
        run.live(day, own.plan, random, &times)
      }
      statistics.add(run.counts, times, in: sample[user])
    }
  }
}
