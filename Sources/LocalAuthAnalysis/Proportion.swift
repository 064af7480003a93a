import LocalAuthSensor

/// Successes among trials, and estimates of the rate behind them.
public struct Proportion: Hashable, Sendable {
  /// The number of successes.
  public var successes: UInt64
  /// The number of trials.
  public var trials: UInt64

  /// Creates a proportion; successes in excess of the trials are dropped.
  public init(successes: UInt64, trials: UInt64) {
    self.successes = min(successes, trials)
    self.trials = trials
  }

  /// The share of successes; 0 without trials.
  public var share: Double { trials > 0 ? Double(successes) / Double(trials) : 0 }

  /// Wilson's interval (JASA 22, 1927) at this confidence; 0 to 1 without trials.
  ///
  /// It assumes independent trials; for several attempts per person use ``ClusteredRate``.
  public func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    Self.interval(
      share: share,
      trials: Double(trials),
      quantile: StandardNormal.upperQuantile((1 - confidence) / 2)
    )
  }

  static func interval(
    share: Double,
    trials n: Double,
    quantile z: Double
  ) -> ClosedRange<Double> {
    guard n > 0 else { return 0...1 }
    let centre = share + z * z / (2 * n)
    let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    let scale = 1 + z * z / n
    let low = share == 0 ? 0 : max(0, (centre - half) / scale)
    let high = share == 1 ? 1 : min(1, (centre + half) / scale)
    return low...high
  }

  /// The lower end of the exact interval at this confidence (Clopper and Pearson, Biometrika 26,
  /// 1934), also for numbers of successes and trials that are not whole.
  static func lowerBound(share: Double, trials: Double, confidence: Double) -> Double {
    let successes = share * trials
    guard successes > 0 else { return 0 }
    var (low, high) = (0.0, share)
    while true {
      let middle = 0.5 * (low + high)
      guard middle > low, middle < high else { return middle }
      let above = IncompleteBeta.regularized(middle, successes, trials - successes + 1)
      if above < (1 - confidence) / 2 { low = middle } else { high = middle }
    }
  }

  /// The exact upper confidence bound of the rate (Clopper and Pearson 1934).
  ///
  /// With no successes in n trials it is about 3 / n at 95 %, the rule of three.
  public func upperBound(confidence: Double = 0.95) -> Double {
    guard successes < trials else { return 1 }
    if successes == 0 { return Chance.each(of: trials, any: confidence) }
    var (low, high) = (share, 1.0)
    while true {
      let middle = 0.5 * (low + high)
      guard middle > low, middle < high else { return middle }
      if atMost(rate: middle) > 1 - confidence { low = middle } else { high = middle }
    }
  }

  /// The probability of at most as many successes as observed if the true rate is `rate`.
  public func atMost(rate: Double) -> Double {
    guard successes < trials else { return 1 }
    return IncompleteBeta.regularized(
      1 - rate,
      Double(trials - successes),
      Double(successes) + 1
    )
  }

  /// The probability of at least as many successes as observed if the true rate is `rate`.
  public func atLeast(rate: Double) -> Double {
    guard successes > 0 else { return 1 }
    return IncompleteBeta.regularized(rate, Double(successes), Double(trials - successes) + 1)
  }

  /// The exact two-sided binomial test: the probability of a result at least as extreme if the true
  /// rate is `rate`.
  public func pValue(rate: Double) -> Double {
    min(1, 2 * min(atMost(rate: rate), atLeast(rate: rate)))
  }
}
