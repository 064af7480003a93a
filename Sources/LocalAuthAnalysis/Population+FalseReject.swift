public import LocalAuthSensor

extension Population {
  /// E[p^k]: how often `attempts` attempts of one person all miss, over all people.
  public func falseReject(attempts: UInt64) -> Double {
    switch self {
    case .probit(let rates): rates.falseReject(attempts: attempts)
    case .mixture(let mixture): mixture.falseReject(attempts: attempts)
    case .beta(let rates): rates.allSucceed(attempts: attempts)
    }
  }

  /// How often the attempt after `misses` misses in a row misses too: E[p^(j+1)] / E[p^j].
  ///
  /// It rises with each miss, for whoever missed is likely a goat.
  public func hazard(after misses: UInt64) -> Double {
    let before = falseReject(attempts: misses)
    return before > 0 ? falseReject(attempts: misses + 1) / before : 0
  }

  /// The mean miss rate.
  public var mean: Double { falseReject(attempts: 1) }

  /// How much likelier `attempts` misses in a row are than if everybody had the mean miss rate.
  public func excess(attempts: UInt64) -> Double {
    let alike = Chance.all(of: attempts, each: mean)
    return alike > 0 ? falseReject(attempts: attempts) / alike : 1
  }

  /// E[(b + (1 - b) p)^k]: the same, where a finger is taken for a fake with probability `b` and that
  /// counts as a miss.
  public func falseReject(attempts: UInt64, takenForFake b: Double) -> Double {
    var sum = 0.0
    var choices = 1.0
    for misses in 0...attempts {
      let fakes = Chance.all(of: attempts - misses, each: b)
      let others = Chance.all(of: misses, each: 1 - b)
      sum += choices * fakes * others * falseReject(attempts: misses)
      choices *= Double(attempts - misses) / Double(misses + 1)
    }
    return sum
  }
}

extension GoatMixture {
  /// w p_goat^k + (1 - w) p_sheep^k.
  func falseReject(attempts: UInt64) -> Double {
    goats * Chance.all(of: attempts, each: goatMiss)
      + (1 - goats) * Chance.all(of: attempts, each: sheepMiss)
  }
}

extension BetaRates {
  /// That `attempts` attempts of one person all have what the rate is of: the product over j < k of
  /// (alpha + j) / (alpha + beta + j).
  public func allSucceed(attempts: UInt64) -> Double {
    (0..<attempts).reduce(1) { product, j in
      product * (alpha + Double(j)) / (alpha + beta + Double(j))
    }
  }

  /// That at least one of them has: 1 - the product over j < k of (beta + j) / (alpha + beta + j).
  ///
  /// Of impostors against lambs and others it is at most k q: correlation lowers the population's FAR and
  /// raises the worst pair's.
  public func anySucceeds(attempts: UInt64) -> Double {
    // Each step adds what the step before left, so that small rates keep their precision.
    var (some, none) = (0.0, 1.0)
    for j in 0..<attempts {
      let succeeds = alpha / (alpha + beta + Double(j))
      some += none * succeeds
      none *= 1 - succeeds
    }
    return some
  }
}

extension ProbitRates {
  /// E_u[Phi((z(p) - sqrt(rho) u) / sqrt(1 - rho))^k] over normal u.
  ///
  /// By the trapezoidal rule, which converges geometrically on what the normal density cuts off: with steps of
  /// 1/128 to 13 deviations it is exact to ten digits up to correlations of 0.999. Gauss-Hermite needs a
  /// table and is worse where the correlation is high and the integrand steep.
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
