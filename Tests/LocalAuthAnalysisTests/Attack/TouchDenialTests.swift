import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

/// What touches on purpose cost the owner.
@Suite struct TouchDenialTests {
  private func denial(_ lockout: LockoutProfile, logins: UInt32 = 10) throws -> TouchDenial {
    let habits = Cases.habits(logins: logins)
    return TouchDenial(
      try Cases.plan("device-owner", lockout, SensorModel.standard, habits: habits)
    )
  }

  @Test func aLockCostsThePasscodeAtEachLogin() throws {
    let denial = try denial(Cases.lock(at: 3), logins: 7)
    #expect(denial.touches == 3)
    #expect(denial.effort == .seconds(3))
    #expect(denial.refusal == nil)
    #expect(denial.lockoutsPerDay == 7)
    #expect(abs(denial.share - (1 - 3.0 / 86_400)) < 1e-9)
  }

  /// Three touches and 600 seconds counted from the last charge, again and again.
  @Test func aRefusalThatPassesIsMadeAgain() throws {
    let denial = try denial(Cases.catalog.lockoutProfile(named: "faillock").get())
    #expect(denial.touches == 3)
    #expect(denial.refusal == .seconds(599))
    #expect(denial.lockoutsPerDay == (86_400.0 / 602).rounded(.up))
    #expect(denial.share > 0.99 && denial.share < 1)
  }

  /// Android locks at its fourth refusal, NIST's table at its 46th, which takes longer than ten minutes.
  @Test(
    arguments: [
      ("three-strikes", 1, 1), ("three-strikes", 10, 10), ("three-strikes", 100, 100),
      ("android", 1, 4), ("android", 10, 40), ("android", 100, 400),
      ("nist-800-63b", 1, 46), ("nist-800-63b", 10, 460), ("nist-800-63b", 100, 1564),
    ] as [(String, UInt32, Double)]
  )
  func delaysBeginAnewAfterEachPasscode(
    _ name: String,
    _ logins: UInt32,
    _ expected: Double
  ) throws {
    let denial = try denial(Cases.catalog.lockoutProfile(named: name).get(), logins: logins)
    #expect(denial.lockoutsPerDay == expected)
  }

  /// Ten thousand touches take ten thousand seconds, and the login after them is waited for.
  @Test(arguments: [(1, 1), (10, 5), (100, 6), (1000, 7)] as [(UInt32, Double)])
  func noMoreLockoutsAreMadeThanADayHolds(_ logins: UInt32, _ expected: Double) throws {
    let denial = try denial(Cases.lock(at: 10_000), logins: logins)
    #expect(denial.lockoutsPerDay == expected)
    #expect(denial.touches == 10_000 && denial.effort == .seconds(10_000))
  }

  @Test func aPolicyThatAsksForNoFingerDeniesNone() throws {
    let denial = TouchDenial(try Cases.plan("passcode", Cases.lock(at: 3), SensorModel.standard))
    #expect(denial.touches == nil && denial.refusal == nil && denial.effort == .zero)
    #expect(denial.lockoutsPerDay == 0 && denial.share == 0)
  }

  @Test func aTableThatNeverRefusesLocksNobodyOut() throws {
    let endless = LockoutProfile(name: "endless", delays: DelayTable())
    let denial = try denial(endless)
    #expect(denial.touches == nil)
    #expect(denial.lockoutsPerDay == 0 && denial.share == 0)
  }
}
