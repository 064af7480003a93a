import NotesCore
import Testing

@Suite struct DurationWordsTests {
  @Test(
    arguments: [
      (Duration.zero, "1 second"), (.milliseconds(1), "1 second"), (.seconds(1), "1 second"),
      (.milliseconds(1001), "2 seconds"), (.seconds(59), "59 seconds"), (.seconds(60), "1 minute"),
      (.seconds(61), "2 minutes"), (.seconds(3600), "1 hour"),
      (.seconds(3601), "1 hour and 1 minute"), (.seconds(8 * 3600), "8 hours"),
      (.seconds(2 * 3600 + 125), "2 hours and 3 minutes"), (.seconds(-5), "1 second"),
    ] as [(Duration, String)]
  )
  func whatIsSaidIsNeverTooEarly(_ duration: Duration, _ words: String) {
    #expect(duration.inWords == words)
  }
}
