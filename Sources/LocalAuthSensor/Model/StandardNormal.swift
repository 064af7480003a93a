import CLocalAuthMath

/// The normal distribution with mean 0 and standard deviation 1: Phi, its inverse and its density.
///
/// Both tails keep their relative precision: `cumulative(-10)` is 7.6e-24, not 0.
public enum StandardNormal {
  /// Returns the probability of a value of at most `x`: Phi(x) = erfc(-x / sqrt 2) / 2.
  public static func cumulative(_ x: Double) -> Double { 0.5 * la_erfc(-x * inverseRootOfTwo) }

  /// Returns the probability of a value above `x`, without the cancellation of 1 - Phi(x).
  public static func survival(_ x: Double) -> Double { cumulative(-x) }

  /// Returns the density at `x`.
  public static func density(_ x: Double) -> Double {
    la_exp(-0.5 * x * x) * 0.398_942_280_401_432_678  // 1 / sqrt(2 pi)
  }

  /// Returns the value below which a share of `p` lies; infinite at 0 and 1, NaN outside.
  ///
  /// Algorithm AS 241, PPND16 (Wichura, Applied Statistics 37, 1988): three rational functions,
  /// accurate to about one part in 10^16 down to `p` = 1e-300. Near 1 the argument itself has lost
  /// the tail: use ``upperQuantile(_:)``.
  public static func quantile(_ p: Double) -> Double {
    let fromMiddle = p - 0.5
    if abs(fromMiddle) <= 0.425 {
      let r = 0.180625 - fromMiddle * fromMiddle
      return fromMiddle * ratio(centreNumerator, centreDenominator, r)
    }
    let tail = fromMiddle < 0 ? p : 1 - p
    guard tail > 0 else { return tail == 0 ? (fromMiddle < 0 ? -.infinity : .infinity) : .nan }
    let r = (-la_log(tail)).squareRoot()
    let size =
      r <= 5
      ? ratio(tailNumerator, tailDenominator, r - 1.6)
      : ratio(farTailNumerator, farTailDenominator, r - 5)
    return fromMiddle < 0 ? -size : size
  }

  /// Returns the value exceeded with probability `q`, precise for small `q`: z(1 - q).
  public static func upperQuantile(_ q: Double) -> Double { 0 - quantile(q) }

  private typealias Coefficients = InlineArray<8, Double>

  @inline(__always)
  private static func ratio(_ above: Coefficients, _ below: Coefficients, _ r: Double) -> Double {
    polynomial(above, r) / polynomial(below, r)
  }

  /// Evaluates a polynomial by Horner's scheme; the coefficients ascend.
  @inline(__always)
  private static func polynomial(_ c: Coefficients, _ r: Double) -> Double {
    ((((((c[7] * r + c[6]) * r + c[5]) * r + c[4]) * r + c[3]) * r + c[2]) * r + c[1]) * r + c[0]
  }

  private static let inverseRootOfTwo = 0.707_106_781_186_547_524

  private static let centreNumerator: Coefficients = [
    3.387_132_872_796_366_608_0, 1.331_416_678_917_843_774_5e2, 1.971_590_950_306_551_442_7e3,
    1.373_169_376_550_946_112_5e4, 4.592_195_393_154_987_145_7e4, 6.726_577_092_700_870_085_3e4,
    3.343_057_558_358_812_810_5e4, 2.509_080_928_730_122_672_7e3,
  ]
  private static let centreDenominator: Coefficients = [
    1, 4.231_333_070_160_091_125_2e1, 6.871_870_074_920_579_083_0e2,
    5.394_196_021_424_751_107_7e3, 2.121_379_430_158_659_586_7e4, 3.930_789_580_009_271_061_0e4,
    2.872_908_573_572_194_267_4e4, 5.226_495_278_852_854_561_0e3,
  ]
  private static let tailNumerator: Coefficients = [
    1.423_437_110_749_683_577_34, 4.630_337_846_156_545_295_90, 5.769_497_221_460_691_405_50,
    3.647_848_324_763_204_605_04, 1.270_458_252_452_368_382_58, 2.417_807_251_774_506_117_70e-1,
    2.272_384_498_926_918_458_33e-2, 7.745_450_142_783_414_076_40e-4,
  ]
  private static let tailDenominator: Coefficients = [
    1, 2.053_191_626_637_758_821_87, 1.676_384_830_183_803_849_40,
    6.897_673_349_851_000_045_50e-1, 1.481_039_764_274_800_745_90e-1,
    1.519_866_656_361_645_719_66e-2, 5.475_938_084_995_344_946_00e-4,
    1.050_750_071_644_416_843_24e-9,
  ]
  private static let farTailNumerator: Coefficients = [
    6.657_904_643_501_103_777_20, 5.463_784_911_164_114_369_90, 1.784_826_539_917_291_335_80,
    2.965_605_718_285_048_912_30e-1, 2.653_218_952_657_612_309_30e-2,
    1.242_660_947_388_078_438_60e-3, 2.711_555_568_743_487_578_15e-5,
    2.010_334_399_292_288_132_65e-7,
  ]
  private static let farTailDenominator: Coefficients = [
    1, 5.998_322_065_558_879_376_90e-1, 1.369_298_809_227_358_053_10e-1,
    1.487_536_129_085_061_485_25e-2, 7.868_691_311_456_132_591_00e-4,
    1.846_318_317_510_054_681_80e-5, 1.421_511_758_316_445_888_70e-7,
    2.044_263_103_389_939_785_64e-15,
  ]
}
