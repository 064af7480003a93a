import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor
import LocalAuthTestSupport
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
  private let faillock = DelayTable(
    rows: [.init(from: 3, through: 3, delay: .seconds(600))],
    forgets: .all(after: .seconds(900), withRefusal: true)
  )
  private let tpm = DelayTable(
    rows: [.init(from: 32, through: nil, delay: .seconds(600))],
    forgets: .one(every: .seconds(600))
  )

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

  /// pam_faillock's defaults: three tries, ten minutes, three tries...
  @Test func whatARefusalMakesForgottenIsTriedAgain() throws {
    let ladder = AttemptLadder(faillock)
    #expect(ladder.waiting(through: 8) == .seconds(1_200))
    #expect(ladder.attempts(within: .seconds(1_799)) == 9)
    #expect(ladder.attempts(within: .seconds(1_800)) == 12)
    let solution = try ladder.chain(rate: 1e-4, most: 9).solve()
    #expect(abs(solution.absorption[0][0] - Chance.any(of: 9, each: 1e-4)) < 1e-15)
    #expect(abs(solution.expectedTime[0] - 1_200) < 1)
  }

  /// A TPM's 32 tries and one more every ten minutes; two seconds a try give some of them back.
  @Test func aLeakyBucketLeaksWhileOneTries() {
    #expect(AttemptLadder(tpm).attempts(within: .zero) == 32)
    #expect(AttemptLadder(tpm).attempts(within: .seconds(86_400)) == 32 + 144)
    let slow = AttemptLadder(tpm, attempt: .seconds(600))
    #expect(slow.waiting(through: 1_000) == .zero)
  }

  /// The ladder against the machine in the daemon, and against whoever pauses at any point.
  @Test func nobodyGainsByPausing() {
    var generator = SeededGenerator.ofThisRun
    for table in [faillock, tpm, fido, android] {
      let most = AttemptLadder(table).attempts(within: .seconds(20_000))
      let profile = LockoutProfile(name: "p", delays: table)
      for round in 0..<200 {
        var lockout = ProfiledLockout(tally: Tally(), profile: profile)
        var (now, tries) = (moment(0), 0 as UInt32)
        while now.boot <= moment(20_000).boot {
          switch lockout.charge(at: now) {
          case .charged: tries += 1
          case .refused(let remaining): now.boot = now.boot + remaining
          case .locked: now.boot = moment(20_001).boot
          }
          if round > 0, Int.random(in: 0..<4, using: &generator) == 0 {
            now.boot = now.boot + .seconds(Int.random(in: 0...1_000, using: &generator))
          }
        }
        #expect(round == 0 ? tries == most : tries <= most, "SEED=\(generator.seed)")
      }
    }
  }

  private func moment(_ seconds: Int64) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
      bootID: BootIdentifier(high: 0, low: 1),
      wall: WallInstant(milliseconds: 0)
    )
  }

  @Test func moreTimeNeverMeansLess() {
    for table in [android, gatekeeper, fido, faillock, tpm] {
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
