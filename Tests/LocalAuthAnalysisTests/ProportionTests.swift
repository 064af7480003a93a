import LocalAuthAnalysis
import Testing

@Suite struct ProportionTests {
  @Test func wilsonsIntervalIsThePublishedOne() {
    let interval = Proportion(successes: 3, trials: 100).interval()
    #expect(abs(interval.lowerBound - 0.010_254_524_024) < 1e-11)
    #expect(abs(interval.upperBound - 0.084_519_364_291) < 1e-11)
  }

  @Test func intervalsHoldTheShareAndStayWithinEverything() {
    for trials in [1, 2, 7, 1_000] as [UInt64] {
      for successes in [0, 1, trials / 2, trials] {
        let seen = Proportion(successes: successes, trials: trials)
        for confidence in [0.5, 0.95, 1 - 1e-9] {
          let interval = seen.interval(confidence: confidence)
          #expect(interval.contains(seen.share))
          #expect(interval.lowerBound >= 0 && interval.upperBound <= 1)
        }
      }
    }
    #expect(Proportion(successes: 0, trials: 0).interval() == 0...1)
    #expect(Proportion(successes: 0, trials: 10).interval().lowerBound == 0)
  }

  /// 150 000 impostors without a match show an FMR below 1/50 000.
  @Test func nothingInManyTrialsIsBoundedByThreeOverTheirNumber() {
    let bound = Proportion(successes: 0, trials: 150_000).upperBound()
    #expect(abs(bound - 1.997_134_906e-5) < 1e-13)
    #expect(bound < 1 / 50_000)
    #expect(abs(Proportion(successes: 3, trials: 100).upperBound() - 0.075_710_793_75) < 1e-9)
    #expect(Proportion(successes: 5, trials: 5).upperBound() == 1)
  }

  /// Tails of the binomial distribution of 100 trials at 0.2.
  @Test func tailsAreTheBinomialOnes() {
    let few = Proportion(successes: 10, trials: 100)
    #expect(abs(few.atMost(rate: 0.2) - 0.005_696_380_955_79) < 1e-13)
    #expect(abs(few.pValue(rate: 0.2) - 2 * 0.005_696_380_955_79) < 1e-13)
    let many = Proportion(successes: 30, trials: 100)
    #expect(abs(many.atLeast(rate: 0.2) - 0.011_248_978_720_99) < 1e-13)
    #expect(Proportion(successes: 20, trials: 100).pValue(rate: 0.2) > 0.9)
  }

  @Test func certaintiesAreRefutedByOneCase() {
    #expect(Proportion(successes: 1, trials: 10).pValue(rate: 0) == 0)
    #expect(Proportion(successes: 9, trials: 10).pValue(rate: 1) == 0)
    #expect(Proportion(successes: 0, trials: 10).pValue(rate: 0) == 1)
    #expect(Proportion(successes: 10, trials: 10).pValue(rate: 1) == 1)
  }

  @Test func successesBeyondTheTrialsAreNone() {
    #expect(Proportion(successes: 11, trials: 10).share == 1)
    #expect(Proportion(successes: 1, trials: 0).share == 0)
  }
}
