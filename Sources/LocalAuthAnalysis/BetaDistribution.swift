import CLocalAuthMath
public import LocalAuthSensor

/// The regularized incomplete beta function, which gives shares of a Beta distribution and tails of
/// a binomial one.
public enum IncompleteBeta {
  /// I_x(a, b) for positive `a` and `b`.
  public static func regularized(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    let scale = la_exp(
      la_log_gamma(a + b) - la_log_gamma(a) - la_log_gamma(b) + a * la_log(x) + b * la_log1p(-x)
    )
    // The fraction converges fast below the mean; above it, use the complement.
    return x < (a + 1) / (a + b + 2)
      ? scale * fraction(x, a, b) / a
      : 1 - scale * fraction(1 - x, b, a) / b
  }

  /// The continued fraction of DLMF 8.17.22, by Lentz's method as modified by Thompson and Barnett.
  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func away(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / away(1 - (a + b) * x / (a + 1))
    var value = d
    for step in 1...100_000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / away(1 + even * d)
      c = away(1 + even / c)
      value *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / away(1 + odd * d)
      c = away(1 + odd / c)
      value *= d * c
      if abs(d * c - 1) < 1e-15 { break }
    }
    return value
  }
}

extension BetaRates {
  /// The share of people whose rate is at most `rate`.
  public func cumulative(_ rate: Double) -> Double {
    IncompleteBeta.regularized(rate, alpha, beta)
  }

  /// The rate that this share of people does not exceed, by bisection.
  ///
  /// At 0.99 it is the rate at which the worst target in a hundred is matched.
  public func percentile(_ share: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = 0.5 * (low + high)
      guard middle > low, middle < high else { return middle }
      if cumulative(middle) < share { low = middle } else { high = middle }
    }
  }
}
