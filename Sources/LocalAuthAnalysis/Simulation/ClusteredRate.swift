import LocalAuthSensor

/// Events among trials that are grouped by person, and people by stratum.
///
/// Trials of one person are correlated, so the rate is less certain than with as many independent
/// trials.
public struct ClusteredRate: Hashable, Sendable {
  /// Integers, so that the result does not depend on the order of merging.
  fileprivate struct Sums: Hashable, Sendable {
    /// The stratum's share of all people.
    let share: Double
    var people: UInt64 = 0
    var events: UInt64 = 0
    var trials: UInt64 = 0
    var eventsSquared: UInt128 = 0
    var trialsSquared: UInt128 = 0
    var products: UInt128 = 0
  }

  private var strata: [UInt32: Sums] = [:]

  /// Creates a rate without people.
  public init() {}

  /// Adds a person of `stratum` with these counts.
  public mutating func add(
    events: UInt64,
    of trials: UInt64,
    in stratum: PeopleSample.Stratum = .everybody
  ) {
    var sums = Sums(share: stratum.share)
    sums.people = 1
    sums.events = events
    sums.trials = trials
    sums.eventsSquared = UInt128(events) * UInt128(events)
    sums.trialsSquared = UInt128(trials) * UInt128(trials)
    sums.products = UInt128(events) * UInt128(trials)
    strata[stratum.number, default: Sums(share: stratum.share)].add(sums)
  }

  /// Adds other people.
  public mutating func merge(_ other: ClusteredRate) {
    for (number, sums) in other.strata {
      strata[number, default: Sums(share: sums.share)].add(sums)
    }
  }

  /// The number of people.
  public var people: UInt64 { strata.values.reduce(0) { $0 + $1.people } }
  /// The events of all people of the sample.
  public var events: UInt64 { strata.values.reduce(0) { $0 + $1.events } }
  /// The trials of all people of the sample.
  public var trials: UInt64 { strata.values.reduce(0) { $0 + $1.trials } }

  /// Events per trial, with each stratum's share of all people; 0 without trials.
  public var rate: Double { Estimate(ordered).rate }

  /// In one order, because sums of floating-point numbers depend on it.
  private var ordered: [Sums] { strata.sorted { $0.key < $1.key }.map(\.value) }

  /// The interval of a share; nil for fewer than two people.
  ///
  /// It is Wilson's (JASA 22, 1927) with as many trials as give the variance between people, and
  /// Student's quantile. If there are few events, the lower bound is that of Clopper and Pearson
  /// (Biometrika 26, 1934), which is lower then.
  public func shareInterval(confidence: Double = 0.95) -> ClosedRange<Double>? {
    guard people > 1 else { return nil }
    guard trials > 0 else { return 0...1 }
    let estimate = Estimate(ordered)
    // If it happened never or always, each person says as much as one trial.
    guard 0 < estimate.rate, events < trials, estimate.variance > 0 else {
      return Proportion.interval(
        share: estimate.rate,
        trials: Double(min(people, trials)),
        quantile: StandardNormal.upperQuantile((1 - confidence) / 2)
      )
    }
    let trials = estimate.rate * (1 - estimate.rate) / estimate.variance
    let interval = Proportion.interval(
      share: estimate.rate,
      trials: trials,
      quantile: estimate.quantile(confidence)
    )
    let low = Proportion.lowerBound(share: estimate.rate, trials: trials, confidence: confidence)
    return min(interval.lowerBound, low)...interval.upperBound
  }

  /// The same for a mean that may exceed 1, whose variance grows with it; nil for fewer than two
  /// people.
  ///
  /// Without events, it extends to the upper bound for no events among these people.
  public func meanInterval(confidence: Double = 0.95) -> ClosedRange<Double>? {
    guard people > 1 else { return nil }
    guard events > 0 else {
      let bound = Proportion(successes: 0, trials: people).upperBound(confidence: confidence)
      return 0...(trials > 0 ? bound * Double(people) / Double(trials) : bound)
    }
    let estimate = Estimate(ordered)
    let rate = estimate.rate
    let quantile = estimate.quantile(confidence)
    let spread = quantile * quantile * estimate.variance / (2 * rate)
    let half = (spread * (2 * rate + spread)).squareRoot()
    // A mean of rare events is a share of so many trials that nothing else changes.
    let few = estimate.variance > 0 ? rate * rate / estimate.variance : .infinity
    let low =
      few < 1e4
      ? Proportion.lowerBound(share: 1e-9, trials: few * 1e9, confidence: confidence) * 1e9 * rate
      : rate
    return max(0, min(low, rate + spread - half))...(rate + spread + half)
  }

  /// The rate, how uncertain it is, and how certain that is.
  private struct Estimate {
    var rate = 0.0
    var variance = 0.0
    /// The degrees of freedom of the variance.
    var freedom = 1.0

    /// Student's quantile of a two-sided interval.
    func quantile(_ confidence: Double) -> Double {
      StudentT.upperQuantile((1 - confidence) / 2, freedom: freedom)
    }

    /// The ratio estimator of stratified cluster sampling (Cochran, "Sampling Techniques", 1977,
    /// sections 5.4 and 6.4), with Satterthwaite's degrees of freedom (Biometrics Bulletin 2, 1946).
    init(_ strata: [Sums]) {
      let strata = strata.filter { $0.people > 0 }
      let events = strata.reduce(0) { $0 + $1.mean($1.events) }
      let trials = strata.reduce(0) { $0 + $1.mean($1.trials) }
      guard trials > 0 else { return }
      let rate = events / trials
      self.rate = rate
      var squares = 0.0
      // The trials of strata without events, by their shares and in the sample.
      var (quiet, silent) = (0.0, 0 as UInt64)
      for sums in strata {
        let part = sums.variance(around: rate) / (trials * trials)
        variance += part
        if sums.events == 0 {
          quiet += sums.mean(sums.trials)
          silent += sums.trials
        }
        // The square of an estimate with f degrees of freedom is too large by (f + 2) / f.
        squares += part * part / (max(1, Double(sums.people) - 1) + 2)
      }
      // What happened to nobody of some strata may have happened to one of them.
      if silent > 0 {
        let once = quiet / Double(silent) / trials
        variance += once * once
      }
      if squares > 0 { freedom = max(1, variance * variance / squares - 2) }
    }
  }
}

extension ClusteredRate.Sums {
  fileprivate mutating func add(_ other: Self) {
    people += other.people
    events += other.events
    trials += other.trials
    eventsSquared += other.eventsSquared
    trialsSquared += other.trialsSquared
    products += other.products
  }

  /// The part of the mean of all people.
  fileprivate func mean(_ sum: UInt64) -> Double { share * Double(sum) / Double(people) }

  /// The variance of the part of all people's residuals: events less what `rate` expects.
  fileprivate func variance(around rate: Double) -> Double {
    let people = Double(people)
    let squares =
      Double(eventsSquared) - 2 * rate * Double(products) + rate * rate * Double(trialsSquared)
    let sum = Double(events) - rate * Double(trials)
    // One person alone is compared with the whole sample.
    let spread = people > 1 ? (squares - sum * sum / people) / (people - 1) : squares
    return share * share * max(spread, 0) / people
  }
}
