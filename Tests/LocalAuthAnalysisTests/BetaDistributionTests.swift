import LocalAuthAnalysis
import LocalAuthSensor
import Testing

@Suite struct BetaDistributionTests {
  /// x, a, b and I_x(a, b) from another library.
  @Test(arguments: [
    (0.3, 2.5, 7, 0.641_222_462_971_721_4), (0.012, 50, 5_000, 0.927_605_028_678_071_3),
    (0.01, 0.181, 5.154, 0.619_972_495_029_377_7), (1e-5, 1e-3, 90, 0.993_577_541_350_611_5),
  ])
  func agreesWithAnotherLibrary(_ x: Double, _ a: Double, _ b: Double, _ expected: Double) {
    #expect(abs(IncompleteBeta.regularized(x, a, b) / expected - 1) < 1e-11)
    #expect(abs(IncompleteBeta.regularized(1 - x, b, a) - (1 - expected)) < 1e-11)
  }

  @Test func anEvenDistributionIsItsArgument() {
    for x in [0.0, 0.1, 0.5, 0.9, 1] {
      #expect(abs(IncompleteBeta.regularized(x, 1, 1) - x) < 1e-14)
    }
  }

  @Test func endsAreExact() {
    #expect(IncompleteBeta.regularized(0, 2, 3) == 0)
    #expect(IncompleteBeta.regularized(1, 2, 3) == 1)
    #expect(IncompleteBeta.regularized(-0.1, 2, 3) == 0)
    #expect(IncompleteBeta.regularized(1.1, 2, 3) == 1)
  }

  @Test func percentilesAreTheInverse() throws {
    #expect(abs(BetaRates.standard.percentile(0.99) - 0.356_911_911_861_6) < 1e-10)
    #expect(abs(BetaRates.standard.percentile(0.5) - 0.002_973_760_836_58) < 1e-12)
    // The lamb at the 99th percentile of FMR 2e-5 with a correlation of 1 %.
    let lambs = try BetaRates(mean: 2e-5, correlation: 0.01)
    #expect(abs(lambs.percentile(0.99) / 3.578_183_681_58e-5 - 1) < 1e-8)
    for share in [0.01, 0.5, 0.9, 0.999] {
      let rate = BetaRates.standard.percentile(share)
      #expect(abs(BetaRates.standard.cumulative(rate) - share) < 1e-12)
    }
  }
}
