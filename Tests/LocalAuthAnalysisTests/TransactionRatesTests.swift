import LocalAuthAnalysis
import LocalAuthSensor
import Testing

@Suite struct TransactionRatesTests {
  private func rates(
    _ miss: Double = 0.034,
    _ falseMatch: Double = 2e-5,
    prints: UInt64 = 1,
    attempts: UInt64 = 3
  ) -> TransactionRates {
    TransactionRates(miss: miss, falseMatch: falseMatch, prints: prints, attempts: attempts)
  }

  @Test func threeMissesOfACoinAreRare() {
    #expect(abs(rates().falseReject - 3.93e-5) < 5e-8)
    #expect(abs(rates().expectedAttempts - (1 + 0.034 + 0.034 * 0.034)) < 1e-12)
  }

  @Test func certainMissesTakeEveryAttempt() {
    #expect(rates(1).falseReject == 1)
    #expect(rates(1).expectedAttempts == 3)
    #expect(rates(0).expectedAttempts == 1)
  }

  @Test func presentationsWithoutASampleComeOnTop() {
    var some = rates()
    some.notAcquired = 0.01
    #expect(abs(some.expectedPresentations - some.expectedAttempts / 0.99) < 1e-12)
  }

  @Test func timeIsThatOfAttemptsAndFallback() {
    let time = rates(0.5, attempts: 2).expectedTime(attempt: .seconds(2), fallback: .seconds(8))
    // 1.5 attempts, and a quarter of the time a fallback.
    #expect(time == .seconds(5))
  }

  /// N, k and FAR at q = 2e-5, then at 1e-4: why a cap must be stated for each enrolled print.
  @Test(arguments: [
    (2e-5, 5, 3, 3.0e-4, 1e-6), (2e-5, 5, 5, 5.0e-4, 1e-6), (2e-5, 5, 20, 2.0e-3, 1e-5),
    (1e-4, 5, 50, 0.025, 5e-4), (1e-4, 5, 100, 0.049, 5e-4),
  ])
  func everyPrintIsAChance(
    _ q: Double,
    _ prints: UInt64,
    _ attempts: UInt64,
    _ expected: Double,
    _ tolerance: Double
  ) {
    let found = rates(0, q, prints: prints, attempts: attempts)
    #expect(abs(found.falseAccept - expected) < tolerance)
    #expect(abs(found.falseMatchOfSet / (Double(prints) * q) - 1) < 1e-3)
  }

  /// FIDO: below 0.017 at FAR 1e-4 there are 170 attempts.
  @Test func fidoAllowsAHundredAndSeventyAttempts() {
    let (limit, rate) = (0.017, 1e-4)
    #expect((limit / rate).rounded() == 170)
    #expect(rates(0, rate, attempts: 170).falseAccept < limit)
  }

  /// IAPAR, attempts and what they are worth together, in percent.
  @Test(arguments: [(0.07, 3, 19.6), (0.07, 5, 30.4), (0.07, 20, 76.6), (0.80, 3, 99.2)])
  func attemptsAreTheOneFactorAgainstFakes(
    _ iapar: Double,
    _ attempts: UInt64,
    _ percent: Double
  ) {
    let accepted = rates(attempts: attempts).attackAccept(iapar: iapar)
    #expect((accepted * 1000).rounded() / 10 == percent)
  }

  @Test func halfOfAnImpostorsChancesAreThePasscodes() {
    let finger = rates(0.034, 2e-5, prints: 5, attempts: 3)
    let both = FallbackRates(biometric: finger, mistyped: 0.02, guess: 1e-4, tries: 3)
    #expect(abs(both.accepted - 6.0e-4) < 2e-7)
    #expect(abs(finger.falseAccept / both.accepted - 0.5) < 1e-3)
    #expect(abs(both.denied() - finger.falseReject * 8e-6) < 1e-18)
    #expect(both.denied(falseReject: 1.6e-3) == 1.6e-3 * Chance.all(of: 3, each: 0.02))
  }

  @Test func theThresholdOfAPolicyKeepsItsFalseAccepts() throws {
    for prints in [1, 2, 5] as [UInt64] {
      for attempts in [1, 3, 20, 100] as [UInt64] {
        let q = TransactionRates.falseMatch(allowing: 1e-3, prints: prints, attempts: attempts)
        let found = rates(0, q, prints: prints, attempts: attempts).falseAccept
        #expect(abs(found / 1e-3 - 1) < 1e-12)
        #expect(try ScoreModel.standard.withFalseMatch(q).threshold > 3)
      }
    }
  }

  @Test func moreOfAnythingNeverLowersFalseAcceptsNorRaisesFalseRejects() {
    for prints in 1..<6 as Range<UInt64> {
      for attempts in 1..<30 as Range<UInt64> {
        let here = rates(prints: prints, attempts: attempts)
        let print = rates(prints: prints + 1, attempts: attempts)
        let attempt = rates(prints: prints, attempts: attempts + 1)
        #expect(print.falseAccept > here.falseAccept)
        #expect(attempt.falseAccept > here.falseAccept)
        #expect(attempt.falseReject < here.falseReject)
        #expect(attempt.expectedAttempts >= here.expectedAttempts)
      }
    }
  }

  @Test func hugeCountsAreCertainties() {
    #expect(rates(prints: .max, attempts: .max).falseAccept == 1)
    #expect(TransactionRates.falseMatch(allowing: 0.5, prints: .max, attempts: .max) > 0)
  }
}
