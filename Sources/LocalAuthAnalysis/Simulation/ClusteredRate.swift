import LocalAuthSensor

/// Events among trials that are grouped by person.
///
/// Trials of one person are correlated, so the rate is less certain than with as many independent
/// trials.
public struct ClusteredRate: Hashable, Sendable {
  /// The number of people.
  public private(set) var people: UInt64 = 0
  /// The events of all people.
  public private(set) var events: UInt64 = 0
  /// The trials of all people.
  public private(set) var trials: UInt64 = 0
  // Integers, so that the result does not depend on the order of merging.
  private var eventsSquared: UInt128 = 0
  private var trialsSquared: UInt128 = 0
  private var products: UInt128 = 0

  /// Creates a rate without people.
  public init() {}

  /// Adds a person with these counts.
  public mutating func add(events: UInt64, of trials: UInt64) {
    people += 1
    self.events += events
    self.trials += trials
    eventsSquared += UInt128(events) * UInt128(events)
    trialsSquared += UInt128(trials) * UInt128(trials)
    products += UInt128(events) * UInt128(trials)
  }

  /// Adds other people.
  public mutating func merge(_ other: ClusteredRate) {
    people += other.people
    events += other.events
    trials += other.trials
    eventsSquared += other.eventsSquared
    trialsSquared += other.trialsSquared
    products += other.products
  }

  /// Events per trial; 0 without trials.
  public var rate: Double { trials > 0 ? Double(events) / Double(trials) : 0 }

  /// The variance of ``rate`` between people, by the ratio estimator of cluster sampling (Cochran,
  /// "Sampling Techniques", 1977, section 6.4).
  public var variance: Double {
    guard people > 1, trials > 0 else { return 0 }
    let m = Double(people)
    let residual =
      Double(eventsSquared) - 2 * rate * Double(products) + rate * rate * Double(trialsSquared)
    return max(0, m / (m - 1) * residual / (Double(trials) * Double(trials)))
  }

  /// The number of independent trials with the same certainty.
  ///
  /// If the event happened never or always, the differences between people are unknown, so each
  /// person counts as one trial.
  public var effectiveTrials: Double {
    guard trials > 0 else { return 0 }
    guard events > 0, events < trials else { return Double(min(people, trials)) }
    guard variance > 0 else { return Double(trials) }
    return min(Double(trials), rate * (1 - rate) / variance)
  }

  /// Wilson's interval of a share, computed with the effective trials.
  public func shareInterval(confidence: Double = 0.95) -> ClosedRange<Double> {
    Proportion.interval(share: rate, trials: effectiveTrials, confidence: confidence)
  }

  /// The normal interval of a mean that may exceed 1.
  ///
  /// Without events, it extends to the upper bound for no events among these people.
  public func meanInterval(confidence: Double = 0.95) -> ClosedRange<Double> {
    guard events > 0 else {
      let bound = Proportion(successes: 0, trials: people).upperBound(confidence: confidence)
      return 0...(trials > 0 ? bound * Double(people) / Double(trials) : bound)
    }
    let half = StandardNormal.upperQuantile((1 - confidence) / 2) * variance.squareRoot()
    return max(0, rate - half)...(rate + half)
  }
}
