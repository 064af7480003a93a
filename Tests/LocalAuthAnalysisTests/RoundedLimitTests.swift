import Testing

@testable import LocalAuthAnalysis

/// Limits that computed values are held against.
@Suite struct RoundedLimitTests {
  /// What the sum of the shares of ten guesses among 10,000 was computed as.
  private let thousandth = 0.0010000000000000009

  @Test func roundingMissesNoLimit() {
    let limit = RoundedLimit(0.001)
    #expect(limit.isAtLeast(thousandth) && limit.isAtLeast(0.001))
    #expect(!limit.isAbove(thousandth) && !limit.isAbove(0.0009999999999999998))
    #expect(RoundedLimit(30).isAtMost(29.999999999999996))
  }

  @Test func whatIsMoreThanRoundingCounts() {
    #expect(!RoundedLimit(0.001).isAtLeast(0.00100001))
    #expect(RoundedLimit(0.001).isAbove(0.00099999))
    #expect(!RoundedLimit(30).isAtMost(29.9999))
  }

  @Test func ofWhatMustNotBeNothingIsOverlooked() {
    #expect(RoundedLimit(0).isAtLeast(0))
    #expect(!RoundedLimit(0).isAtLeast(1e-300))
  }

  @Test func aBoundIsKeptToByWhatRoundingPutsAboveIt() {
    #expect(ChoiceStanding.of(thousandth, atMost: 0.001) == .met(1))
    #expect(!ChoiceStanding.of(0.0011, atMost: 0.001).isMet)
  }
}
