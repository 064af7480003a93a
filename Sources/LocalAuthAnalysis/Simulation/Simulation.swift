import LocalAuthCore
public import LocalAuthSensor

/// People who log in day after day, on the machines of the daemon and a clock that nobody waits for.
///
/// Everybody's draws have addresses of their own, so people can be simulated in any order, on any thread, and
/// the results be merged in any.
public struct Simulation: Sendable {
  /// What is simulated.
  public let plan: PolicyCase
  /// Where chance comes from.
  public let random: EventRandom
  /// For how many days.
  public let days: UInt32

  /// The simulation of `plan`.
  public init(_ plan: PolicyCase, seed: UInt64, days: UInt32) {
    self.plan = plan
    random = EventRandom(seed: seed)
    self.days = days
  }

  /// The statistics of nobody yet.
  public var nobody: LoginStatistics { LoginStatistics(days: days) }

  /// Simulates `users` and adds them to `statistics`.
  ///
  /// When `isStopped` says so, which is asked once a simulated day, it ends; who was not simulated to the last
  /// day is left out.
  public func run(
    _ users: Range<UInt32>,
    into statistics: inout LoginStatistics,
    isStopped: () -> Bool = { false }
  ) {
    let own = Simulation(plan.unshared, seed: random.seed, days: days)
    for user in users {
      var run = SimulatedUser(user, own)
      var times = DurationHistogram()
      for day in 0..<days {
        if isStopped() { return }
        run.live(day, own.plan, random, &times)
      }
      statistics.add(run.counts)
      statistics.add(times)
    }
  }
}
