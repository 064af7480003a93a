import CLocalAuthMath

/// Probabilities of repeated chances, computed without the precision loss of 1 - (1 - q)^n.
public enum Chance {
  /// Returns the probability that at least one of `count` chances of `each` succeeds: 1 - (1 -
  /// q)^n.
  public static func any(of count: UInt64, each: Double) -> Double {
    guard count > 0 else { return 0 }
    return -la_expm1(Double(count) * la_log1p(-each))
  }

  /// Returns the probability of each of `count` chances if at least one succeeds with probability
  /// `any`: 1 - (1 - F)^(1/n).
  public static func each(of count: UInt64, any: Double) -> Double {
    guard count > 0 else { return 0 }
    return -la_expm1(la_log1p(-any) / Double(count))
  }

  /// Returns `probability` to the power of `count`.
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
