import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor
import Testing

/// Who meets what: percentiles of people, and what happens to nobody.
@Suite struct SolvedPeopleTests {
  private static let shares = [0.25, 0.5, 0.9, 0.99, 0.999]

  private func solve(
    _ sensor: SensorModel,
    lock: UInt32 = 3,
    policy: String = "device-owner",
    mistyped: Double = 0,
    percentiles: [Double] = shares,
    days: UInt32 = 1
  ) throws -> Solution {
    let habits = Cases.habits(logins: 10, mistyped: mistyped)
    let plan = try Cases.plan(policy, Cases.lock(at: lock), sensor, habits: habits)
    return Solution(plan, days: days, percentiles: percentiles)
  }

  private func isClose(_ left: Double, _ right: Double, _ tolerance: Double = 1e-9) -> Bool {
    abs(left - right) <= tolerance * max(abs(right), 1e-300)
  }

  /// Three misses in a row lock, and each login begins with a count of none: p^3 a login.
  private func lockouts(_ miss: Double) -> Double { miss * miss * miss * 10 * 365.25 }

  @Test func percentilesOfNormalPeopleAreThoseOfThePersonThere() throws {
    let rates = try ProbitRates(miss: 0.05, correlation: 0.5)
    let solution = try solve(Cases.bare(.probit(rates)))
    for (share, found) in solution.percentiles {
      let mean = StandardNormal.quantile(0.05) + 0.5.squareRoot() * StandardNormal.quantile(share)
      let miss = StandardNormal.cumulative(mean / 0.5.squareRoot())
      #expect(isClose(found, lockouts(miss)), "\(share)")
    }
  }

  @Test func percentilesOfBetaPeopleAreThoseOfThePersonThere() throws {
    let rates = try BetaRates(mean: 0.1, correlation: 0.2)
    let solution = try solve(Cases.bare(.beta(rates)))
    for (share, found) in solution.percentiles {
      let miss = (found / lockouts(1)).cubeRoot
      #expect(isClose(rates.cumulative(miss), share, 1e-7), "\(share)")
    }
  }

  @Test func percentilesOfAMixtureAreThoseOfItsKinds() throws {
    let found = try solve(Cases.bare(.goats)).percentiles.map(\.lockoutsPerYear)
    let expected = [0.01, 0.01, 0.01, 0.25, 0.25].map(lockouts)
    #expect(zip(found, expected).allSatisfy { isClose($0, $1) })
  }

  /// With fingers that differ, every finger's margin is normal around its kind's.
  @Test func percentilesOfFingersThatDifferLieBetweenThoseOfMoreAndFewerPeople() throws {
    var sensor = Cases.bare(.goats)
    sensor.scores.effects = try ScoreEffects(fingerShare: 0.3)
    let solution = try solve(sensor)
    var seen = 0.0
    for (share, lockouts) in solution.percentiles {
      seen = solution.people.filter { $0.lockoutsPerYear <= lockouts }.reduce(0) { $0 + $1.share }
      #expect(abs(seen - share) < 0.05, "\(share) \(seen)")
    }
    #expect(seen > 0.99)
  }

  @Test func peopleWithoutAPrintComeFirst() throws {
    var sensor = Cases.bare(.goats)
    sensor.acquisition = try AcquisitionRates(
      failureToAcquire: 0,
      failureToEnrol: 0.4,
      bpcer: 0
    )
    let found = try solve(sensor, percentiles: [0.4, 0.41, 0.93, 0.95]).percentiles
    let expected = [0, lockouts(0.01), lockouts(0.01), lockouts(0.25)]
    #expect(zip(found, expected).allSatisfy { isClose($0.lockoutsPerYear, $1) }, "\(found)")
  }

  // MARK: What happens to nobody

  @Test func whatCannotHappenHappensToNobody() throws {
    let passcode = try solve(.standard, policy: "passcode", mistyped: 0.03, days: 30)
    #expect(passcode.everLockedOut == 0 && passcode.lockoutsPerYear == 0)
    #expect(passcode.everFellBack == 0 && passcode.fallbacks == 0)
    let certain = try solve(.standard, mistyped: 0, days: 30)
    #expect(certain.everDenied == 0 && certain.denied == 0)
  }

  /// A miss locks at once, and many passcodes that would clear it are wrong.
  ///
  /// So many logins begin locked and judge nothing at first. Of those that judge something, p are refused.
  @Test func aLoginThatAtFirstJudgesNothingIsNoTransaction() throws {
    let alike = Population.probit(try ProbitRates(miss: 0.3, correlation: 0))
    let solution = try solve(
      Cases.bare(alike),
      lock: 1,
      policy: "biometrics",
      mistyped: 0.5,
      days: 20
    )
    #expect(solution.denied > 0.01)
    #expect(isClose(solution.rejected, 0.3))
  }

  // MARK: Interrupts

  @Test func aStoppedSolutionIsThatOfTheDaysBefore() throws {
    let plan = try Cases.plan("device-owner", Cases.lock(at: 3), Cases.goats)
    var asked = 0
    let stopped = Solution(plan, days: 60, percentiles: [0.5]) {
      asked += 1
      return asked > 4
    }
    let whole = Solution(plan, days: 4, percentiles: [0.5])
    #expect(stopped.days == 4 && whole.days == 4)
    #expect(stopped.lockoutsPerYear == whole.lockoutsPerYear)
    #expect(stopped.lockedOut == whole.lockedOut && stopped.lockedOut.count == 5)
    #expect(stopped.rejected == whole.rejected && stopped.meanTime == whole.meanTime)
    #expect(stopped.percentiles.map(\.lockoutsPerYear) == whole.percentiles.map(\.lockoutsPerYear))
  }

  @Test func aSolutionThatNeverBeganHasNoDays() throws {
    let plan = try Cases.plan("device-owner", Cases.lock(at: 3), Cases.goats)
    let none = Solution(plan, days: 60, percentiles: [0.5]) { true }
    #expect(none.days == 0 && none.percentiles.isEmpty && none.everLockedOut == 0)
  }
}

extension Double {
  fileprivate var cubeRoot: Double {
    var root = 0.5
    for _ in 0..<60 { root = (2 * root + self / (root * root)) / 3 }
    return root
  }
}
