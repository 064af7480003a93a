/// A kind of fake finger; a species of presentation attack instruments in ISO/IEC 30107-3.
public struct AttackSpecies: Hashable, Sendable {
  /// The name of the species.
  public let name: String
  /// APCER: the rate at which the fake passes for a finger.
  public let apcer: Double
  /// The rate at which a fake that passes matches the print it was made from.
  public let matching: Double

  private init(unchecked name: String, _ apcer: Double) {
    self.name = name
    self.apcer = apcer
    matching = 1
  }

  /// Creates a species with these rates; for sources that measure both at once, use APCER and
  /// `matching` 1.
  public init(name: String, apcer: Double, matching: Double = 1) throws(ModelError) {
    self.name = name
    self.apcer = try ModelError.probability(apcer, "APCER")
    self.matching = try ModelError.probability(matching, "the matching rate")
  }

  /// Creates a species of which only the acceptance rate is known.
  public init(name: String, iapar: Double) throws(ModelError) {
    self.init(unchecked: name, try ModelError.probability(iapar, "IAPAR"))
  }

  /// IAPAR: the rate at which one presentation is accepted.
  public var iapar: Double { apcer * matching }

  /// The limit of Android's CDD for a Class 3 sensor.
  public static let androidClass3 = AttackSpecies(unchecked: "Android Class 3", 0.07)
  /// The limit of FIDO's biometric requirements.
  public static let fido = AttackSpecies(unchecked: "FIDO", 0.15)
  /// The limit of Android's CDD for a Class 2 sensor.
  public static let androidClass2 = AttackSpecies(unchecked: "Android Class 2", 0.20)
  /// The average success of fakes cast from 3D-printed moulds, over 20 tries (Cisco Talos, 2020).
  public static let talos = AttackSpecies(unchecked: "Talos 2020", 0.80)

  /// All these species.
  public static let all = [androidClass3, fido, androidClass2, talos]
}

/// The failure rates before scores are compared.
public struct AcquisitionRates: Hashable, Sendable {
  /// FTA: the rate at which a presentation gives no sample; it is repeated and not counted.
  public let failureToAcquire: Double
  /// FTE: the rate at which a finger cannot be enrolled at all.
  public let failureToEnrol: Double
  /// BPCER: the rate at which a real finger is taken for a fake.
  ///
  /// It is judged and therefore counted: a sensor that rejected fakes without counting them would
  /// allow unlimited tries with fakes.
  public let takenForFake: Double

  private init(unchecked acquire: Double, _ enrol: Double, _ bpcer: Double) {
    failureToAcquire = acquire
    failureToEnrol = enrol
    takenForFake = bpcer
  }

  /// Creates these rates; a sensor must be able to acquire something.
  public init(
    failureToAcquire: Double,
    failureToEnrol: Double,
    bpcer: Double
  ) throws(ModelError) {
    guard failureToAcquire >= 0, failureToAcquire < 1 else {
      throw .outOfRange("FTA", failureToAcquire, allowed: "at least 0 and below 1")
    }
    self.init(
      unchecked: failureToAcquire,
      try ModelError.probability(failureToEnrol, "FTE"),
      try ModelError.probability(bpcer, "BPCER")
    )
  }

  /// FTA 1 %, FTE 0.5 %, BPCER 1 %; our own assumptions.
  public static let standard = AcquisitionRates(unchecked: 0.01, 0.005, 0.01)
  /// Every presentation gives a sample that is compared.
  public static let flawless = AcquisitionRates(unchecked: 0, 0, 0)
}
