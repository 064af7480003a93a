import LocalAuthCore
import Testing

@Suite struct FreshnessTests {
  private let shipped = FreshnessRules(
    anyWithin: .hours(48),
    passcodeWithin: .hours(156),
    unlessMatchedWithin: .hours(4)
  )
  private let boot = BootIdentifier(high: 1, low: 1)

  private func at(_ time: Duration, wall: Int64 = 0) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: 0) + time,
      bootID: boot,
      wall: WallInstant(milliseconds: wall)
    )
  }

  private func freshness(passcode: Duration?, match: Duration? = nil) -> Freshness {
    var freshness = Freshness()
    if let passcode { freshness.passcodeUsed(at: at(passcode)) }
    if let match { freshness.matched(at: at(match)) }
    return freshness
  }

  @Test func needsThePasscodeAfterABootWhateverTheRules() {
    let used = freshness(passcode: .hours(1), match: .hours(1))
    var rebooted = at(.hours(2))
    rebooted.bootID.generation += 1
    for rules in [shipped, FreshnessRules()] {
      #expect(used.needsPasscode(under: rules, at: rebooted))
      #expect(Freshness().needsPasscode(under: rules, at: at(.hours(1))))
      #expect(freshness(passcode: nil, match: .hours(1)).needsPasscode(under: rules, at: rebooted))
    }
  }

  @Test func aFingerAloneDoesNotStandInForThePasscodeAfterABoot() {
    let matched = freshness(passcode: nil, match: .hours(1))
    #expect(matched.needsPasscode(under: shipped, at: at(.hours(1))))
  }

  @Test func fortyEightHoursWithoutAnySuccessNeedThePasscode() {
    let used = freshness(passcode: .zero)
    #expect(!used.needsPasscode(under: shipped, at: at(.hours(48))))
    #expect(used.needsPasscode(under: shipped, at: at(.hours(48) + .nanoseconds(1))))
  }

  @Test func aMatchKeepsTheFortyEightHoursFromRunningOut() {
    let used = freshness(passcode: .zero, match: .hours(40))
    #expect(!used.needsPasscode(under: shipped, at: at(.hours(88))))
    #expect(used.needsPasscode(under: shipped, at: at(.hours(88) + .nanoseconds(1))))
  }

  @Test func sixAndAHalfDaysNeedThePasscodeUnlessAFingerMatchedWithinFourHours() {
    let recent = freshness(passcode: .zero, match: .hours(155))
    #expect(!recent.needsPasscode(under: shipped, at: at(.hours(156) + .nanoseconds(1))))
    #expect(!recent.needsPasscode(under: shipped, at: at(.hours(159))))
    #expect(recent.needsPasscode(under: shipped, at: at(.hours(159) + .nanoseconds(1))))
    let old = freshness(passcode: .zero, match: .hours(150))
    #expect(!old.needsPasscode(under: shipped, at: at(.hours(156))))
    #expect(old.needsPasscode(under: shipped, at: at(.hours(156) + .nanoseconds(1))))
  }

  @Test func thePasscodeMakesEverythingFreshAgain() {
    var freshness = freshness(passcode: .zero, match: .zero)
    #expect(freshness.needsPasscode(under: shipped, at: at(.hours(500))))
    freshness.passcodeUsed(at: at(.hours(500)))
    #expect(!freshness.needsPasscode(under: shipped, at: at(.hours(501))))
  }

  @Test func withoutRulesOnePasscodeABootIsEnough() {
    let used = freshness(passcode: .zero)
    #expect(!used.needsPasscode(under: FreshnessRules(), at: at(.hours(100_000))))
  }

  @Test func wallTimeDecidesNothing() {
    let used = freshness(passcode: .zero)
    for wall in [Int64.min, -1, 0, 1, Int64.max] {
      #expect(!used.needsPasscode(under: shipped, at: at(.hours(1), wall: wall)))
      #expect(used.needsPasscode(under: shipped, at: at(.hours(49), wall: wall)))
    }
  }

  @Test func aStampFromTheFutureOrTheBeginningOfTimeIsNotFresh() {
    #expect(freshness(passcode: .hours(2)).needsPasscode(under: shipped, at: at(.hours(1))))
    let ancient = Freshness(
      passcode: .init(at: BootInstant(nanoseconds: .min), boot: boot),
      match: .init(at: BootInstant(nanoseconds: .min), boot: boot)
    )
    let end = Moment(
      boot: BootInstant(nanoseconds: .max),
      bootID: boot,
      wall: WallInstant(milliseconds: 0)
    )
    #expect(ancient.needsPasscode(under: shipped, at: end))
  }
}

extension Duration {
  fileprivate static func hours(_ count: Int64) -> Duration { .seconds(count * 3600) }
}
