import LocalAuthTestSupport
import Testing

@testable import LocalAuthCore

@Suite struct ForgettingTests {
  /// pam_faillock's defaults: deny 3, unlock_time 600, fail_interval 900.
  private let faillock = LockoutProfile(
    name: "faillock",
    delays: DelayTable(
      rows: [.init(from: 3, through: 3, delay: .seconds(600))],
      forgets: .all(after: .seconds(900), withRefusal: true)
    )
  )
  /// A TPM with maxTries 3 and recoveryTime 600.
  private let tpm = LockoutProfile(
    name: "tpm",
    delays: DelayTable(
      rows: [.init(from: 3, through: nil, delay: .seconds(600))],
      forgets: .one(every: .seconds(600))
    )
  )
  private let threeStrikes = LockoutProfile(name: "three-strikes", delays: DelayTable(locksAt: 3))

  private func at(_ seconds: Int64, boot: UInt64 = 1, wall: Int64 = 0) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
      bootID: BootIdentifier(high: 0, low: boot),
      wall: WallInstant(milliseconds: wall)
    )
  }

  private func count(
    _ lockout: ProfiledLockout,
    _ profile: LockoutProfile,
    at now: Moment
  ) -> UInt32 {
    lockout.tally.failures(under: profile.delays, at: now)
  }

  // MARK: All of them

  @Test func aPauseOfTheWholeIntervalForgetsAllFailures() {
    var lockout = ProfiledLockout(tally: Tally(), profile: faillock)
    #expect(lockout.charge(at: at(0)) == .charged)
    #expect(lockout.charge(at: at(899)) == .charged)
    #expect(count(lockout, faillock, at: at(899 + 899)) == 2)
    #expect(count(lockout, faillock, at: at(899 + 900)) == 0)
    #expect(lockout.charge(at: at(899 + 900)) == .charged)
    #expect(lockout.tally.failures == 1)
  }

  @Test func aRefusalThatHasPassedForgetsAllFailures() {
    var lockout = ProfiledLockout(tally: Tally(), profile: faillock)
    for second in Int64(0)..<3 { #expect(lockout.charge(at: at(second)) == .charged) }
    #expect(lockout.standing(at: at(2)) == .refused(.seconds(600)))
    #expect(lockout.charge(at: at(601)) == .refused(for: .seconds(1)))
    #expect(count(lockout, faillock, at: at(601)) == 3)
    #expect(lockout.standing(at: at(602)) == .open(attemptsLeft: nil))
    for second in Int64(602)..<605 { #expect(lockout.charge(at: at(second)) == .charged) }
    #expect(lockout.standing(at: at(605)) == .refused(.seconds(599)))
  }

  @Test func withoutTheWordARefusalForgetsNothing() {
    var slow = faillock
    slow.delays.forgets = .all(after: .seconds(900), withRefusal: false)
    slow.delays.rows = [.init(from: 3, through: nil, delay: .seconds(600))]
    var lockout = ProfiledLockout(tally: Tally(failures: 2), profile: slow)
    #expect(lockout.charge(at: at(0)) == .charged)
    #expect(lockout.charge(at: at(600)) == .charged)
    #expect(lockout.tally.failures == 4)
    #expect(count(lockout, slow, at: at(600 + 899)) == 4)
    #expect(count(lockout, slow, at: at(600 + 900)) == 0)
  }

  @Test func aRefusalLongerThanThePauseStillHolds() {
    var long = faillock
    long.delays.forgets = .all(after: .seconds(60), withRefusal: false)
    var lockout = ProfiledLockout(tally: Tally(failures: 2), profile: long)
    #expect(lockout.charge(at: at(0)) == .charged)
    #expect(count(lockout, long, at: at(60)) == 0)
    #expect(lockout.charge(at: at(60)) == .refused(for: .seconds(540)))
  }

  /// pam_faillock's own records, each of which expires 900 s after it was made.
  private struct Records {
    var failures: [Int64] = []

    func isDenied(at now: Int64) -> Bool {
      guard let latest = failures.last else { return false }
      return failures.count { latest - $0 < 900 } >= 3 && latest + 600 > now
    }

    mutating func fail(at now: Int64) {
      let latest = failures.last ?? now
      let wasUnlocked = failures.count { latest - $0 < 900 } >= 3
      failures.removeAll { wasUnlocked || now - $0 >= 900 }
      failures.append(now)
    }
  }

  @Test(arguments: [
    [0, 1, 2, 602, 603, 604, 1204], [0, 900, 1800, 2700], [0, 10, 20, 2000, 2001, 2002],
    [0, 1, 901, 1801, 1802],
  ])
  func doesWhatFaillockDoes(_ tries: [Int64]) {
    var records = Records()
    var lockout = ProfiledLockout(tally: Tally(), profile: faillock)
    for now in tries {
      #expect((lockout.charge(at: at(now)) == .charged) == !records.isDenied(at: now), "\(now)")
      if !records.isDenied(at: now) { records.fail(at: now) }
    }
  }

  /// 800, then 200 seconds between them: the first has expired there, and here only a pause counts.
  @Test func theFirstRefusalComesNoLaterThanFaillocks() {
    var generator = SeededGenerator.ofThisRun
    var earlier = 0
    for _ in 0..<2000 {
      var records = Records()
      var lockout = ProfiledLockout(tally: Tally(), profile: faillock)
      var now: Int64 = 0
      while true {
        now += .random(in: 1...1000, using: &generator)
        guard lockout.charge(at: at(now)) == .charged else {
          earlier += records.isDenied(at: now) ? 0 : 1
          break
        }
        #expect(!records.isDenied(at: now), "SEED=\(generator.seed)")
        records.fail(at: now)
        if case .refused = lockout.standing(at: at(now)) {
          earlier += records.isDenied(at: now) ? 0 : 1
          break
        }
        #expect(!records.isDenied(at: now), "SEED=\(generator.seed)")
      }
    }
    #expect(earlier > 0)
  }

  // MARK: One by one

  @Test func eachIntervalGivesOneTryBack() {
    var lockout = ProfiledLockout(tally: Tally(), profile: tpm)
    for _ in 0..<3 { #expect(lockout.charge(at: at(0)) == .charged) }
    #expect(lockout.charge(at: at(599)) == .refused(for: .seconds(1)))
    #expect(lockout.charge(at: at(600)) == .charged)
    #expect(lockout.tally.failures == 3)
    #expect(lockout.standing(at: at(601)) == .refused(.seconds(599)))
    #expect(count(lockout, tpm, at: at(1200)) == 2)
    #expect(count(lockout, tpm, at: at(1799)) == 2)
    #expect(count(lockout, tpm, at: at(1800)) == 1)
    #expect(count(lockout, tpm, at: at(1_000_000)) == 0)
  }

  @Test func eachFailureBeginsTheIntervalAnew() {
    var lockout = ProfiledLockout(tally: Tally(), profile: tpm)
    #expect(lockout.charge(at: at(0)) == .charged)
    #expect(lockout.charge(at: at(599)) == .charged)
    #expect(count(lockout, tpm, at: at(600)) == 2)
    #expect(count(lockout, tpm, at: at(1198)) == 2)
    #expect(count(lockout, tpm, at: at(1199)) == 1)
  }

  /// failedTries and the self-heal timer of the TPM's reference code, stepped second by second.
  @Test func countsAsATPMDoes() {
    var generator = SeededGenerator.ofThisRun
    for _ in 0..<50 {
      var lockout = ProfiledLockout(tally: Tally(), profile: tpm)
      var (tries, timer) = (UInt32(0), Int64(0))
      for now in Int64(0)..<8000 {
        if tries > 0, now - timer >= 600 { (tries, timer) = (tries - 1, timer + 600) }
        #expect(count(lockout, tpm, at: at(now)) == tries, "SEED=\(generator.seed) at \(now)")
        guard Int.random(in: 0..<200, using: &generator) == 0 else { continue }
        let isOpen = lockout.charge(at: at(now)) == .charged
        #expect(isOpen == (tries < 3), "SEED=\(generator.seed) at \(now)")
        if isOpen { (tries, timer) = (tries + 1, now) }
      }
    }
  }

  // MARK: Clocks and boots

  @Test func aClockThatGoesBackForgetsNothing() {
    for profile in [faillock, tpm] {
      var lockout = ProfiledLockout(tally: Tally(failures: 1), profile: profile)
      #expect(lockout.charge(at: at(10_000)) == .charged)
      #expect(count(lockout, profile, at: at(0)) == 2)
      #expect(count(lockout, profile, at: at(10_000, wall: .max)) == 2)
      #expect(lockout.charge(at: at(0)) == .charged)
      #expect(lockout.tally.failures == 3)
    }
  }

  @Test func aRebootStartsForgettingOverInFull() {
    for profile in [faillock, tpm] {
      var lockout = ProfiledLockout(tally: Tally(failures: 1), profile: profile)
      #expect(lockout.charge(at: at(100)) == .charged)
      #expect(count(lockout, profile, at: at(9999, boot: 2)) == 2)
      #expect(lockout.booted(at: at(5, boot: 2)) == true)
      #expect(lockout.booted(at: at(6, boot: 2)) == false)
      #expect(count(lockout, profile, at: at(604, boot: 2)) == 2)
      #expect(count(lockout, profile, at: at(905, boot: 2)) < 2)
      #expect(lockout.standing(at: at(6, boot: 2)) == .open(attemptsLeft: nil))
    }
  }

  @Test func aRebootDuringARefusalRefusesAndForgetsInFull() {
    var lockout = ProfiledLockout(tally: Tally(failures: 2), profile: faillock)
    #expect(lockout.charge(at: at(0)) == .charged)
    #expect(lockout.booted(at: at(3, boot: 2)) == true)
    #expect(lockout.charge(at: at(602, boot: 2)) == .refused(for: .seconds(1)))
    #expect(lockout.charge(at: at(603, boot: 2)) == .charged)
    #expect(lockout.tally.failures == 1)
  }

  @Test func aCountWhoseTimeNobodyKnowsStands() {
    for profile in [faillock, tpm] {
      var lockout = ProfiledLockout(tally: Tally(failures: 2), profile: profile)
      #expect(count(lockout, profile, at: at(1_000_000)) == 2)
      #expect(lockout.charge(at: at(1_000_000)) == .charged)
      #expect(lockout.tally.failures == 3)
    }
  }

  @Test func extremesNeitherTrapNorForgetEarly() {
    let ends = [Int64.min, -1, 0, 1, .max]
    for forgets in [
      Forgetting.all(after: .nanoseconds(Int64.max), withRefusal: true),
      .one(every: .nanoseconds(Int64.max)), .one(every: .nanoseconds(1)),
      .all(after: .zero, withRefusal: false), .one(every: .zero), .one(every: .seconds(-1)),
      .all(after: .seconds(-1), withRefusal: false),
    ] {
      let table = DelayTable(
        rows: [.init(from: 1, through: nil, delay: .seconds(1))],
        forgets: forgets
      )
      for start in ends {
        for now in ends {
          var tally = Tally(failures: .max)
          var moment = at(0)
          moment.boot.nanoseconds = start
          tally.charge(under: table, at: moment)
          moment.boot.nanoseconds = now
          let standing = tally.failures(under: table, at: moment)
          #expect(now > start || standing == .max)
          tally.charge(under: table, at: moment)
        }
      }
    }
    let nothing = Forgetting.one(every: .zero)
    #expect(nothing.standing(5, refusedFor: 0, after: .max) == 5)
    #expect(Forgetting.one(every: .nanoseconds(1)).standing(.max, refusedFor: 0, after: .max) == 0)
  }

  // MARK: With a lock, with a second table, with a success

  @Test func aLockIsNeverForgotten() {
    var profile = tpm
    profile.delays.locksAt = 3
    var lockout = ProfiledLockout(tally: Tally(), profile: profile)
    for second in Int64(0)..<3 { #expect(lockout.charge(at: at(second)) == .charged) }
    #expect(lockout.charge(at: at(1_000_000)) == .locked)
    #expect(lockout.standing(at: at(1_000_000)) == .locked)
    #expect(lockout.tally.refusal == nil)
  }

  @Test func whatOnlyOneOfTwoTablesForgetsIsNotForgotten() {
    for (first, second) in [(tpm, threeStrikes), (threeStrikes, tpm)] {
      var both = ProfiledLockout(tally: Tally(), profile: first, and: second)
      #expect(both.charge(at: at(0)) == .charged)
      #expect(both.charge(at: at(100_000)) == .charged)
      #expect(both.charge(at: at(200_000)) == .charged)
      #expect(both.charge(at: at(300_000)) == .locked)
    }
  }

  @Test func ofTwoTablesThatForgetTheSlowerCounts() {
    for (first, second) in [(tpm, faillock), (faillock, tpm)] {
      var both = ProfiledLockout(tally: Tally(), profile: first, and: second)
      for second in Int64(0)..<3 { #expect(both.charge(at: at(second)) == .charged) }
      // faillock's refusal has passed; of the TPM's three failures two still stand.
      #expect(both.charge(at: at(602)) == .charged)
      #expect(both.tally.failures == 3)
    }
  }

  @Test func aMatchClearsTheCountAndItsTime() {
    for profile in [faillock, tpm] {
      var lockout = ProfiledLockout(tally: Tally(failures: 1), profile: profile)
      #expect(lockout.charge(at: at(0)) == .charged)
      lockout.matched()
      #expect(lockout.tally == Tally())
    }
  }

  @Test func aTableThatDoesNotForgetKeepsNoTime() {
    var lockout = ProfiledLockout(tally: Tally(), profile: threeStrikes)
    #expect(lockout.charge(at: at(0)) == .charged)
    #expect(lockout.tally == Tally(failures: 1))
  }

  @Test func aRefundedPasscodeKeepsTheTimeOfItsCharge() {
    let delays = PasscodeDelays(name: "tpm", delays: tpm.delays)
    var throttle = PasscodeThrottle(tally: Tally())
    #expect(throttle.charge(under: delays, at: at(0)) == .charged)
    #expect(throttle.charge(under: delays, at: at(300)) == .charged)
    throttle.refunded(under: delays)
    #expect(throttle.tally.failures == 1)
    #expect(throttle.tally.failures(under: tpm.delays, at: at(899)) == 1)
    #expect(throttle.tally.failures(under: tpm.delays, at: at(900)) == 0)
    #expect(throttle.standing(under: delays, at: at(300)) == .open(attemptsLeft: nil))
  }

  /// Any order of touches, waits, clocks that jump and reboots: what refuses a touch is what would
  /// without forgetting, the count falls by time only, and each touch adds one to what still stands.
  @Test(arguments: [0, 1])
  func forgettingTakesTimeAndShortensNoRefusal(_ which: Int) {
    let profile = [faillock, tpm][which]
    var plain = profile
    plain.delays.forgets = nil
    var generator = SeededGenerator.ofThisRun
    for _ in 0..<500 {
      var lockout = ProfiledLockout(tally: Tally(), profile: profile)
      var now = at(1000)
      var sinceFailure: Duration = .zero
      for _ in 0..<60 {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1:
          let pause = Duration.seconds(Int64.random(in: 0...500, using: &generator))
          now.boot = now.boot + pause
          sinceFailure += pause
        case 2: now.wall.milliseconds = .random(in: .min ... .max, using: &generator)
        case 3:
          now.bootID.low += 1
          now.boot = BootInstant(nanoseconds: .random(in: 0...5_000_000_000, using: &generator))
          _ = lockout.booted(at: now)
          sinceFailure = .zero
        default:
          let before = lockout.tally
          let stood = count(lockout, profile, at: now)
          #expect(stood <= before.failures, "SEED=\(generator.seed)")
          #expect(
            sinceFailure >= .seconds(600) || stood == before.failures,
            "SEED=\(generator.seed)"
          )
          var strict = ProfiledLockout(tally: before, profile: plain)
          let verdict = lockout.charge(at: now)
          #expect(verdict == strict.charge(at: now), "SEED=\(generator.seed)")
          guard verdict == .charged else { break }
          #expect(lockout.tally.failures == stood + 1, "SEED=\(generator.seed)")
          sinceFailure = .zero
        }
      }
    }
  }
}
