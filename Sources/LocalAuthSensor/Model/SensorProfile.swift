/// A sensor by name: its model, how many prints it holds, and where the numbers come from.
public struct SensorProfile: Hashable, Sendable {
  /// The profile's name.
  public let name: String
  /// Where its rates come from.
  public let source: String
  /// The statistics.
  public var model: SensorModel
  /// How many prints it holds; 5 where nothing is said, as in Touch ID and Android's virtual sensor.
  public var maximumPrints: UInt32 = 5

  /// The profile of a sensor with these scores, before `population` or the people its scores describe.
  public init(
    name: String,
    source: String,
    scores: ScoreModel,
    population: Population? = nil
  ) {
    self.name = name
    self.source = source
    model = SensorModel(scores: scores, population: population ?? scores.population)
  }

  /// The profile of a sensor that is published by two rates.
  public init(name: String, source: String, calibratedFrom point: OperatingPoint) {
    self.init(name: name, source: source, scores: ScoreModel(point))
  }

  /// The profile of a sensor that FIDO's metadata describes.
  public init(name: String, describedBy descriptor: AccuracyDescriptor) throws(ModelError) {
    self.init(
      name: name,
      source: "FIDO BiometricAccuracyDescriptor, attested by the vendor",
      calibratedFrom: try descriptor.operatingPoint()
    )
    if descriptor.maxTemplates > 0 { maximumPrints = UInt32(descriptor.maxTemplates) }
  }

  /// The sensor of which nothing more is known: d' 6.17 at FMR 1/50 000, FNMR 2.0 %.
  public static let standard = SensorProfile(
    name: "standard",
    source: "d' fitted to the Bioscrypt V-Smart manual, page 24; FMR of Android Class 3",
    scores: .standard
  )

  /// The standard sensor, before people of whom a tenth miss often.
  public static let goats = SensorProfile(
    name: "goats",
    source: "Breebaart et al., EURASIP JASP 2009, for the shape; the sizes are ours",
    scores: .standard,
    population: .goats
  )

  /// The profiles that come with LocalAuth, by name: the two above, the worst sensors that still meet a rule,
  /// and one published reader at its three thresholds.
  public static let shipped = [
    SensorProfile(
      name: "android-class-3",
      source: "Android CDD, section 7.3.10, Class 3",
      calibratedFrom: ComplianceFloor.androidClass3.point
    ),
    SensorProfile(
      name: "fido",
      source: "FIDO Biometric Requirements, FRR 3 %",
      calibratedFrom: ComplianceFloor.fido.point
    ),
    goats,
    SensorProfile(
      name: "nist",
      source: "NIST SP 800-63B-4, FMR 1/10 000 and FNMR 5 %",
      calibratedFrom: ComplianceFloor.nist.point
    ),
    standard,
    vSmart("v-smart-convenient", OperatingPoint.vSmart[2]),
    vSmart("v-smart-medium", OperatingPoint.vSmart[1]),
    vSmart("v-smart-secure", OperatingPoint.vSmart[0]),
  ]

  private static func vSmart(_ name: String, _ point: OperatingPoint) -> SensorProfile {
    SensorProfile(
      name: name,
      source: "Bioscrypt V-Smart manual, page 24",
      calibratedFrom: point
    )
  }
}
