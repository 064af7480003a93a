import CLocalAuthMath

/// Probabilities of repeated chances, which keep their precision where 1 - (1 - q)^n would lose it.
public enum Chance {
  /// That at least one of `count` chances of probability `each` succeeds: 1 - (1 - q)^n.
  public static func any(of count: UInt64, each: Double) -> Double {
    guard count > 0 else { return 0 }
    return -la_expm1(Double(count) * la_log1p(-each))
  }

  /// The probability of each of `count` chances of which at least one succeeds with probability `any`:
  /// 1 - (1 - F)^(1/n).
  public static func each(of count: UInt64, any: Double) -> Double {
    guard count > 0 else { return 0 }
    return -la_expm1(la_log1p(-any) / Double(count))
  }

  /// `probability` to the power of `count`.
  public static func all(of count: UInt64, each probability: Double) -> Double {
    var (power, base, left) = (1.0, probability, count)
    while left > 0 {
      if left & 1 == 1 { power *= base }
      base *= base
      left >>= 1
    }
    return power
  }
}
