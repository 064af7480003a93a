import LocalAuthAnalysis
import Testing

/// Numbers as people read them.
@Suite struct RateTextTests {
  @Test(
    arguments: [
      (0.0, "0"), (1, "100 %"), (0.0005, "0.05 %"), (1 / 50_000.0, "1 in 50000"),
      (1 / 999_499.0, "1 in 999000"), (1 / 999_600.0, "1 in 1 million"),
      (1.2e-11, "1 in 83.3 billion"), (1 / 46_812_345.0, "1 in 46.8 million"),
      (1 / 999_999_999.0, "1 in 1 billion"), (1 / 5.25e12, "1 in 5.25 trillion"),
      (1e-16, "1 in 10^15 or more"), (1e-300, "1 in 10^15 or more"),
    ] as [(Double, String)]
  )
  func aSmallRateIsOneInSoMany(_ rate: Double, _ text: String) {
    #expect(RateText.text(rate) == text)
  }

  @Test(
    arguments: [
      (0.000167, "0.000167"), (0.0001, "0.0001"), (0.0000166, "1.66e-5"), (1.2e-9, "1.2e-9"),
      (-1.236e-12, "-1.24e-12"), (9.999e-5, "1e-4"), (9.99e-6, "9.99e-6"),
      (.leastNonzeroMagnitude, "4.94e-324"),
      (1e-300, "1e-300"), (0, "0"), (12.345, "12.3"), (-0.5, "-0.5"), (1234, "1234"),
    ] as [(Double, String)]
  )
  func aTinyValueHasItsDigitsAndNoZeros(_ value: Double, _ text: String) {
    #expect(RateText.significant(value) == text)
  }

  @Test(
    arguments: [(1234.0, "1230"), (999_999, "1000000"), (1.2e-9, "1.2e-9"), (0.5, "0.5")]
      as [(Double, String)]
  )
  func threeDigitsAreKeptBeforeThePointToo(_ value: Double, _ text: String) {
    #expect(RateText.rounded(value) == text)
  }
}
