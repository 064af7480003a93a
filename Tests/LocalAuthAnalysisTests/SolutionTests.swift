import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor
import Testing

/// The chain that is unfolded from the machines, against closed forms that know nothing of machines.
@Suite struct SolutionTests {
  private static let populations: [Population] = [
    .goats, .beta(.standard), SensorModel.standard.population,
  ]

  private func solve(
    _ sensor: SensorModel,
    lock: UInt32,
    policy: String = "device-owner",
    logins: UInt32 = 1,
    days: UInt32 = 1
  ) throws -> Solution {
    Solution(
      try Cases.plan(
        policy,
        Cases.lock(at: lock),
        sensor,
        habits: Cases.habits(logins: logins, mistyped: 0)
      ),
      days: days
    )
  }

  private func isClose(_ left: Double, _ right: Double, _ tolerance: Double = 1e-7) -> Bool {
    abs(left - right) <= tolerance * max(abs(right), 1e-300)
  }

  /// GFRR_k = E[p^k].
  @Test(arguments: [1, 2, 3, 5] as [UInt32])
  func transactionsAreRefusedAsTheClosedFormSays(_ attempts: UInt32) throws {
    for population in Self.populations {
      let solution = try solve(Cases.bare(population), lock: attempts)
      let expected = population.falseReject(attempts: UInt64(attempts))
      #expect(isClose(solution.rejected, expected), "\(population), \(attempts)")
    }
  }

  /// With the goats three strikes come 40 times, and five 2 100 times, as often as one coin says.
  @Test func goatsAreLockedOutFortyAndTwoThousandTimesAsOften() throws {
    let alike = Population.probit(try ProbitRates(miss: 0.034, correlation: 0))
    func ratio(_ strikes: UInt32) throws -> Double {
      let goats = try solve(Cases.bare(.goats), lock: strikes)
      let coin = try solve(Cases.bare(alike), lock: strikes)
      return goats.lockoutsPerYear / coin.lockoutsPerYear
    }
    #expect(try isClose(ratio(3), 39.8, 0.01))
    #expect(try isClose(ratio(5), 2_149, 0.01))
  }

  /// pi D (T D)^2 1.
  @Test func fingersThatStayWetMissInBursts() throws {
    var sensor = Cases.bare(.probit(try ProbitRates(miss: 0.01, correlation: 0)))
    sensor.fingerState = .standard
    let solution = try solve(sensor, lock: 3)
    let (good, impaired) = sensor.fingerState.rates(meaning: 0.01, sensor.scores.effects)
    let expected = sensor.fingerState.falseReject(
      attempts: 3,
      apart: sensor.latency.mean,
      good: good,
      impaired: impaired
    )
    #expect(isClose(solution.rejected, expected, 1e-6))
    // A finger of 1 % is better than that while it is good.
    #expect(isClose(impaired, 0.175, 0.02) && isClose(good, 0.0013, 0.05))
  }

  /// A policy of fingers only, one attempt a login: the run of misses that locks, by its own chain.
  @Test func survivalIsThatOfARunOfMisses() throws {
    let sensor = Cases.bare(.probit(try ProbitRates(miss: 0.25, correlation: 0)))
    var plan = try Cases.plan("biometrics", Cases.lock(at: 3), sensor)
    plan.rules.lockout.missesPerEvaluation = 1
    plan.policy.freshness = FreshnessRules()
    plan.habits.loginsPerDay = 1
    plan.habits.evaluations = 1
    let solution = Solution(plan, days: 40)
    for day in [2, 3, 10, 40] {
      let locked = MissRun(miss: 0.25, length: 3).probability(within: UInt64(day))
      #expect(isClose(1 - solution.survival[day], locked, 1e-6), "day \(day)")
    }
  }

  @Test func suspectedFakesAddToMisses() throws {
    var sensor = Cases.bare(.goats)
    sensor.acquisition = try AcquisitionRates(
      failureToAcquire: 0.3,
      failureToEnrol: 0,
      bpcer: 0.1
    )
    let solution = try solve(sensor, lock: 3)
    let expected = Population.goats.falseReject(attempts: 3, takenForFake: 0.1)
    #expect(isClose(solution.rejected, expected))
  }

  @Test func presentationsAndTimeAreThoseOfTheTransaction() throws {
    var sensor = Cases.bare(.probit(try ProbitRates(miss: 0.2, correlation: 0)))
    sensor.acquisition = try AcquisitionRates(
      failureToAcquire: 0.3,
      failureToEnrol: 0,
      bpcer: 0
    )
    let solution = try solve(sensor, lock: 3)
    // 1 + p + p^2 attempts, of which each takes 1 / (1 - a) presentations; then, with p^3, a passcode.
    let presentations = (1 + 0.2 + 0.04) / (1 - 0.3)
    #expect(isClose(solution.presentations, presentations))
    let time = sensor.latency.mean * presentations + .seconds(4) * 0.008
    #expect(isClose(solution.meanTime / .seconds(1), time / .seconds(1)))
  }

  @Test func whoCannotEnrolAFingerTypes() throws {
    var sensor = Cases.bare(.goats)
    sensor.acquisition = try AcquisitionRates(
      failureToAcquire: 0,
      failureToEnrol: 0.5,
      bpcer: 0
    )
    let typing = try solve(sensor, lock: 3)
    let refused = Population.goats.falseReject(attempts: 3)
    #expect(isClose(typing.fallbacks, 0.5 + 0.5 * refused))
    let fingersOnly = try solve(sensor, lock: 3, policy: "biometrics")
    #expect(fingersOnly.denied > 0.5 && fingersOnly.denied < 0.51)
  }

  // MARK: Relations

  @Test func moreAttemptsRefuseLess() throws {
    for population in Self.populations {
      var last = 1.0
      for attempts in 1...6 as ClosedRange<UInt32> {
        let refused = try solve(Cases.bare(population), lock: attempts).rejected
        #expect(refused <= last, "\(population), \(attempts)")
        last = refused
      }
    }
  }

  @Test func aHigherThresholdRefusesMore() throws {
    var last = 0.0
    for rate in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
      let scores = try ScoreModel.standard.withFalseMatch(rate)
      let refused = try solve(Cases.bare(scores.population), lock: 3).rejected
      #expect(refused > last, "FMR \(rate)")
      last = refused
    }
  }

  /// Correlation 0 is p^k, and towards 1 it is p.
  @Test func correlationLeadsFromPowersToTheMean() throws {
    func refused(_ correlation: Double) throws -> Double {
      let people = Population.probit(try ProbitRates(miss: 0.1, correlation: correlation))
      return try solve(Cases.bare(people), lock: 3).rejected
    }
    #expect(try isClose(refused(0), 1e-3))
    #expect(try isClose(refused(0.999), 0.1, 0.05))
    let steps = try [0, 0.3, 0.5, 0.7, 0.99].map { try refused($0) }
    #expect(steps == steps.sorted())
  }
}
