/// How a matcher's scores lie: the probit model.
///
/// Scores are in standard deviations. An impostor's have mean 0; a genuine person's have mean ``separation``
/// at the reference conditions, and a comparison matches from ``threshold`` on:
///
///     s = d' + user + finger + beta_Q (Q - 50) / 25 - beta_A years + m(finger state) + noise
///
/// Users, fingers and noise together have deviation 1, so FMR(t) = 1 - Phi(t) and FNMR(t) = Phi(t - d').
/// That both tails are normal is a choice; what is measured of a reader in the far tail goes before it.
public struct ScoreModel: Hashable, Sendable {
  /// d'.
  public let separation: Double
  /// The score from which on a comparison matches.
  public let threshold: Double
  /// What else moves a genuine score.
  public var effects: ScoreEffects

  private init(separation: Double, threshold: Double) {
    self.separation = separation
    self.threshold = threshold
    effects = .standard
  }

  /// The model whose threshold has this rate of false matches.
  public init(separation: Double, falseMatch: Double) throws(ModelError) {
    guard separation > 0, separation.isFinite else { throw .noSeparation(separation) }
    let rate = try ModelError.openProbability(falseMatch, "FMR")
    self.init(separation: separation, threshold: StandardNormal.upperQuantile(rate))
  }

  /// The model whose threshold has this rate of false non-matches.
  public init(separation: Double, falseNonMatch: Double) throws(ModelError) {
    guard separation > 0, separation.isFinite else { throw .noSeparation(separation) }
    let rate = try ModelError.openProbability(falseNonMatch, "FNMR")
    self.init(
      separation: separation,
      threshold: separation - StandardNormal.upperQuantile(rate)
    )
  }

  /// The model that has these rates.
  public init(_ point: OperatingPoint) {
    self.init(
      separation: point.separation,
      threshold: StandardNormal.upperQuantile(point.falseMatch)
    )
  }

  /// d' of 6.17, the mean of what a reader's three published thresholds give (Bioscrypt V-Smart), at FMR
  /// 1/50 000, what Apple and Android's class 3 promise for one print: FNMR 2.0 %.
  public static let standard = ScoreModel(
    separation: 6.17,
    threshold: StandardNormal.upperQuantile(2e-5)
  )

  /// FMR: the rate of false matches at the model's threshold, for one print.
  public var falseMatch: Double { falseMatch(at: threshold) }

  /// FNMR: the rate of false non-matches at the model's threshold, in reference conditions.
  public var falseNonMatch: Double { falseNonMatch(at: threshold) }

  /// FMR at `threshold`.
  public func falseMatch(at threshold: Double) -> Double { StandardNormal.survival(threshold) }

  /// FNMR at `threshold`.
  public func falseNonMatch(at threshold: Double) -> Double {
    StandardNormal.cumulative(threshold - separation)
  }

  /// The rate where both are equal: Phi(-d' / 2).
  public var equalErrorRate: Double { StandardNormal.cumulative(-separation / 2) }

  /// The same matcher with the threshold that has this rate of false matches.
  public func withFalseMatch(_ rate: Double) throws(ModelError) -> ScoreModel {
    var model = try ScoreModel(separation: separation, falseMatch: rate)
    model.effects = effects
    return model
  }

  /// The people whom this model describes: half of a score's variance is the person's own.
  ///
  /// That is the middle of 0.3 to 0.7; no study that we know gives the number.
  public var population: Population {
    .probit(ProbitRates(unchecked: falseNonMatch, correlation: 0.5))
  }
}

/// What moves genuine scores besides user and noise.
public struct ScoreEffects: Hashable, Sendable {
  /// How much of the variance within a person is the finger's own, from 0 to 1; 0, for want of a source.
  public let fingerShare: Double
  /// beta_Q: deviations a 25 points of quality (NFIQ 2: 0 to 100, bands of 20).
  ///
  /// 0.2 is ours; quality predicts scores weakly (Breebaart et al., EURASIP JASP 2009).
  public let quality: Double
  /// beta_A: deviations a year since enrolment.
  ///
  /// 0.05 is sqrt(0.09) over the deviation of 0 to 21 years, in which 9 % of the scores' variance was found to be
  /// due to ageing (mnz.sl, article 497).
  public let ageing: Double
  /// m: deviations that a wet or dirty finger moves a score; negative, or positive for optical sensors that
  /// a wet finger helps.
  ///
  /// -2.073 takes a miss of 1 % to one of 40 %: z(0.01) - z(0.40).
  public let impairment: Double

  private init(fingerShare: Double, quality: Double, ageing: Double, impaired: Double) {
    self.fingerShare = fingerShare
    self.quality = quality
    self.ageing = ageing
    impairment = impaired
  }

  /// The effects of these sizes.
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

  /// The effects as they are documented at each of them.
  public static let standard = ScoreEffects(
    fingerShare: 0,
    quality: 0.2,
    ageing: 0.05,
    impaired: StandardNormal.quantile(0.01) - StandardNormal.quantile(0.40)
  )

  /// By how much `conditions` move a genuine score.
  public func shift(in conditions: CaptureConditions) -> Double {
    let steady = quality * (conditions.quality - 50) / 25 - ageing * conditions.years
    switch conditions.finger {
    case .good: return steady
    case .impaired: return steady + impairment
    }
  }
}

/// What a finger is presented in.
public struct CaptureConditions: Hashable, Sendable {
  /// The sample's quality, NFIQ 2's 0 to 100.
  public var quality: Double
  /// The years since the finger was enrolled.
  public var years: Double
  /// How the finger is.
  public var finger: FingerState

  /// These conditions; without arguments those that a model is calibrated in.
  public init(quality: Double = 50, years: Double = 0, finger: FingerState = .good) {
    self.quality = quality
    self.years = years
    self.finger = finger
  }
}
