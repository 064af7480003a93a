import LocalAuthCore
import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@testable import LocalAuthAnalysis

/// How long logins take, against closed forms and against what is drawn.
@Suite struct LoginTimesTests {
  private static let seed = SeededGenerator.ofThisRun.seed

  /// People who always match at the first touch that gives a sample.
  private func matching(_ lost: Double = 0) throws -> SensorModel {
    var sensor = SensorModel.standard
    sensor.population = .mixture(try GoatMixture(goats: 0, goatMiss: 0, sheepMiss: 0))
    sensor.fingerState = .alwaysGood
    sensor.acquisition = try AcquisitionRates(
      failureToAcquire: lost,
      failureToEnrol: 0,
      bpcer: 0
    )
    return sensor
  }

  private func times(
    _ policy: String,
    _ sensor: SensorModel,
    lock: UInt32 = 3,
    days: UInt32 = 1
  ) throws -> LoginTimes {
    let plan = try Cases.plan(policy, Cases.lock(at: lock), sensor, habits: Habits())
    return Solution(plan, days: days).times()
  }

  @Test func timesCanBeStopped() throws {
    let plan = try Cases.plan("device-owner", Cases.lock(at: 3), Cases.goats)
    let solution = Solution(plan, days: 1)
    let stopped = solution.times(isStopped: { true })
    #expect(stopped?.mean == nil)
    let times = try #require(solution.times(isStopped: { false })?.mean)
    let others = solution.times().mean
    // They add up in orders of their own.
    #expect(abs(times / .seconds(1) - others / .seconds(1)) < 1e-12)
  }

  private func check(
    _ found: ClosedRange<Duration>,
    _ expected: Duration,
    _ presentations: Double = 1
  ) {
    #expect(found.contains(expected), "\(found) against \(expected)")
    // A cell is at most a 4096th of what it measures, or an 8192th of a second.
    let width = max(expected / 4096, .seconds(1) / 8192)
    #expect(found.upperBound - found.lowerBound <= width * (presentations + 1), "\(found)")
  }

  @Test(arguments: [0.01, 0.5, 0.9, 0.95, 0.99])
  func oneTouchTakesWhatTheLatencySays(_ share: Double) throws {
    let found = try times("biometrics", matching())
    check(found.percentiles([share])[0], LognormalLatency.standard.quantile(share))
    let within = found.share(within: LognormalLatency.standard.quantile(share))
    #expect(within.contains(share) && within.upperBound - within.lowerBound < 1e-3)
  }

  @Test(arguments: [0.01, 0.5, 0.96]) func rightPasscodesTakeTheirTyping(_ share: Double) throws {
    let found = try times("passcode", matching())
    #expect(found.percentiles([share])[0] == .seconds(4)...(.seconds(4)))
  }

  /// 3 % are mistyped once, and then some twice.
  @Test func wrongPasscodesAreTypedAgain() throws {
    let found = try times("passcode", matching())
    #expect(found.percentiles([0.98])[0] == .seconds(8)...(.seconds(8)))
    #expect(found.share(within: .seconds(7)).contains(0.97))
  }

  @Test func latenciesThatNeverDifferAddUp() throws {
    var sensor = try matching(0.2)
    sensor.latency = try LognormalLatency(
      median: .milliseconds(500),
      percentile95: .milliseconds(500)
    )
    let found = try times("biometrics", sensor)
    for (share, touches) in [(0.5, 1), (0.79, 1), (0.81, 2), (0.95, 2), (0.97, 3), (0.999, 5)] {
      check(found.percentiles([share])[0], .milliseconds(500 * touches), Double(touches))
    }
  }

  @Test func nobodyWhoNeverSucceedsTakesAnyTime() throws {
    var sensor = try matching()
    sensor.population = .mixture(try GoatMixture(goats: 1, goatMiss: 1, sheepMiss: 1))
    let found = try times("biometrics", sensor)
    #expect(found.percentiles([0.5, 0.99]) == [.zero ... .zero, .zero ... .zero])
    #expect(found.mean == .zero)
  }

  /// Latencies of up to an hour make coarser cells, and the same shares.
  @Test func aSlowSensorIsAsExactForItsLength() throws {
    var sensor = try matching(0.1)
    sensor.latency = try LognormalLatency(median: .seconds(40), percentile95: .seconds(100))
    let slow = try times("biometrics", sensor).percentiles([0.5, 0.9, 0.99])
    sensor.latency = .standard
    let usual = try times("biometrics", sensor).percentiles([0.5, 0.9, 0.99])
    for (slow, usual) in zip(slow, usual) {
      #expect(slow.lowerBound <= usual.upperBound * 100)
      #expect(slow.upperBound >= usual.lowerBound * 100)
      #expect((slow.upperBound - slow.lowerBound) / slow.upperBound < 2e-3)
    }
  }

  /// What is known of all logins of all days: presentations, typing and waits make the mean that the chain has.
  @Test(arguments: Cases.policies) func theMeanIsThatOfTheChain(_ policy: String) throws {
    for (number, lockout) in try Cases.lockouts.enumerated() {
      let sensors = try Cases.sensors
      let plan = try Cases.plan(
        policy,
        lockout,
        sensors[number % sensors.count].model,
        habits: Cases.habits(patience: number % 2 == 0 ? 2 : nil)
      )
      let solution = Solution(plan, days: 2)
      guard solution.denied < 0.999 else { continue }
      let ratio = solution.times().mean / solution.meanTime
      #expect(abs(ratio - 1) < 1e-7, "\(policy), \(lockout.name): \(ratio)")
    }
  }

  /// The first logins of people, who are independent: what is drawn, by exact binomial tests at both ends of what
  /// the grid leaves open.
  ///
  /// A right solution fails any of them once in a million runs; latencies that are 7 % off fail several.
  @Test(arguments: Cases.policies) func drawnLoginsTakeAsLong(_ policy: String) throws {
    let comparisons = 100.0
    let first = Cases.policies.firstIndex(of: policy) ?? 0
    for (number, sensor) in try Cases.sensors.enumerated() {
      let lockout = try Cases.lockouts[(first * 5 + number) % Cases.lockouts.count]
      var habits = Cases.habits(patience: number % 2 == 0 ? 2 : nil)
      habits.loginsPerDay = 1
      let plan = try Cases.plan(policy, lockout, sensor.model, habits: habits)
      let times = Solution(plan, days: 1).times()
      let simulation = Simulation(plan, seed: Self.seed &+ UInt64(first * 5 + number), days: 1)
      var seen = simulation.nobody
      simulation.run(0..<6000, into: &seen)
      for bound in times.percentiles([0.5, 0.9, 0.99]) where seen.times.total > 0 {
        let (end, shorter) = seen.times.end(above: bound.upperBound)
        let drawn = Proportion(successes: shorter, trials: seen.times.total)
        let solved = times.share(within: end - .nanoseconds(1))
        let nearest = min(max(drawn.share, solved.lowerBound), solved.upperBound)
        #expect(
          drawn.pValue(rate: nearest) > 1e-6 / comparisons,
          "\(policy), \(lockout.name), \(sensor.name), SEED=\(Self.seed): \(drawn) against \(solved)"
        )
      }
    }
  }
}

extension DurationHistogram {
  /// The end of the bin in which `time` lies, and how many durations are shorter.
  fileprivate func end(above time: Duration) -> (end: Duration, shorter: UInt64) {
    let microseconds = UInt64(time / .microseconds(1))
    let bin = bins.indices.first { Self.start(of: $0 + 1) > microseconds } ?? bins.count - 1
    return (.microseconds(Int64(Self.start(of: bin + 1))), bins[...bin].reduce(0, +))
  }
}
