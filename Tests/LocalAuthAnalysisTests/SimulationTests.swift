import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@Suite struct SimulationTests {
  private let seed = SeededGenerator.ofThisRun.seed

  private func simulation(days: UInt32 = 2) throws -> Simulation {
    let plan = try Cases.plan("device-owner", Cases.lock(at: 3), Cases.goats)
    return Simulation(plan, seed: seed, days: days)
  }

  @Test(arguments: [2, 7] as [UInt32]) func shardsInAnyOrderAreTheWhole(_ shards: UInt32) throws {
    let simulation = try simulation()
    var whole = simulation.nobody
    simulation.run(0..<70, into: &whole)
    var merged = simulation.nobody
    for shard in (0..<shards).reversed() {
      var part = simulation.nobody
      simulation.run((70 * shard / shards)..<(70 * (shard + 1) / shards), into: &part)
      merged.merge(part)
    }
    #expect(merged == whole, "SEED=\(seed)")
    #expect(whole.users == 70 && whole.logins == 280)
  }

  @Test func morePeopleLeaveTheOthersAsTheyWere() throws {
    let simulation = try simulation()
    var few = simulation.nobody
    simulation.run(0..<10, into: &few)
    var more = simulation.nobody
    simulation.run(10..<30, into: &more)
    var all = simulation.nobody
    simulation.run(0..<30, into: &all)
    few.merge(more)
    #expect(few == all, "SEED=\(seed)")
  }

  @Test func whoWasNotSimulatedToTheLastDayIsLeftOut() throws {
    let simulation = try simulation(days: 5)
    var days = 0
    var seen = simulation.nobody
    simulation.run(0..<10, into: &seen) {
      days += 1
      return days > 13
    }
    // Two people of five days, and three days of a third.
    #expect(seen.users == 2)
    #expect(seen.logins == 20)
    #expect(seen.times.total <= 20)
  }

  @Test func attacksInShardsAreTheWhole() throws {
    let plan = try Cases.plan("passcode", Cases.lock(at: 3), SensorModel.standard)
    var attack = Attack(.pin, time: .seconds(3600))
    attack.passcodes = .uniform(of: 20)
    let simulation = try AttackSimulation(plan, attack, seed: seed)
    var whole = AttackStatistics()
    simulation.run(0..<60, into: &whole)
    var merged = AttackStatistics()
    for first in [40, 0, 20] as [UInt32] {
      var part = AttackStatistics()
      simulation.run(first..<(first + 20), into: &part)
      merged.merge(part)
    }
    #expect(merged == whole && whole.attacks == 60, "SEED=\(seed)")
  }

  @Test func durationsAreReadBackWithinABin() {
    var histogram = DurationHistogram()
    for value in 1...10_000 as ClosedRange<UInt64> { histogram.add(microseconds: value * 1000) }
    for share in [0.01, 0.5, 0.9, 0.99] {
      let read = histogram.percentile(share)
      let (low, high) = (read.lowerBound / .seconds(1), read.upperBound / .seconds(1))
      #expect(low <= 10 * share && 10 * share <= high, "\(share): \(read)")
      #expect(high - low <= high / 32 + 1e-5)
    }
    #expect(abs(histogram.mean / .seconds(1) - 5.0005) < 1e-9)
    #expect(DurationHistogram().percentile(0.5).upperBound == .zero)
  }

  @Test func countsBeyondTheHistogramAreInItsLastBin() {
    var histogram = CountHistogram(most: 3)
    for value in [0, 0, 1, 3, 900] as [UInt64] { histogram.add(value) }
    #expect(histogram.bins == [2, 1, 0, 2])
    #expect([0.2, 0.5, 0.6, 0.9].map { histogram.percentile($0) } == [0, 1, 1, 3])
  }
}
