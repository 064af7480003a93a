import CLocalAuthMath

extension EventStream {
  /// Returns a number from the Beta distribution, as the share of one gamma variate in two.
  ///
  /// It uses logarithms, because with a small parameter a variate is often below the least Double.
  public mutating func beta(_ alpha: Double, _ beta: Double) -> Double {
    let first = logGamma(alpha)
    let second = logGamma(beta)
    return 1 / (1 + la_exp(second - first))
  }

  /// Returns the logarithm of a gamma variate.
  ///
  /// It uses the method of Marsaglia and Tsang (ACM TOMS 26, 2000), and for a shape below 1 their
  /// Gamma(a) = Gamma(a + 1) U^(1/a).
  private mutating func logGamma(_ shape: Double) -> Double {
    guard shape >= 1 else { return logGamma(shape + 1) + la_log(uniform()) / shape }
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let root = 1 + c * x
      guard root > 0 else { continue }
      let logV = 3 * la_log(root)
      if la_log(uniform()) < 0.5 * x * x + d * (1 - root * root * root + logV) {
        return la_log(d) + logV
      }
    }
  }
}
