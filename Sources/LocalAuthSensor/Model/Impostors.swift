/// How people differ as somebody else: wolves are taken for others, lambs have others taken for them.
///
/// The names are those of Doddington et al. 1998. An impostor's score is s = wolf + lamb + noise with deviation 1 in all, so the mean FMR is the model's
/// whatever the shares; what grows with them is the worst pair.
public struct Impostors: Hashable, Sendable {
  /// How much of the variance is the attacker's.
  public let wolfShare: Double
  /// How much is the target's.
  public let lambShare: Double

  private init(unchecked wolfShare: Double, _ lambShare: Double) {
    self.wolfShare = wolfShare
    self.lambShare = lambShare
  }

  /// The impostors with these shares, which are at most 1 together.
  public init(wolfShare: Double, lambShare: Double) throws(ModelError) {
    self.init(
      unchecked: try ModelError.probability(wolfShare, "the wolves' share"),
      try ModelError.probability(lambShare, "the lambs' share")
    )
    _ = try ModelError.probability(wolfShare + lambShare, "the wolves' and lambs' share")
  }

  /// Impostors of whom each is like every other; no published share is known to us.
  public static let alike = Impostors(unchecked: 0, 0)

  /// How much likelier than others an attacker is taken for somebody, in standard deviations.
  public func wolf(using stream: inout EventStream) -> Double {
    wolfShare.squareRoot() * stream.normal()
  }

  /// How much likelier than others a target has somebody taken for them, in standard deviations.
  public func lamb(using stream: inout EventStream) -> Double {
    lambShare.squareRoot() * stream.normal()
  }

  /// The lamb that this share of the targets lies below.
  public func lamb(percentile: Double) -> Double {
    lambShare.squareRoot() * StandardNormal.quantile(percentile)
  }

  /// How often this attacker matches one print of this target.
  public func falseMatch(_ model: ScoreModel, wolf: Double = 0, lamb: Double = 0) -> Double {
    let noise = 1 - wolfShare - lambShare
    let distance = model.threshold - wolf - lamb
    guard noise > 0 else { return distance <= 0 ? 1 : 0 }
    return StandardNormal.survival(distance / noise.squareRoot())
  }

  /// How often any attacker matches one print of this target.
  public func falseMatch(_ model: ScoreModel, anybodyAgainst lamb: Double) -> Double {
    let rest = 1 - lambShare
    guard rest > 0 else { return model.threshold - lamb <= 0 ? 1 : 0 }
    return StandardNormal.survival((model.threshold - lamb) / rest.squareRoot())
  }
}
