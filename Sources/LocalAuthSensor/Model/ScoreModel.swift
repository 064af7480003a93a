/// The distribution of a matcher's scores: the probit model.
///
/// Scores are in standard deviations. Impostors have mean 0; genuine people have mean
/// ``separation`` in reference conditions. A comparison matches if its score reaches ``threshold``:
///
///     s = d' + user + finger + beta_Q (Q - 50) / 25 - beta_A years + m(finger state) + noise
///
/// User, finger and noise together have deviation 1, so FMR(t) = 1 - Phi(t) and
/// FNMR(t) = Phi(t - d'). A finger's rate is its mean over the states that the finger is in: see
/// ``EnrolledFinger/calibrated(_:_:)``. Normal tails are an assumption; measurements of a reader in
/// the far tail take precedence.
public struct ScoreModel: Hashable, Sendable {
  /// d'.
  public let separation: Double
  /// The lowest score that matches.
  public let threshold: Double
  /// The other effects on a genuine score.
  public var effects: ScoreEffects

  private init(separation: Double, threshold: Double) {
    self.separation = separation
    self.threshold = threshold
    effects = .standard
  }

  /// Creates the model whose threshold has this false match rate.
  public init(separation: Double, falseMatch: Double) throws(ModelError) {
    guard separation > 0, separation.isFinite else { throw .noSeparation(separation) }
    let rate = try ModelError.openProbability(falseMatch, "FMR")
    self.init(separation: separation, threshold: StandardNormal.upperQuantile(rate))
  }

  /// Creates the model whose threshold has this false non-match rate.
  public init(separation: Double, falseNonMatch: Double) throws(ModelError) {
    guard separation > 0, separation.isFinite else { throw .noSeparation(separation) }
    let rate = try ModelError.openProbability(falseNonMatch, "FNMR")
    self.init(
      separation: separation,
      threshold: separation - StandardNormal.upperQuantile(rate)
    )
  }

  /// Creates the model with these rates.
  public init(_ point: OperatingPoint) {
    self.init(
      separation: point.separation,
      threshold: StandardNormal.upperQuantile(point.falseMatch)
    )
  }

  /// d' of 6.17 at an FMR of 1/50 000, which gives an FNMR of 2.0 %.
  ///
  /// The d' is the mean over a reader's three published thresholds (Bioscrypt V-Smart); the FMR is
  /// what Apple and Android's Class 3 promise for one print.
  public static let standard = ScoreModel(
    separation: 6.17,
    threshold: StandardNormal.upperQuantile(2e-5)
  )

  /// FMR: the false match rate at the model's threshold, for one print.
  public var falseMatch: Double { falseMatch(at: threshold) }

  /// FNMR: the false non-match rate at the model's threshold, in reference conditions.
  public var falseNonMatch: Double { falseNonMatch(at: threshold) }

  /// Returns the FMR at `threshold`.
  public func falseMatch(at threshold: Double) -> Double { StandardNormal.survival(threshold) }

  /// Returns the FNMR at `threshold`.
  public func falseNonMatch(at threshold: Double) -> Double {
    StandardNormal.cumulative(threshold - separation)
  }

  /// The rate at which both errors are equal: Phi(-d' / 2).
  public var equalErrorRate: Double { StandardNormal.cumulative(-separation / 2) }

  /// Returns the same matcher with the threshold that has this false match rate.
  public func withFalseMatch(_ rate: Double) throws(ModelError) -> ScoreModel {
    var model = try ScoreModel(separation: separation, falseMatch: rate)
    model.effects = effects
    return model
  }

  /// The people this model describes: half of a score's variance is the person's own.
  ///
  /// That is the middle of 0.3 to 0.7; we know of no study that gives the number.
  public var population: Population {
    .probit(ProbitRates(unchecked: falseNonMatch, correlation: 0.5))
  }
}

/// The effects on genuine scores besides user and noise.
public struct ScoreEffects: Hashable, Sendable {
  /// The finger's share of the variance within a person, from 0 to 1; 0 for lack of a source.
  public let fingerShare: Double
  /// beta_Q: deviations per 25 points of quality (NFIQ 2: 0 to 100, bands of 20).
  ///
  /// 0.2 is our own assumption; quality predicts scores weakly (Breebaart et al., EURASIP JASP
  /// 2009).
  public let quality: Double
  /// beta_A: deviations per year since enrolment.
  ///
  /// 0.05 is sqrt(0.09) divided by the deviation of 0 to 21 years, a period in which ageing was
  /// found to cause 9 % of the score variance (mnz.sl, article 497).
  public let ageing: Double
  /// m: how far a wet or dirty finger shifts a score, in deviations of that finger's noise.
  ///
  /// It is negative, but positive for optical sensors that a wet finger helps. -2.073 makes a finger
  /// that misses at 1 % when good miss at 40 %, z(0.01) - z(0.40), whoever it belongs to.
  public let impairment: Double

  private init(fingerShare: Double, quality: Double, ageing: Double, impaired: Double) {
    self.fingerShare = fingerShare
    self.quality = quality
    self.ageing = ageing
    impairment = impaired
  }

  /// Creates effects of these sizes.
  public init(
    fingerShare: Double = 0,
    quality: Double = 0.2,
    ageing: Double = 0.05,
    impairment: Double = ScoreEffects.standard.impairment
  ) throws(ModelError) {
    self.init(
      fingerShare: try ModelError.probability(fingerShare, "the finger's share"),
      quality: try ModelError.finite(quality, "the effect of quality"),
      ageing: try ModelError.finite(ageing, "the effect of ageing"),
      impaired: try ModelError.finite(impairment, "the effect of a wet finger")
    )
  }

  /// The miss rate of an impaired finger that misses at 1 % when it is good.
  public var impairedMiss: Double {
    StandardNormal.cumulative(StandardNormal.quantile(Self.goodMiss) - impairment)
  }

  /// Returns these effects with another ``impairedMiss``, above 0 and below 1.
  public func withImpairedMiss(_ rate: Double) throws(ModelError) -> ScoreEffects {
    let rate = try ModelError.openProbability(rate, "the misses of an impaired finger")
    return ScoreEffects(
      fingerShare: fingerShare,
      quality: quality,
      ageing: ageing,
      impaired: StandardNormal.quantile(Self.goodMiss) - StandardNormal.quantile(rate)
    )
  }

  private static let goodMiss = 0.01

  /// The effects with the values documented at each property.
  public static let standard = ScoreEffects(
    fingerShare: 0,
    quality: 0.2,
    ageing: 0.05,
    impaired: StandardNormal.quantile(0.01) - StandardNormal.quantile(0.40)
  )

  /// Returns the shift of a score in `conditions`, for a finger with this `noise`.
  public func shift(in conditions: CaptureConditions, noise: Double) -> Double {
    let steady = quality * (conditions.quality - 50) / 25 - ageing * conditions.years
    switch conditions.finger {
    case .good: return steady
    case .impaired: return steady + noise * impairment
    }
  }
}

/// The conditions of a presentation.
public struct CaptureConditions: Hashable, Sendable {
  /// The quality of the sample, 0 to 100 as in NFIQ 2.
  public var quality: Double
  /// The years since the finger was enrolled.
  public var years: Double
  /// The state of the finger.
  public var finger: FingerState

  /// Creates conditions; the defaults are the reference conditions, with a good finger.
  public init(quality: Double = 50, years: Double = 0, finger: FingerState = .good) {
    self.quality = quality
    self.years = years
    self.finger = finger
  }
}
