import LocalAuthCore
import LocalAuthTestSupport
import Testing

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("30", Duration.seconds(30)), ("30s", .seconds(30)), ("5m", .seconds(300)),
    ("48h", .seconds(172_800)), ("400ms", .milliseconds(400)), ("0", .zero), ("0h", .zero),
    ("007", .seconds(7)), ("9223372036s", .seconds(9_223_372_036)),
  ])
  func readsEveryUnit(_ text: String, _ duration: Duration) {
    #expect(DurationText.parse(text) == duration)
    #expect(DurationText.parse(bytes: Array(text.utf8)) == duration)
  }

  @Test(arguments: [
    "", "s", "ms", "-1s", "+1s", "1.5s", "1 s", " 1s", "1s ", "1S", "1d", "1min", "1sm", "1m30s",
    "\u{661}s", "1\u{301}", "0x10", "1e3", "9223372037s", "2562048h", "999999999999999999h",
    "1000000000000000000", "99999999999999999999",
  ])
  func refusesAnythingElse(_ text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  @Test(arguments: [
    (Duration.seconds(30), "30s"), (.seconds(60), "1m"), (.seconds(90), "90s"),
    (.seconds(3600), "1h"), (.milliseconds(1500), "1500ms"), (.zero, "0s"), (.seconds(-5), "0s"),
    (.nanoseconds(1), "1ms"), (.milliseconds(1) + .nanoseconds(1), "2ms"),
  ])
  func writesTheLargestUnitThatFits(_ duration: Duration, _ text: String) {
    #expect(DurationText.format(duration) == text)
  }

  @Test(arguments: [
    (Duration.seconds(510 * 60), "8h 30m"), (.seconds(3601), "1h 1s"), (.seconds(150), "2m 30s"),
    (.milliseconds(120_001), "2m 1s"), (.seconds(100 * 3600 + 90), "100h 1m 30s"),
    (.seconds(120), "2m"), (.seconds(119), "119s"), (.seconds(7200), "2h"),
    (.milliseconds(1500), "1500ms"), (.seconds(-5), "0s"),
  ])
  func sentencesHaveUnitsThatPeopleCountIn(_ duration: Duration, _ text: String) {
    #expect(DurationText.words(duration) == text)
  }

  @Test func readsWhatItWrites() {
    var random = SeededGenerator(seed: 20_240_601)
    for _ in 0..<2000 {
      let limit: Int64 =
        [10, 10_000, 10_000_000, .max / 1_000_000].randomElement(using: &random) ?? 1
      let duration = Duration.milliseconds(Int64.random(in: 0...limit, using: &random))
      #expect(DurationText.parse(DurationText.format(duration)) == duration, "\(duration)")
    }
  }

  @Test func writesTheLongestDurationsWithoutTrapping() {
    #expect(DurationText.format(.seconds(Int64.max)) == "9223372036855ms")
    #expect(DurationText.words(.seconds(Int64.max)) == "2562047h 47m 17s")
  }
}
