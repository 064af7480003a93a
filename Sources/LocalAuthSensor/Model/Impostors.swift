/// How people differ as impostors: wolves are easily taken for others, lambs are easily
/// impersonated.
///
/// The names are those of Doddington et al. 1998. An impostor's score is s = wolf + lamb + noise
/// with a total deviation of 1, so the shares do not change the mean FMR of the model; they only
/// make the worst pair worse.
public struct Impostors: Hashable, Sendable {
  /// The attacker's share of the variance.
  public let wolfShare: Double
  /// The target's share of the variance.
  public let lambShare: Double

  private init(unchecked wolfShare: Double, _ lambShare: Double) {
    self.wolfShare = wolfShare
    self.lambShare = lambShare
  }

  /// Creates impostors with these shares, which may add up to at most 1.
  public init(wolfShare: Double, lambShare: Double) throws(ModelError) {
    self.init(
      unchecked: try ModelError.probability(wolfShare, "the wolves' share"),
      try ModelError.probability(lambShare, "the lambs' share")
    )
    _ = try ModelError.probability(wolfShare + lambShare, "the wolves' and lambs' share")
  }

  /// Impostors who are all alike; we know of no published shares.
  public static let alike = Impostors(unchecked: 0, 0)

  /// Draws how much more easily than average an attacker is taken for others, in standard
  /// deviations.
  public func wolf(using stream: inout EventStream) -> Double {
    wolfShare.squareRoot() * stream.normal()
  }

  /// Draws how much more easily than average a target is impersonated, in standard deviations.
  public func lamb(using stream: inout EventStream) -> Double {
    lambShare.squareRoot() * stream.normal()
  }

  /// Returns the value of ``lamb(using:)`` that this share of the targets lies below.
  public func lamb(percentile: Double) -> Double {
    lambShare.squareRoot() * StandardNormal.quantile(percentile)
  }

  /// Returns the rate at which this attacker matches one print of this target.
  public func falseMatch(_ model: ScoreModel, wolf: Double = 0, lamb: Double = 0) -> Double {
    let noise = 1 - wolfShare - lambShare
    let distance = model.threshold - wolf - lamb
    guard noise > 0 else { return distance <= 0 ? 1 : 0 }
    return StandardNormal.survival(distance / noise.squareRoot())
  }

  /// Returns the rate at which a random attacker matches one print of this target.
  public func falseMatch(_ model: ScoreModel, anybodyAgainst lamb: Double) -> Double {
    let rest = 1 - lambShare
    guard rest > 0 else { return model.threshold - lamb <= 0 ? 1 : 0 }
    return StandardNormal.survival((model.threshold - lamb) / rest.squareRoot())
  }
}
