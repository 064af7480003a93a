import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct AttemptLadderTests {
  /// AOSP's LockoutFrameworkImpl: 30 s at 5, 10 and 15 misses, for good at 20.
  private let android = DelayTable(
    rows: [5, 10, 15].map { DelayTable.Row(from: $0, through: $0, delay: .seconds(30)) },
    locksAt: 20
  )
  /// AOSP's GateKeeper.
  private let gatekeeper = DelayTable(rows: [
    .init(from: 5, through: 5, delay: .seconds(30)),
    .init(from: 10, through: 29, delay: .seconds(30)),
    .init(from: 30, through: 139, delay: .seconds(30), doublesEvery: 10),
    .init(from: 140, through: nil, delay: .seconds(86_400)),
  ])
  /// FIDO's guidance: three misses are free, 30 s before the fourth attempt, doubling.
  private let fido = DelayTable(rows: [
    .init(from: 3, through: nil, delay: .seconds(30), doublesEvery: 1)
  ])

  @Test func androidStopsAnImpostorAfterAHundredAndTenSeconds() throws {
    let ladder = AttemptLadder(android, attempt: .seconds(1))
    #expect(ladder.waiting(through: 20) + .seconds(20) == .seconds(110))
    let solution = try ladder.chain(rate: 2e-5, most: 1_000).solve()
    #expect(abs(solution.absorption[0][0] - 4.0e-4) < 1e-7)
    #expect(abs(solution.absorption[0][0] - Chance.any(of: 20, each: 2e-5)) < 1e-15)
    #expect(abs(solution.expectedTime[0] - 110) < 0.05)
    #expect(ladder.attempts(within: .seconds(3_600)) == 20)
  }

  /// Wrong guesses and minutes of waiting in all.
  @Test(arguments: [
    (4, 0), (5, 0.5), (20, 6), (50, 27.5), (80, 181.5), (100, 709.5), (120, 2_821.5),
    (139, 10_245.5),
  ])
  func gatekeepersWaitsAddUp(_ guesses: UInt32, _ minutes: Double) {
    #expect(AttemptLadder(gatekeeper).waiting(through: guesses) == .seconds(minutes * 60))
  }

  /// 140 guesses take 7.1 days of waiting, and then there is one a day.
  @Test func aPersistentGuesserHasOneGuessADay() {
    let ladder = AttemptLadder(gatekeeper)
    let week = ladder.waiting(through: 139)
    #expect((week / .seconds(86_400) * 10).rounded() == 71)
    #expect(ladder.attempts(within: week) == 140)
    #expect(ladder.attempts(within: week + .seconds(86_399)) == 140)
    #expect(ladder.attempts(within: week + .seconds(86_400)) == 141)
    #expect(abs(ladder.guessed(of: 10_000, within: week) - 0.014) < 1e-12)
  }

  @Test(arguments: [(1.0 / 24, 9), (1, 14), (12.8, 18)])
  func doublingAllowsFewAttempts(_ days: Double, _ expected: UInt32) {
    #expect(AttemptLadder(fido).attempts(within: .seconds(days * 86_400)) == expected)
  }

  /// BrutePrint's upper bounds: 13.9 h against one print, 2.78 h against five.
  @Test(arguments: [(1, 13.9, 0.05), (5, 2.78, 0.005)])
  func bruteForceTakesHours(_ prints: UInt64, _ hours: Double, _ tolerance: Double) {
    let attacker = UnlimitedAttacker(falseMatch: 1 / 50_000, prints: prints, rate: 1)
    #expect(abs(attacker.expectedTime / .seconds(3_600) - hours) < tolerance)
  }

  @Test func timeOfAttemptsCountsToo() {
    let ladder = AttemptLadder(DelayTable(), attempt: .seconds(2))
    #expect(ladder.attempts(within: .zero) == 1)
    #expect(ladder.attempts(within: .seconds(3)) == 2)
    #expect(ladder.attempts(within: .seconds(4)) == 3)
  }

  @Test func aTableWithoutDelaysHasNoEndButTheCallers() {
    #expect(AttemptLadder(DelayTable()).attempts(within: .zero, most: 500) == 500)
    #expect(AttemptLadder(DelayTable()).guessed(of: 100, within: .zero) == 1)
  }

  @Test func aTableThatIsLockedFromTheStartAllowsNothing() throws {
    let shut = AttemptLadder(DelayTable(locksAt: 0))
    #expect(shut.attempts(within: .seconds(1_000)) == 0)
    #expect(shut.success(rate: 0.5, within: .seconds(1_000)) == 0)
    #expect(try shut.chain(rate: 0.5, most: 10).solve().absorption.isEmpty)
    #expect(AttemptLadder(android).guessed(of: 0, within: .zero) == 1)
  }

  @Test func noTimeIsOneAttemptAndLessIsNone() {
    #expect(AttemptLadder(fido).attempts(within: .zero) == 3)
    #expect(AttemptLadder(fido).attempts(within: .seconds(-1)) == 0)
  }

  @Test func moreTimeNeverMeansLess() {
    for table in [android, gatekeeper, fido] {
      let ladder = AttemptLadder(table, attempt: .seconds(1))
      var last = 0.0
      for hours in 0..<50 {
        let success = ladder.success(rate: 1e-4, within: .seconds(hours * 3_600))
        #expect(success >= last)
        last = success
      }
    }
  }
}
