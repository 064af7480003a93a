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
  /// deviations; of a calibrated finger while it is good.
  public let margin: Double
  /// The standard deviation of the scores.
  public let noise: Double

  /// Creates a finger with this distribution of scores.
  public init(margin: Double, noise: Double) {
    self.margin = margin
    self.noise = noise
  }

  /// Returns the finger whose miss rate, averaged over the states of `process`, is what this one's is
  /// without any state.
  ///
  /// Published rates are means over presentations as they come, wet fingers included. A finger is
  /// therefore better while it is good, and worse while it is impaired.
  public func calibrated(_ process: FingerStateProcess, _ effects: ScoreEffects) -> EnrolledFinger {
    let shift = effects.impairment
    let share = process.impairedShare
    let stated = margin / noise
    guard share > 0, shift != 0, noise > 0, stated.isFinite else { return self }
    func miss(_ good: Double) -> Double {
      (1 - share) * StandardNormal.cumulative(-good)
        + share * StandardNormal.cumulative(-good - shift)
    }
    let wanted = StandardNormal.cumulative(-stated)
    var (low, high) = (stated + min(0, -shift), stated + max(0, -shift))
    while true {
      let middle = 0.5 * (low + high)
      guard middle > low, middle < high else {
        return EnrolledFinger(margin: middle * noise, noise: noise)
      }
      if miss(middle) > wanted { low = middle } else { high = middle }
    }
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
