import CLocalAuthMath
import LocalAuthSensor

/// Student's t-distribution: a mean over its estimated standard error.
enum StudentT {
  /// The value that is exceeded with probability `q` at most one half, by bisection.
  static func upperQuantile(_ q: Double, freedom: Double) -> Double {
    guard freedom < 1e6 else { return StandardNormal.upperQuantile(q) }
    // t grows as the share of the Beta distribution falls: P(|T| > t) = I_x(f / 2, 1 / 2) at
    // x = f / (f + t^2) (DLMF 8.17, Abramowitz and Stegun 26.7.1).
    var (low, high) = (0.0, 1.0)
    for _ in 0..<200 {
      let middle = 0.5 * (low + high)
      if IncompleteBeta.regularized(middle, freedom / 2, 0.5) < 2 * q {
        low = middle
      } else {
        high = middle
      }
    }
    let x = 0.5 * (low + high)
    return (freedom * (1 - x) / x).squareRoot()
  }
}
