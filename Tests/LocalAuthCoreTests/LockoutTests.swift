import LocalAuthCore
import LocalAuthTestSupport
import Testing

@Suite struct LockoutTests {
  private let threeStrikes = LockoutProfile(name: "three-strikes", delays: DelayTable(locksAt: 3))
  private let android = LockoutProfile(
    name: "android",
    delays: DelayTable(
      rows: [5, 10, 15].map { .init(from: $0, through: $0, delay: .seconds(30)) },
      locksAt: 20
    )
  )

  private func at(_ seconds: Int64, boot: UInt64 = 1, wall: Int64 = 0) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
      bootID: BootIdentifier(high: 0, low: boot),
      wall: WallInstant(milliseconds: wall)
    )
  }

  private func lockout(_ profile: LockoutProfile, failures: UInt32 = 0) -> ProfiledLockout {
    ProfiledLockout(tally: Tally(failures: failures), profile: profile)
  }

  @Test func theThirdMissLocksThreeStrikes() {
    var lockout = lockout(threeStrikes)
    for left in [UInt32(3), 2, 1] {
      #expect(lockout.standing(at: at(0)) == .open(attemptsLeft: left))
      #expect(lockout.charge(at: at(0)) == .charged)
    }
    #expect(lockout.standing(at: at(0)) == .locked)
    #expect(lockout.charge(at: at(0)) == .locked)
    #expect(lockout.tally.failures == 3)
  }

  @Test func neitherTimeNorRebootOpensALock() {
    var lockout = lockout(threeStrikes, failures: 3)
    #expect(lockout.standing(at: at(.max / 1_000_000_000)) == .locked)
    #expect(lockout.booted(at: at(0, boot: 2)) == false)
    #expect(lockout.standing(at: at(0, boot: 2, wall: .max)) == .locked)
  }

  @Test func thePasscodeOpensALock() {
    var lockout = lockout(threeStrikes, failures: 3)
    lockout.passcodeProven()
    #expect(lockout.standing(at: at(0)) == .open(attemptsLeft: 3))
    #expect(lockout.tally == Tally())
  }

  @Test func aMatchSetsTheCountToZeroEvenOnTheLastTry() {
    var lockout = lockout(threeStrikes, failures: 2)
    #expect(lockout.charge(at: at(0)) == .charged)
    lockout.matched()
    #expect(lockout.standing(at: at(0)) == .open(attemptsLeft: 3))
  }

  @Test func climbsTheAndroidLadder() {
    var lockout = lockout(android)
    var now: Int64 = 0
    for miss in UInt32(1)...20 {
      #expect(lockout.charge(at: at(now)) == .charged, "miss \(miss)")
      if [5, 10, 15].contains(miss) {
        #expect(lockout.standing(at: at(now)) == .refused(.seconds(30)), "miss \(miss)")
        #expect(lockout.charge(at: at(now + 29)) == .refused(for: .seconds(1)), "miss \(miss)")
        now += 30
      }
    }
    #expect(lockout.standing(at: at(now + 1_000_000)) == .locked)
  }

  @Test func aRefusedChargeChangesNothing() {
    var lockout = lockout(android, failures: 4)
    #expect(lockout.charge(at: at(100)) == .charged)
    let refused = lockout.tally
    for second in Int64(100)..<130 {
      #expect(lockout.charge(at: at(second)) == .refused(for: .seconds(130 - second)))
    }
    #expect(lockout.tally == refused)
    #expect(lockout.charge(at: at(130)) == .charged)
  }

  @Test func aRebootStartsTheRefusalOverInFull() {
    var lockout = lockout(android, failures: 4)
    #expect(lockout.charge(at: at(100)) == .charged)
    #expect(lockout.standing(at: at(129)) == .refused(.seconds(1)))
    #expect(lockout.standing(at: at(500, boot: 2)) == .refused(.seconds(30)))
    #expect(lockout.booted(at: at(5, boot: 2)) == true)
    #expect(lockout.booted(at: at(6, boot: 2)) == false)
    #expect(lockout.standing(at: at(34, boot: 2)) == .refused(.seconds(1)))
    #expect(lockout.standing(at: at(35, boot: 2)) == .open(attemptsLeft: 15))
  }

  @Test func aClockThatRunsBackwardsGainsNothing() {
    var lockout = lockout(android, failures: 4)
    #expect(lockout.charge(at: at(100)) == .charged)
    #expect(lockout.standing(at: at(0)) == .refused(.seconds(30)))
    #expect(lockout.standing(at: at(110, wall: .max)) == .refused(.seconds(20)))
    #expect(lockout.standing(at: at(110, wall: .min)) == .refused(.seconds(20)))
  }

  @Test func theStricterOfTwoProfilesHolds() {
    var both = ProfiledLockout(tally: Tally(), profile: android, and: threeStrikes)
    #expect(both.standing(at: at(0)) == .open(attemptsLeft: 3))
    for _ in 0..<3 { #expect(both.charge(at: at(0)) == .charged) }
    #expect(both.charge(at: at(0)) == .locked)
    #expect(lockout(android, failures: 3).standing(at: at(0)) == .open(attemptsLeft: 17))
  }

  @Test func aDelayOfEitherProfileHolds() {
    let minute = LockoutProfile(
      name: "minute",
      delays: DelayTable(
        rows: [.init(from: 1, through: nil, delay: .seconds(60))],
        locksAt: 100
      )
    )
    for (first, second) in [(android, minute), (minute, android)] {
      var both = ProfiledLockout(tally: Tally(failures: 4), profile: first, and: second)
      #expect(both.charge(at: at(0)) == .charged)
      #expect(both.standing(at: at(59)) == .refused(.seconds(1)))
      #expect(both.standing(at: at(60)) == .open(attemptsLeft: 15))
      let alone = ProfiledLockout(tally: both.tally, profile: android)
      #expect(alone.standing(at: at(59)) == .refused(.seconds(1)))
    }
  }

  @Test func theStricterStandingIsTheSameEitherWayRound() {
    let standings: [Standing] = [
      .locked, .refused(.seconds(1)), .refused(.seconds(2)), .open(attemptsLeft: nil),
      .open(attemptsLeft: 2), .open(attemptsLeft: 1),
    ]
    for one in standings {
      for other in standings { #expect(one.stricter(other) == other.stricter(one)) }
      #expect(one.stricter(one) == one)
      #expect(one.stricter(.locked) == .locked)
      #expect(one.stricter(.open(attemptsLeft: nil)) == one)
    }
  }

  @Test func theCountNeverWraps() {
    let endless = LockoutProfile(name: "endless", delays: DelayTable())
    var lockout = lockout(endless, failures: .max)
    #expect(lockout.charge(at: at(0)) == .charged)
    #expect(lockout.tally.failures == .max)
    #expect(lockout.standing(at: at(0)) == .open(attemptsLeft: nil))
  }

  @Test func extremeRefusalsNeitherTrapNorEndEarly() {
    for asked in [Duration.seconds(Int64.max), .nanoseconds(Int64.max)] {
      // A period holds at most 292 years.
      let length = Duration.nanoseconds(Int64.max)
      for start in [Int64.min, 0, .max] {
        let period = RefusalPeriod(
          length: asked,
          start: BootInstant(nanoseconds: start),
          boot: at(0).bootID
        )
        #expect(period.remaining(at: at(0, boot: 2)) == length)
        for now in [Int64.min, 0, .max] where now <= start {
          var moment = at(0)
          moment.boot = BootInstant(nanoseconds: now)
          #expect(period.remaining(at: moment) == length)
        }
      }
    }
  }

  /// Any order of charges, waits, wall jumps and reboots, against a model that counts by itself.
  @Test func noOrderOfEventsGivesAnAttemptBackOrEndsARefusalEarly() {
    var generator = SeededGenerator.ofThisRun
    for _ in 0..<300 {
      var lockout = lockout(android)
      var now = at(1000)
      var failures: UInt32 = 0
      var opens: BootInstant?
      for _ in 0..<60 {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: now.boot = now.boot + .seconds(Int64.random(in: 0...20, using: &generator))
        case 1: now.wall.milliseconds = .random(in: .min ... .max, using: &generator)
        case 2:
          now.bootID.low += 1
          now.boot = BootInstant(nanoseconds: .random(in: 0...5_000_000_000, using: &generator))
          #expect(lockout.booted(at: now) == (opens != nil), "SEED=\(generator.seed)")
          if opens != nil { opens = now.boot + .seconds(30) }
        default:
          let mayBeJudged = failures < 20 && opens.map { now.boot >= $0 } ?? true
          #expect((lockout.charge(at: now) == .charged) == mayBeJudged, "SEED=\(generator.seed)")
          guard mayBeJudged else { break }
          failures += 1
          opens = [5, 10, 15].contains(failures) ? now.boot + .seconds(30) : nil
        }
        #expect(lockout.tally.failures == failures, "SEED=\(generator.seed)")
      }
    }
  }
}
