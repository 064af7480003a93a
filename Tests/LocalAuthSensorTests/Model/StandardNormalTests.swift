import LocalAuthSensor
import Testing

@Suite struct StandardNormalTests {
  /// Values to 17 digits by an arbitrary-precision library; those for 0.5 and 1 are in any table.
  @Test(arguments: [
    (-20.0, 2.753_624_118_606_233_695e-89), (-10, 7.619_853_024_160_526_066e-24),
    (-7.034_483_825_301_131, 1.000_000_000_000_004_827e-12), (-5, 2.866_515_718_791_939_118e-7),
    (-1, 0.158_655_253_931_457_05), (0, 0.5), (0.5, 0.691_462_461_274_013_12),
    (3, 0.998_650_101_968_369_9),
  ])
  func cumulativeKeepsItsTails(_ x: Double, _ expected: Double) {
    #expect(abs(StandardNormal.cumulative(x) / expected - 1) < 1e-13)
    #expect(abs(StandardNormal.survival(-x) / expected - 1) < 1e-13)
  }

  @Test(arguments: [
    (1e-300, -37.047_096_299_361_199), (1e-100, -21.273_453_560_965_324),
    (1e-20, -9.262_340_089_798_407_6), (1e-12, -7.034_483_825_301_131_9),
    (1e-9, -5.997_807_015_007_686_9), (2e-5, -4.107_479_654_586_249_3),
    (0.01, -2.326_347_874_040_841_1), (0.025, -1.959_963_984_540_054_2),
    (0.2, -0.841_621_233_572_914_2), (0.425, -0.189_118_426_272_792_5), (0.5, 0),
  ])
  func quantilesArePublishedOnes(_ p: Double, _ expected: Double) {
    #expect(abs(StandardNormal.quantile(p) - expected) <= abs(expected) * 1e-15)
    #expect(StandardNormal.upperQuantile(p) == -StandardNormal.quantile(p))
  }

  @Test func quantileIsTheInverseFromOneTailToTheOther() {
    for step in -600...600 {
      let x = Double(step) / 50
      let back =
        x < 0
        ? StandardNormal.quantile(StandardNormal.cumulative(x))
        : StandardNormal.upperQuantile(StandardNormal.survival(x))
      #expect(abs(back - x) < 1e-12, "\(x)")
    }
  }

  @Test func quantileRisesWhereItsFormulasMeet() {
    // The formulas change at 0.075 and at exp(-25).
    for seam in [0.075, 1.388_794_386_496_402_1e-11] {
      var last = -Double.infinity
      for step in -50...50 {
        let value = StandardNormal.quantile(seam * (1 + Double(step) * 1e-12))
        #expect(value >= last)
        last = value
      }
    }
  }

  @Test func endsAreInfiniteAndTheRestIsNoNumber() {
    #expect(StandardNormal.quantile(0) == -.infinity)
    #expect(StandardNormal.quantile(1) == .infinity)
    for p in [-0.1, 1.1, Double.nan, .infinity, -.infinity] {
      #expect(StandardNormal.quantile(p).isNaN, "\(p)")
    }
    #expect(StandardNormal.cumulative(.infinity) == 1)
    #expect(StandardNormal.cumulative(-.infinity) == 0)
    #expect(StandardNormal.cumulative(.nan).isNaN)
  }

  @Test func densityIsTheSlope() {
    for x in [-3.0, -1, 0, 0.7, 2] {
      let slope =
        (StandardNormal.cumulative(x + 1e-5) - StandardNormal.cumulative(x - 1e-5)) / 2e-5
      #expect(abs(slope - StandardNormal.density(x)) < 1e-9)
    }
  }
}
