import LocalAuthAnalysis
import Testing

@testable import authctl

/// Numbers of a report in words.
@Suite struct StudySentencesTests {
  @Test(arguments: [
    (0.25, "in about 250 of 1,000 cases"), (6e-5, "in about 1 of 16,700 cases"),
    (1, "every time"), (1 - 1e-16, "every time"), (0.9998, "in all but about 1 of 5,000 cases"),
    (0.999999, "in all but about 1 of 1 million cases"),
    (1e-300, "in about 1 of 10^15 or more cases"),
  ])
  func aChanceIsEveryTimeOnlyIfItIs(_ rate: Double, _ words: String) {
    #expect(StudySentences.chance(rate) == words)
  }

  @Test(arguments: [(0.0, 0.0), (0, 0.0009), (3650, 3650), (3650, 3651)])
  func whatIsTheSameForAllIsNotSaidToBeUneven(_ half: Double, _ most: Double) {
    #expect(StudySentences.spread(half, most) == "")
  }

  @Test func whatDiffersIsSaid() {
    #expect(
      StudySentences.spread(0, 0.5)
        == " They are not spread evenly: 990 of the 1,000 expect one in 2 years at most, and the other ten "
        + "more."
    )
  }

  @Test(arguments: [
    (0, "fewer than one ends"), (0.0009, "fewer than one ends"), (0.001, "about 1 ends"),
    (0.0035, "about 3.5 end"), (1, "about 1,000 end"),
  ])
  func ofAThousandOneIsSingular(_ rate: Double, _ words: String) {
    #expect(StudySentences.ofThousand(rate, "ends", "end") == words)
  }

  @Test(arguments: [
    (0, "fewer than one in a million is"), (1e-7, "fewer than one in a million is"),
    (0.0002, "1 in 5,000 is"), (0.25, "25 % are"), (1, "100 % are"),
  ])
  func aShareIsSingularIfItIsOneIn(_ rate: Double, _ words: String) {
    #expect(StudySentences.share(rate) == words)
  }

  @Test(arguments: [
    (0, "fewer than one lockout in 1,000 years"), (0.5, "one lockout in 2 years"),
    (0.9999, "one lockout in 1 year"), (1, "1 lockout a year"),
    (12_590, "12,600 lockouts a year"),
  ])
  func lockoutsAreCounted(_ rate: Double, _ words: String) {
    #expect(StudySentences.lockouts(rate) == words)
  }

  @Test(arguments: [
    (0.1, "0.1 seconds"), (1, "1 second"), (0.9999, "1 second"), (90, "90 seconds"),
    (60, "1 minute"), (300, "5 minutes"), (14_400, "4 hours"), (86_400, "1 day"),
    (259_200, "3 days"), (599, "9 minutes 59 seconds"), (30_600, "8 hours 30 minutes"),
    (122_400, "34 hours"), (122_460, "1 day 10 hours 1 minute"), (1234.5, "1,230 seconds"),
  ])
  func timesAreInWholeUnits(_ seconds: Double, _ words: String) {
    #expect(StudySentences.time(.seconds(seconds)) == words)
  }

  @Test func numbersOfOursAreInWords() {
    #expect(StudySentences.number(60, .seconds) == "1 minute")
    #expect(StudySentences.number(0.05, .share) == "5 %")
    #expect(StudySentences.number(.infinity, .count) == "no limit")
  }

  @Test func noMoreDigitsAreShownThanAreKnown() {
    #expect(StudySentences.number(1.0000000000001086e300) == "10^15 or more")
    #expect(StudySentences.number(.infinity) == "10^15 or more")
    #expect(StudySentences.number(123_456) == "123,000")
    #expect(StudySentences.number(83_333_333_333) == "83.3 billion")
  }
}
