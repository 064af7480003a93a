import LocalAuthSensor

/// Events among trials that belong to people: what one person's trials have in common makes the rate less
/// certain than as many trials of as many people.
public struct ClusteredRate: Hashable, Sendable {
  /// The people.
  public private(set) var people: UInt64 = 0
  /// The events of all of them.
  public private(set) var events: UInt64 = 0
  /// The trials of all of them.
  public private(set) var trials: UInt64 = 0
  // Whole numbers, so that the order of merging changes nothing.
  private var eventsSquared: UInt128 = 0
  private var trialsSquared: UInt128 = 0
  private var products: UInt128 = 0

  /// No people.
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

  /// Events a trial; 0 without any trial.
  public var rate: Double { trials > 0 ? Double(events) / Double(trials) : 0 }

  /// The variance of ``rate``, by how people differ: the ratio estimator of cluster sampling (Cochran, "Sampling
  /// Techniques", 1977, section 6.4).
  public var variance: Double {
    guard people > 1, trials > 0 else { return 0 }
    let m = Double(people)
    let residual =
      Double(eventsSquared) - 2 * rate * Double(products) + rate * rate * Double(trialsSquared)
    return max(0, m / (m - 1) * residual / (Double(trials) * Double(trials)))
  }

  /// How many independent trials would say as much; of what happened never or always, a trial a person, for
  /// nobody knows then how people differ.
  public var effectiveTrials: Double {
    guard trials > 0 else { return 0 }
    guard events > 0, events < trials else { return Double(min(people, trials)) }
    guard variance > 0 else { return Double(trials) }
    return min(Double(trials), rate * (1 - rate) / variance)
  }

  /// Wilson's interval of a share, with the trials that count.
  public func shareInterval(confidence: Double = 0.95) -> ClosedRange<Double> {
    Proportion.interval(share: rate, trials: effectiveTrials, confidence: confidence)
  }

  /// The interval of a mean that may exceed 1, by the normal distribution; with no event at all, up to what
  /// nothing among these people bounds it by.
  public func meanInterval(confidence: Double = 0.95) -> ClosedRange<Double> {
    guard events > 0 else {
      let bound = Proportion(successes: 0, trials: people).upperBound(confidence: confidence)
      return 0...(trials > 0 ? bound * Double(people) / Double(trials) : bound)
    }
    let half = StandardNormal.upperQuantile((1 - confidence) / 2) * variance.squareRoot()
    return max(0, rate - half)...(rate + half)
  }
}
