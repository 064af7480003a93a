import Testing

@Suite struct MissRunTests {
  @Test(arguments: [(0.034, 3, 26_337), (0.25, 3, 84), (0.25, 5, 1_364)])
  func attemptsUntilTheLock(_ miss: Double, _ length: UInt32, _ expected: Double) {
    #expect(MissRun(miss: miss, length: length).expectedAttempts.rounded() == expected)
  }

  @Test func aGoatIsLockedWithinTwoDays() {
    let days = MissRun(miss: 0.25, length: 3).expectedAttempts / 40
    #expect(days > 1.6 && days < 2.2)
  }

  @Test func aHundredAttemptsLockFewButMostGoats() {
    let usual = MissRun(miss: 0.034, length: 3).probability(within: 100)
    let goat = MissRun(miss: 0.25, length: 3).probability(within: 100)
    #expect(abs(usual - 0.003_715_733_023) < 1e-12)
    #expect(abs(goat - 0.699_361_838_388) < 1e-11)
  }

  @Test func theExpectationIsTheSumOfWhatIsNotLockedYet() {
    let run = MissRun(miss: 0.4, length: 3)
    let sum = (0..<2_000 as Range<UInt64>).reduce(0.0) { $0 + 1 - run.probability(within: $1) }
    #expect(abs(sum / run.expectedAttempts - 1) < 1e-9)
  }

  @Test func aLongerRunTakesLongerAndAWorseFingerShorter() {
    for length in 1..<8 as Range<UInt32> {
      let here = MissRun(miss: 0.2, length: length)
      #expect(MissRun(miss: 0.2, length: length + 1).expectedAttempts > here.expectedAttempts)
      #expect(MissRun(miss: 0.3, length: length).expectedAttempts < here.expectedAttempts)
      #expect(here.probability(within: 50) <= here.probability(within: 51))
    }
  }

  @Test func endsAreExact() {
    #expect(MissRun(miss: 1, length: 3).expectedAttempts == 3)
    #expect(MissRun(miss: 1, length: 3).probability(within: 3) == 1)
    #expect(MissRun(miss: 1, length: 3).probability(within: 2) == 0)
    #expect(MissRun(miss: 0, length: 3).expectedAttempts == .infinity)
    #expect(MissRun(miss: 0, length: 3).probability(within: 1_000) == 0)
    #expect(MissRun(miss: 0.5, length: 0).probability(within: 0) == 1)
  }
}
