/// One person before one sensor: where the scores of their fingers lie.
public struct Person: Hashable, Sendable {
  /// How far the mean of the scores lies above the threshold, in standard deviations.
  public let margin: Double
  /// The deviation of the scores about that mean.
  public let deviation: Double

  /// The person whose scores lie there.
  public init(margin: Double, deviation: Double) {
    self.margin = margin
    self.deviation = deviation
  }

  /// The person who misses at this rate in reference conditions.
  public init(miss: Double) {
    self.init(margin: StandardNormal.upperQuantile(miss), deviation: 1)
  }

  /// How often the person misses in reference conditions, over all fingers.
  public var miss: Double { EnrolledFinger(margin: margin, noise: deviation).miss() }

  /// One of the person's fingers, enrolled.
  public func finger(_ effects: ScoreEffects, using stream: inout EventStream) -> EnrolledFinger {
    let effect = effects.fingerShare.squareRoot() * deviation * stream.normal()
    return EnrolledFinger(
      margin: margin + effect,
      noise: (1 - effects.fingerShare).squareRoot() * deviation
    )
  }
}

/// One enrolled finger: where the scores of its presentations lie.
public struct EnrolledFinger: Hashable, Sendable {
  /// How far their mean lies above the threshold in reference conditions, in standard deviations.
  public let margin: Double
  /// Their deviation.
  public let noise: Double

  /// The finger whose scores lie there.
  public init(margin: Double, noise: Double) {
    self.margin = margin
    self.noise = noise
  }

  /// How far above the threshold one presentation scores, or how far below where negative.
  public func score(shift: Double = 0, using stream: inout EventStream) -> Double {
    margin + shift + noise * stream.normal()
  }

  /// How often it misses when conditions move its scores by `shift`.
  public func miss(shift: Double = 0) -> Double {
    // Without noise a finger always matches or always misses.
    guard noise > 0 else { return margin + shift < 0 ? 1 : 0 }
    return StandardNormal.cumulative(-(margin + shift) / noise)
  }
}
