import LocalAuthCore
import Testing

@Suite struct PasscodeThrottleTests {
  /// Apple's current table: a minute at 4, then 5 and 15 minutes, 1, 3 and 8 hours; locked at 10.
  private let apple = PasscodeDelays(
    name: "apple",
    delays: DelayTable(
      rows: zip(UInt32(4)...9, [60, 300, 900, 3600, 10_800, 28_800] as [Int64]).map {
        .init(from: $0, through: $0, delay: .seconds($1))
      },
      locksAt: 10
    )
  )

  private func at(_ seconds: Int64, boot: UInt64 = 1) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
      bootID: BootIdentifier(high: 0, low: boot),
      wall: WallInstant(milliseconds: 0)
    )
  }

  private func throttle(failures: UInt32 = 0) -> PasscodeThrottle {
    PasscodeThrottle(tally: Tally(failures: failures))
  }

  @Test func tenWrongPasscodesTakeTheTimeOfTheTable() {
    var throttle = throttle()
    var now: Int64 = 0
    for _ in 1...10 {
      if case .refused(let rest) = throttle.standing(under: apple, at: at(now)) {
        now += rest.secondsRoundedUp
      }
      #expect(throttle.charge(under: apple, at: at(now)) == .charged)
    }
    #expect(now == 60 + 300 + 900 + 3600 + 10_800 + 28_800)
    #expect(throttle.charge(under: apple, at: at(now + 1_000_000)) == .locked)
  }

  @Test func theRightPasscodeStartsAnew() {
    var throttle = throttle(failures: 8)
    #expect(throttle.charge(under: apple, at: at(0)) == .charged)
    throttle.proven()
    #expect(throttle.standing(under: apple, at: at(0)) == .open(attemptsLeft: 10))
  }

  @Test func aRefundGivesBackOneAttemptAndNoMore() {
    var throttle = throttle(failures: 5)
    #expect(throttle.charge(under: apple, at: at(0)) == .charged)
    #expect(throttle.tally.failures == 6)
    throttle.refunded(under: apple)
    #expect(throttle.tally == Tally(failures: 5))
    #expect(throttle.standing(under: apple, at: at(0)) == .open(attemptsLeft: 5))
  }

  @Test func aRefundOfNothingIsNothing() {
    var throttle = throttle()
    throttle.refunded(under: apple)
    #expect(throttle.tally == Tally())
  }

  @Test func refusesUntilDelayHasPassed() {
    var throttle = throttle(failures: 3)
    #expect(throttle.charge(under: apple, at: at(10)) == .charged)
    #expect(throttle.charge(under: apple, at: at(69)) == .refused(for: .seconds(1)))
    #expect(throttle.charge(under: apple, at: at(70)) == .charged)
    #expect(throttle.standing(under: apple, at: at(70)) == .refused(.seconds(300)))
  }

  @Test func aRebootDuringADelayStartsItOver() {
    var throttle = throttle(failures: 3)
    #expect(throttle.charge(under: apple, at: at(10)) == .charged)
    for boot in UInt64(2)...5 {
      #expect(throttle.standing(under: apple, at: at(59, boot: boot)) == .refused(.seconds(60)))
      #expect(throttle.booted(at: at(0, boot: boot)) == true)
      #expect(throttle.standing(under: apple, at: at(59, boot: boot)) == .refused(.seconds(1)))
    }
    #expect(throttle.tally.failures == 4)
  }

  @Test func aRebootWithNoDelayChangesNothing() {
    var throttle = throttle(failures: 2)
    #expect(throttle.booted(at: at(0, boot: 2)) == false)
    #expect(throttle.tally == Tally(failures: 2))
  }

  @Test func aTableThatChangedMeanwhileIsAppliedToTheOldCount() {
    var strict = PasscodeDelays(name: "strict", delays: DelayTable(locksAt: 2))
    var throttle = PasscodeThrottle(tally: Tally(failures: 7))
    #expect(throttle.charge(under: strict, at: at(0)) == .locked)
    strict.delays.locksAt = nil
    #expect(throttle.standing(under: strict, at: at(0)) == .open(attemptsLeft: nil))
  }
}
