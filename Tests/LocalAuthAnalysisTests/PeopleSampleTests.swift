import LocalAuthAnalysis
import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@Suite struct PeopleSampleTests {
  private let seed = SeededGenerator.ofThisRun.seed

  private func seen(
    _ sensor: SensorModel,
    _ people: UInt32,
    of all: UInt32,
    prints: UInt32 = 1
  ) throws -> LoginStatistics {
    let plan = try Cases.plan("device-owner", Cases.lock(at: 3), sensor, prints: prints)
    let sample = PeopleSample(all, of: plan)
    let simulation = Simulation(plan, seed: seed, days: 1, people: sample)
    var seen = simulation.nobody
    simulation.run(0..<people, into: &seen)
    return seen
  }

  @Test func strataHaveTheirSharesOfAllPeople() throws {
    // Who has no print falls back always, and nobody else does if all fingers match.
    var sensor = Cases.bare(.mixture(try GoatMixture(goats: 0, goatMiss: 0.5, sheepMiss: 0)))
    sensor.acquisition = try AcquisitionRates(failureToAcquire: 0, failureToEnrol: 0.3, bpcer: 0)
    for people in [50, 1000, 3000] as [UInt32] {
      for prints in [1, 2] as [UInt32] {
        let seen = try seen(sensor, people, of: people, prints: prints)
        let none = prints == 1 ? 0.3 : 0.09
        #expect(abs(seen.fallbacks.rate - none) < 1e-12, "\(people), \(prints)")
        #expect(seen.users == UInt64(people))
      }
    }
  }

  @Test func rareKindsAreAlwaysMet() throws {
    for sensor in [SensorModel.standard, Cases.goats] {
      let seen = try seen(sensor, 50, of: 50)
      // Two of those without a print, who are 0.5 in 100.
      #expect(seen.fallbacks.events >= 4, "SEED=\(seed)")
      #expect(seen.fallbacks.rate < 0.1, "SEED=\(seed)")
    }
  }

  @Test func aRunThatEndsEarlyHasMetAllKinds() throws {
    var sensor = Cases.bare(.mixture(try GoatMixture(goats: 0.1, goatMiss: 1, sheepMiss: 0)))
    sensor.acquisition = .flawless
    let seen = try seen(sensor, 20, of: 1000)
    #expect(abs(seen.rejected.rate - 0.1) < 1e-12)
    #expect(seen.rejected.people == 20)
  }

  @Test func histogramsAndTimesCountPeopleByTheirShare() throws {
    // Goats are never recognized, so they are locked out and type their passcode.
    let sensor = Cases.bare(.mixture(try GoatMixture(goats: 0.1, goatMiss: 1, sheepMiss: 0)))
    let seen = try seen(sensor, 100, of: 100)
    let counts = seen.lockoutsOfUsers
    #expect(abs(Double(counts.bins[0]) / Double(counts.total) - 0.9) < 1e-4)
    #expect(seen.lockoutsPerYear(percentile: 0.89) == 0)
    #expect(seen.lockoutsPerYear(percentile: 0.91) > 0)
    #expect(abs((seen.survival.last ?? 0) - 0.9) < 1e-4)
    #expect(seen.times.percentile(0.85).upperBound < .seconds(2))
    #expect(seen.times.percentile(0.95).lowerBound > .seconds(4))
  }

  @Test func aFewPeopleAreDrawnIndependently() throws {
    let plan = try Cases.plan("device-owner", Cases.lock(at: 3), Cases.goats)
    #expect(PeopleSample(1, of: plan) == .independent)
    #expect(PeopleSample(7, of: plan) == .independent)
    #expect(PeopleSample(8, of: plan) != .independent)
  }

  /// A quantity that is far from normal among independent people, in each population.
  @Test(arguments: ["probit", "beta", "mixture"])
  func stratifiedPeopleAreThePopulation(_ name: String) throws {
    var sensor = SensorModel.standard
    sensor.population =
      switch name {
      case "beta": .beta(try BetaRates(mean: 0.2, correlation: 0.3))
      case "mixture": .mixture(try GoatMixture(goats: 0.3, goatMiss: 0.5, sheepMiss: 0.05))
      default: .probit(try ProbitRates(miss: 0.2, correlation: 0.4))
      }
    let plan = try Cases.plan("device-owner", Cases.lock(at: 3), sensor)
    let exact = Solution(plan, days: 2)
    let simulation = Simulation(plan, seed: seed, days: 2, people: PeopleSample(4000, of: plan))
    var seen = simulation.nobody
    simulation.run(0..<4000, into: &seen)
    // Wrong once in a million runs.
    let fallbacks = try #require(seen.fallbacks.shareInterval(confidence: 1 - 1e-6))
    let lockouts = try #require(seen.lockouts.meanInterval(confidence: 1 - 1e-6))
    #expect(fallbacks.contains(exact.fallbacks), "\(fallbacks) \(exact.fallbacks) SEED=\(seed)")
    #expect(lockouts.contains(exact.lockoutsPerYear / 365.25), "\(lockouts) SEED=\(seed)")
    #expect(fallbacks.upperBound < 1.5 * fallbacks.lowerBound)
  }
}
