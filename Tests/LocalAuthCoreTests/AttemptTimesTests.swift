import LocalAuthCore
import LocalAuthTestSupport
import Testing

/// When somebody who never succeeds can try again, against the published numbers of each table.
@Suite struct AttemptTimesTests {
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
  /// pam_faillock's defaults.
  private let faillock = DelayTable(
    rows: [.init(from: 3, through: 3, delay: .seconds(600))],
    forgets: .all(after: .seconds(900), withRefusal: true)
  )
  private let tpm = DelayTable(
    rows: [.init(from: 32, through: nil, delay: .seconds(600))],
    forgets: .one(every: .seconds(600))
  )

  private func moment(_ seconds: Int64) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
      bootID: BootIdentifier(high: 0, low: 1),
      wall: WallInstant(milliseconds: 0)
    )
  }

  /// The seconds at which attempts are charged by `end`; `pause` is how long somebody waits after each.
  private func times(
    _ table: DelayTable,
    through end: Int64,
    pause: () -> Int64 = { 0 }
  ) -> [Int64] {
    var lockout = ProfiledLockout(
      tally: Tally(),
      profile: LockoutProfile(name: "table", delays: table)
    )
    var (now, times) = (0 as Int64, [] as [Int64])
    while now <= end {
      switch lockout.charge(at: moment(now)) {
      case .charged:
        times.append(now)
        now += pause()
      case .refused(let remaining): now += remaining.components.seconds
      case .locked: return times
      }
    }
    return times
  }

  /// Twenty attempts of a second each and 90 s of waiting make 110 s.
  @Test func androidAllowsTwentyAttemptsInNinetySeconds() {
    let times = times(android, through: 3_600)
    #expect(times.count == 20 && times.last == 90)
  }

  /// Wrong guesses and minutes of waiting in all.
  @Test(arguments: [
    (4, 0), (5, 0.5), (20, 6), (50, 27.5), (80, 181.5), (100, 709.5), (120, 2_821.5),
    (139, 10_245.5),
  ])
  func gatekeepersWaitsAddUp(_ guesses: Int, _ minutes: Double) {
    #expect(Double(times(gatekeeper, through: 700_000)[guesses]) == minutes * 60)
  }

  /// 140 guesses take 7.1 days of waiting, and then there is one a day.
  @Test func aPersistentGuesserHasOneGuessADay() {
    let week = 614_730 as Int64
    #expect((Double(week) / 8_640).rounded() == 71)
    #expect(times(gatekeeper, through: week).count == 140)
    #expect(times(gatekeeper, through: week + 86_399).count == 140)
    #expect(times(gatekeeper, through: week + 86_400).count == 141)
  }

  @Test(arguments: [(0, 3), (3_600, 9), (86_400, 14), (1_105_920, 18)])
  func doublingAllowsFewAttempts(_ seconds: Int64, _ expected: Int) {
    #expect(times(fido, through: seconds).count == expected)
  }

  /// Three tries, ten minutes, three tries.
  @Test func whatARefusalMakesForgottenIsTriedAgain() {
    #expect(times(faillock, through: 1_799).count == 9)
    #expect(times(faillock, through: 1_800).count == 12)
  }

  /// A TPM's 32 tries and one more every ten minutes.
  @Test func aLeakyBucketLeaks() {
    #expect(times(tpm, through: 0).count == 32)
    #expect(times(tpm, through: 86_400).count == 32 + 144)
  }

  @Test func nobodyGainsByPausing() {
    var generator = SeededGenerator.ofThisRun
    for table in [faillock, tpm, fido, android] {
      let most = times(table, through: 20_000).count
      for _ in 0..<200 {
        let tries = times(table, through: 20_000) {
          generator.next() % 4 == 0 ? .random(in: 0...1_000, using: &generator) : 0
        }
        #expect(tries.count <= most, "SEED=\(generator.seed)")
      }
    }
  }
}
