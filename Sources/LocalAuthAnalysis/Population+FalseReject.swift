public import LocalAuthSensor

extension Population {
  /// E[p^k]: the probability over all people that `attempts` attempts of one person all miss.
  public func falseReject(attempts: UInt64) -> Double {
    switch self {
    case .probit(let rates): rates.falseReject(attempts: attempts)
    case .mixture(let mixture): mixture.falseReject(attempts: attempts)
    case .beta(let rates): rates.allSucceed(attempts: attempts)
    }
  }

  /// The mean miss rate.
  public var mean: Double { falseReject(attempts: 1) }
}

extension GoatMixture {
  /// w p_goat^k + (1 - w) p_sheep^k.
  func falseReject(attempts: UInt64) -> Double {
    goats * Chance.all(of: attempts, each: goatMiss)
      + (1 - goats) * Chance.all(of: attempts, each: sheepMiss)
  }
}

extension BetaRates {
  /// The probability that the event of this rate happens in all `attempts` attempts of one person:
  /// the product over j < k of (alpha + j) / (alpha + beta + j).
  public func allSucceed(attempts: UInt64) -> Double {
    (0..<attempts).reduce(1) { product, j in
      product * (alpha + Double(j)) / (alpha + beta + Double(j))
    }
  }
}

extension ProbitRates {
  /// E_u[Phi((z(p) - sqrt(rho) u) / sqrt(1 - rho))^k] over normal u.
  ///
  /// Uses the trapezoidal rule, which converges geometrically for integrands damped by the normal
  /// density: with steps of 1/128 to 13 deviations it is exact to ten digits for correlations up to
  /// 0.999. Gauss-Hermite needs a table and is less accurate if the correlation is high and the
  /// integrand steep.
  func falseReject(attempts: UInt64) -> Double {
    guard attempts > 0 else { return 1 }
    guard correlation > 0 else { return Chance.all(of: attempts, each: miss) }
    guard correlation < 1 else { return miss }
    let centre = StandardNormal.quantile(miss)
    let user = correlation.squareRoot()
    let noise = (1 - correlation).squareRoot()
    var sum = 0.0
    for step in -1664...1664 {
      let u = Double(step) / 128
      let misses = StandardNormal.cumulative((centre - user * u) / noise)
      sum += StandardNormal.density(u) * Chance.all(of: attempts, each: misses)
    }
    return sum / 128
  }
}
