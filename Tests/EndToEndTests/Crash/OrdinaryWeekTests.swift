import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// Distrust is for those who change the state: whoever only uses it, kills and power cuts included, never meets it.
///
/// `WEEKS=20` makes it twenty weeks.
@Suite(
  .enabled(if: Machine.compiler != nil, "needs a C compiler"),
  .disabled(if: Sanitizer.isActive, "a sanitizer lets nothing be loaded before it")
)
struct OrdinaryWeekTests {
  private static let weeks = ProcessEnvironment.current["WEEKS"].flatMap { Int($0) } ?? 1

  @Test
  func anOwnerIsNeverRefusedForDoubtInAWeekWithPowerCutsAndNoAttemptIsGivenBack() throws {
    var generator = Settings.generator("ordinary weeks")
    for _ in 0..<Self.weeks {
      let week = try OrdinaryWeek(in: Scratch(), SeededGenerator(seed: generator.next()))
      try week.pass()
      #expect(week.powerCuts > 0 && week.kills > 0, "SEED=\(Settings.seed): nothing was cut")
      #expect(week.successes > 50, "SEED=\(Settings.seed): hardly anything was used")
    }
  }
}
