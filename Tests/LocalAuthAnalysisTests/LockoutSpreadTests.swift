import Glibc
import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

/// How many people expect how many lockouts, against closed forms, other people's numbers and what is drawn.
@Suite struct LockoutSpreadTests {
  private static let bounds = [0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, .infinity]

  private func shares(_ spread: LockoutSpread) -> [Double] {
    zip(Self.bounds, Self.bounds.dropFirst()).map { spread.share(from: $0, below: $1) }
  }

  private func plan(_ sensor: SensorModel) throws -> PolicyCase {
    try Cases.plan(
      "device-owner",
      Cases.lock(at: 3),
      sensor,
      habits: Cases.habits(logins: 10, mistyped: 0)
    )
  }

  /// Three misses in a row lock: p^3 a login.
  ///
  /// Who misses at p is known from the normal distribution.
  @Test func sharesOfNormalPeopleAreThoseOfTheClosedForm() throws {
    let rates = try ProbitRates(miss: 0.05, correlation: 0.5)
    let found = shares(LockoutSpread(try plan(Cases.bare(.probit(rates))), days: 1))
    func below(_ limit: Double) -> Double {
      guard limit > 0 else { return 0 }
      let miss = pow(limit / 3652.5, 1.0 / 3)
      guard miss < 1 else { return 1 }
      let margin = StandardNormal.quantile(miss) * 0.5.squareRoot()
      return StandardNormal.cumulative((margin - StandardNormal.quantile(0.05)) / 0.5.squareRoot())
    }
    for (share, ends) in zip(found, zip(Self.bounds, Self.bounds.dropFirst())) {
      #expect(abs(share - (below(ends.1) - below(ends.0))) < 2e-4, "from \(ends.0)")
    }
    #expect(abs(found.reduce(0, +) - 1) < 1e-9)
  }

  @Test func sharesOfKindsAreThoseOfTheKinds() throws {
    let found = shares(LockoutSpread(try plan(Cases.bare(.goats)), days: 1))
    // 0.01^3 and 0.25^3 of 3652.5 logins a year: 0.0037 and 57.
    #expect(abs(found[0] - 0.9) < 1e-9 && abs(found[8] - 0.1) < 1e-9, "\(found)")
    #expect(abs(found.reduce(0, +) - 1) < 1e-9)
  }

  @Test func peopleWithoutAPrintExpectNone() throws {
    var sensor = Cases.bare(.goats)
    sensor.population = .probit(try ProbitRates(miss: 0.3, correlation: 0.5))
    sensor.acquisition = try AcquisitionRates(failureToAcquire: 0, failureToEnrol: 0.4, bpcer: 0)
    let spread = LockoutSpread(try plan(sensor), days: 1)
    #expect(spread.share(from: 0, below: 1e-9) >= 0.4)
    #expect(abs(spread.share(from: 0, below: .infinity) - 1) < 1e-9)
  }

  /// A program that shares nothing with this one computed the row, in percent.
  @Test func theShippedPolicyHasTheSharesThatAnIndependentModelFound() throws {
    let expected = [45.5, 7.7, 6.8, 5.8, 6.2, 5.6, 6.4, 6.2, 6.9, 3.1]
    let plan = PolicyCase(
      policy: try Cases.catalog.policy(named: "device-owner").get(),
      rules: DeviceAttempts.Rules(
        lockout: try Cases.catalog.lockoutProfile(named: "three-strikes").get(),
        delays: try Cases.catalog.passcodeDelays(named: "apple").get()
      ),
      sensor: try Cases.catalog.sensorProfile(named: "standard").get().model
    )
    let found = shares(LockoutSpread(plan, days: 60))
    for (share, percent) in zip(found, expected) {
      #expect(abs(share * 100 - percent) < 0.15, "\(found)")
    }
  }

  /// Who expects ten or more a year meets about as many: what is drawn has the same bars there.
  @Test func barsOfManyLockoutsAreThoseThatAreDrawn() throws {
    let rates = try ProbitRates(miss: 0.1, correlation: 0.5)
    let plan = try plan(Cases.bare(.probit(rates)))
    let spread = LockoutSpread(plan, days: 5)
    let simulation = Simulation(plan, seed: 5, days: 365, people: PeopleSample(600, of: plan))
    var seen = simulation.nobody
    simulation.run(0..<600, into: &seen) { false }
    let bins = seen.lockoutsOfUsers.bins.map(Double.init)
    let all = bins.reduce(0, +)
    for (from, below) in [(10, 30), (30, 100), (100, 10_000)] {
      let drawn = bins.indices.filter { $0 >= from && $0 < below }.reduce(0) { $0 + bins[$1] } / all
      let expected = spread.share(from: Double(from), below: Double(below))
      #expect(abs(drawn - expected) < 0.03, "\(from): \(drawn) \(expected)")
    }
  }
}
