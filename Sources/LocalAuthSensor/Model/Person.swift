/// One person at one sensor: the distribution of their fingers' scores.
public struct Person: Hashable, Sendable {
  /// The distance from the threshold to the mean score, in standard deviations; positive if above.
  public let margin: Double
  /// The standard deviation of the scores.
  public let deviation: Double

  /// Creates a person with this distribution of scores.
  public init(margin: Double, deviation: Double) {
    self.margin = margin
    self.deviation = deviation
  }

  /// Creates the person with this miss rate in reference conditions.
  public init(miss: Double) {
    self.init(margin: StandardNormal.upperQuantile(miss), deviation: 1)
  }

  /// The miss rate in reference conditions, over all fingers.
  public var miss: Double { EnrolledFinger(margin: margin, noise: deviation).miss() }

  /// Enrols one of the person's fingers.
  public func finger(_ effects: ScoreEffects, using stream: inout EventStream) -> EnrolledFinger {
    let effect = effects.fingerShare.squareRoot() * deviation * stream.normal()
    return EnrolledFinger(
      margin: margin + effect,
      noise: (1 - effects.fingerShare).squareRoot() * deviation
    )
  }
}

/// One enrolled finger: the distribution of its presentations' scores.
public struct EnrolledFinger: Hashable, Sendable {
  /// The distance from the threshold to the mean score in reference conditions, in standard
  /// deviations.
  public let margin: Double
  /// The standard deviation of the scores.
  public let noise: Double

  /// Creates a finger with this distribution of scores.
  public init(margin: Double, noise: Double) {
    self.margin = margin
    self.noise = noise
  }

  /// Draws the score of one presentation relative to the threshold; negative if below.
  public func score(shift: Double = 0, using stream: inout EventStream) -> Double {
    margin + shift + noise * stream.normal()
  }

  /// Returns the miss rate when conditions shift the scores by `shift`.
  public func miss(shift: Double = 0) -> Double {
    // Without noise a finger always matches or always misses.
    guard noise > 0 else { return margin + shift < 0 ? 1 : 0 }
    return StandardNormal.cumulative(-(margin + shift) / noise)
  }
}
