import LocalAuthCore
import Testing

@Suite struct TimeTests {
  private func at(_ nanoseconds: Int64) -> BootInstant { BootInstant(nanoseconds: nanoseconds) }

  @Test func addingMovesTheInstant() {
    #expect(at(5) + .nanoseconds(7) == at(12))
    #expect(at(5) + .nanoseconds(-7) == at(-2))
  }

  @Test func addingHoldsAtTheEndsOfTheClock() {
    #expect(at(.max) + .nanoseconds(1) == at(.max))
    #expect(at(.min) + .nanoseconds(-1) == at(.min))
    #expect(at(0) + .seconds(Int64.max) == at(.max))
    #expect(at(-1) + .seconds(Int64.min) == at(.min))
  }

  @Test func subtractingGivesTheTimeBetween() {
    #expect(at(12) - at(5) == .nanoseconds(7))
    #expect(at(5) - at(12) == .nanoseconds(-7))
  }

  @Test func subtractingNeverWrapsAroundToAShortTime() {
    #expect(at(.max) - at(.min) == .nanoseconds(Int64.max))
    #expect(at(.min) - at(.max) == .nanoseconds(Int64.min))
    #expect(at(0) - at(.min) == .nanoseconds(Int64.max))
  }

  @Test func wholeNanosecondsAreHeldAtTheEnds() {
    #expect(Duration.seconds(3).wholeNanoseconds == 3_000_000_000)
    #expect(Duration.milliseconds(-1500).wholeNanoseconds == -1_500_000_000)
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
  }

  @Test(arguments: [
    (Duration.zero, Int64(0)), (.nanoseconds(1), 1), (.seconds(1), 1), (.milliseconds(1001), 2),
    (.milliseconds(-500), 0), (.milliseconds(-1500), -1),
    (Duration(secondsComponent: .max, attosecondsComponent: 1), .max),
  ])
  func secondsAreRoundedUp(_ duration: Duration, _ seconds: Int64) {
    #expect(duration.secondsRoundedUp == seconds)
  }

  @Test func bootsDifferInEveryPartOfTheirIdentifier() {
    let boot = BootIdentifier(high: 1, low: 2)
    #expect(boot != BootIdentifier(high: 2, low: 2))
    #expect(boot != BootIdentifier(high: 1, low: 3))
    #expect(boot != BootIdentifier(high: 1, low: 2, generation: 1))
  }
}
