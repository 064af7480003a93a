import LocalAuthAnalysis
import LocalAuthSensor
import Testing

@Suite struct PopulationFalseRejectTests {
  private func probit(_ miss: Double, _ correlation: Double) throws -> Population {
    .probit(try ProbitRates(miss: miss, correlation: correlation))
  }

  /// The headline: three strikes lock real people 40 times as often as a model with one coin for everybody says,
  /// and five strikes 2 100 times.
  @Test func threeStrikesLockFortyTimesAsOftenAsACoin() {
    #expect(abs(Population.goats.falseReject(attempts: 3) - 1.6e-3) < 5e-5)
    #expect(abs(Population.goats.falseReject(attempts: 3) - 1.5634e-3) < 1e-12)
    #expect(Population.goats.excess(attempts: 3).rounded() == 40)
    #expect((Population.goats.excess(attempts: 5) / 100).rounded() == 21)
  }

  /// What of the headline rests on sizes that are ours.
  @Test func fortyTimesIsSixteenToSeventyThreeWithOneSizeHalvedOrDoubled() throws {
    let sizes = [0.10, 0.25, 0.01]
    let excesses = try sizes.indices.flatMap { index in
      try [0.5, 2].map { factor in
        var changed = sizes
        changed[index] *= factor
        let mixture = try GoatMixture(
          goats: changed[0],
          goatMiss: changed[1],
          sheepMiss: changed[2]
        )
        return Population.mixture(mixture).excess(attempts: 3)
      }
    }
    #expect(excesses.min()?.rounded() == 16 && excesses.max()?.rounded() == 73)
    #expect(excesses.allSatisfy { $0 > 10 })
  }

  @Test func whoMissedMissesAgain() {
    let hazards = (0..<3).map { Population.goats.hazard(after: $0) }
    for (found, expected) in zip(hazards, [0.034, 0.186, 0.247]) {
      #expect(abs(found - expected) < 0.0005)
    }
    let beta = (0..<3).map { Population.beta(.standard).hazard(after: $0) }
    for (j, found) in beta.enumerated() {
      #expect(abs(found - (0.181 + Double(j)) / (5.335 + Double(j))) < 1e-12)
    }
  }

  @Test func betaIsItsProduct() {
    let found = Population.beta(.standard).falseReject(attempts: 3)
    #expect(abs(found - 0.001_880_628_342) < 1e-12)
  }

  /// FNMR 3 % and three attempts, by arbitrary-precision quadrature.
  @Test(arguments: [
    (0, 2.7e-5), (0.3, 6.224_448_983_77e-4), (0.5, 2.153_797_474_06e-3),
    (0.7, 5.679_811_754_02e-3), (0.999, 2.819_709_326_83e-2),
  ])
  func correlationMakesMissesComeTogether(_ correlation: Double, _ expected: Double) throws {
    let found = try probit(0.03, correlation).falseReject(attempts: 3)
    #expect(abs(found / expected - 1) < 1e-9, "\(found)")
  }

  @Test func manyAttemptsKeepTheirDigits() throws {
    #expect(
      abs(try probit(0.03, 0.9).falseReject(attempts: 10) / 7.116_564_346_78e-3 - 1) < 1e-9
    )
    #expect(
      abs(try probit(0.0196, 0.5).falseReject(attempts: 5) / 2.628_840_449_66e-4 - 1) < 1e-9
    )
  }

  @Test func withoutCorrelationItIsAPowerAndWithAllOfItTheMean() throws {
    for attempts in 1...6 as ClosedRange<UInt64> {
      let coin = Chance.all(of: attempts, each: 0.03)
      #expect(abs(try probit(0.03, 0).falseReject(attempts: attempts) / coin - 1) < 1e-12)
      #expect(abs(try probit(0.03, 1e-9).falseReject(attempts: attempts) / coin - 1) < 1e-3)
      #expect(try probit(0.03, 1).falseReject(attempts: attempts) == 0.03)
      #expect(try probit(0.03, 0.9999).falseReject(attempts: attempts) > 0.028)
    }
  }

  @Test func theMeanIsTheMissRateWhateverTheCorrelation() throws {
    for correlation in [0.0, 0.1, 0.5, 0.9, 0.999, 1] {
      #expect(abs(try probit(0.03, correlation).mean / 0.03 - 1) < 1e-10)
    }
    #expect(abs(Population.goats.mean - 0.034) < 1e-15)
  }

  @Test func rejectsFallWithAttemptsAndRiseWithCorrelation() throws {
    for population in [Population.goats, .beta(.standard), try probit(0.03, 0.5)] {
      #expect(population.falseReject(attempts: 0) == 1)
      for attempts in 0..<10 as Range<UInt64> {
        let next = population.falseReject(attempts: attempts + 1)
        #expect(next < population.falseReject(attempts: attempts))
        #expect(population.hazard(after: attempts + 1) >= population.hazard(after: attempts))
      }
    }
    let rejects = try (0...20).map { try probit(0.03, Double($0) / 20).falseReject(attempts: 3) }
    #expect(rejects == rejects.sorted())
  }

  @Test func fingersTakenForFakesAreMisses() throws {
    let alike = try probit(0.03, 0)
    for attempts in 0...5 as ClosedRange<UInt64> {
      let coin = Chance.all(of: attempts, each: 0.01 + 0.99 * 0.03)
      let found = alike.falseReject(attempts: attempts, takenForFake: 0.01)
      #expect(abs(found / coin - 1) < 1e-12)
      #expect(
        Population.goats.falseReject(attempts: attempts, takenForFake: 0)
          == Population.goats.falseReject(attempts: attempts)
      )
    }
    let goats = Population.goats.falseReject(attempts: 3, takenForFake: 0.01)
    let (goat, sheep) = (0.01 + 0.99 * 0.25, 0.01 + 0.99 * 0.01)
    #expect(abs(goats - (0.1 * goat * goat * goat + 0.9 * sheep * sheep * sheep)) < 1e-15)
  }

  @Test func nobodyMissesWhereNobodyCan() throws {
    let never = Population.mixture(try GoatMixture(goats: 0.5, goatMiss: 0, sheepMiss: 0))
    #expect(never.falseReject(attempts: 3) == 0)
    #expect(never.hazard(after: 2) == 0)
    #expect(never.excess(attempts: 2) == 1)
  }
}
