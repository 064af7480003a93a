/// Two error rates per comparison at one threshold: the form in which a sensor's accuracy is
/// published.
public struct OperatingPoint: Hashable, Sendable {
  /// FMR: the rate at which another person's finger matches one enrolled print.
  public let falseMatch: Double
  /// FNMR: the rate at which the enrolled finger does not match.
  public let falseNonMatch: Double

  /// Creates a point with these rates, which must both be above 0 and add up to less than 1.
  public init(falseMatch: Double, falseNonMatch: Double) throws(ModelError) {
    self.falseMatch = try ModelError.openProbability(falseMatch, "FMR")
    self.falseNonMatch = try ModelError.openProbability(falseNonMatch, "FNMR")
    guard separation > 0 else { throw .noSeparation(separation) }
  }

  /// Creates a point with constant rates, which are not checked again.
  init(published falseMatch: Double, _ falseNonMatch: Double) {
    self.falseMatch = falseMatch
    self.falseNonMatch = falseNonMatch
  }

  /// d': how far genuine scores lie above those of impostors, in standard deviations.
  ///
  /// It is z(1 - FMR) + z(1 - FNMR).
  public var separation: Double {
    StandardNormal.upperQuantile(falseMatch) + StandardNormal.upperQuantile(falseNonMatch)
  }
}

/// The accuracy that a rule requires of a sensor, which implies a minimum d'.
public struct ComplianceFloor: Hashable, Sendable {
  /// The name of the rule.
  public let name: String
  /// The rates required at one threshold.
  public let point: OperatingPoint

  private init(_ name: String, _ falseMatch: Double, _ falseNonMatch: Double) {
    self.name = name
    point = OperatingPoint(published: falseMatch, falseNonMatch)
  }

  /// The minimum d' at which some threshold meets both rates.
  public var separation: Double { point.separation }

  /// Whether `model` has a threshold that meets both rates.
  public func canBeMet(by model: ScoreModel) -> Bool { model.separation >= separation }

  /// Whether `model` meets both rates at its own threshold.
  public func isMet(by model: ScoreModel) -> Bool {
    // A threshold derived from a rate reproduces that rate only up to rounding.
    let rounding = 1 + 1e-12
    return model.falseMatch <= point.falseMatch * rounding
      && model.falseNonMatch <= point.falseNonMatch * rounding
  }

  /// Android CDD, Class 3 biometric sensors: FAR 1/50 000 and FRR 10 %.
  public static let androidClass3 = ComplianceFloor("Android Class 3", 2e-5, 0.10)
  /// NIST SP 800-63B-4: FMR 1/10 000 and FNMR 5 %; FIDO's biometric requirements are the same.
  public static let nist = ComplianceFloor("NIST SP 800-63B-4", 1e-4, 0.05)
  /// FIDO's biometric requirements with FRR 3 %.
  public static let fido = ComplianceFloor("FIDO, 3 % FRR", 1e-4, 0.03)
  /// Class 3's FAR with FRR 3 %.
  public static let class3With3Percent = ComplianceFloor("Class 3, 3 % FRR", 2e-5, 0.03)
  /// Class 3's FAR with FRR 1 %, which no model fitted to a published reader reaches.
  public static let class3With1Percent = ComplianceFloor("Class 3, 1 % FRR", 2e-5, 0.01)

  /// All floors; their d' are 5.39, 5.36, 5.60, 5.99 and 6.43.
  public static let all = [androidClass3, nist, fido, class3With3Percent, class3With1Percent]
}
