/// A kind of fake finger (ISO/IEC 30107-3's species of presentation attack instruments).
public struct AttackSpecies: Hashable, Sendable {
  /// What it is called.
  public let name: String
  /// APCER: how often it passes for a finger.
  public let apcer: Double
  /// How often one that passes matches the print that it was made from.
  public let matching: Double

  private init(unchecked name: String, _ apcer: Double) {
    self.name = name
    self.apcer = apcer
    matching = 1
  }

  /// The species with these rates; sources that measure both at once are an APCER with `matching` 1.
  public init(name: String, apcer: Double, matching: Double = 1) throws(ModelError) {
    self.name = name
    self.apcer = try ModelError.probability(apcer, "APCER")
    self.matching = try ModelError.probability(matching, "the matching rate")
  }

  /// The species of which nothing is known but how often it is accepted.
  public init(name: String, iapar: Double) throws(ModelError) {
    self.init(unchecked: name, try ModelError.probability(iapar, "IAPAR"))
  }

  /// IAPAR: how often one presentation is accepted.
  public var iapar: Double { apcer * matching }

  /// What Android's CDD allows a sensor of class 3.
  public static let androidClass3 = AttackSpecies(unchecked: "Android Class 3", 0.07)
  /// What FIDO's biometric requirements allow.
  public static let fido = AttackSpecies(unchecked: "FIDO", 0.15)
  /// What Android's CDD allows a sensor of class 2.
  public static let androidClass2 = AttackSpecies(unchecked: "Android Class 2", 0.20)
  /// What fakes cast from 3D-printed moulds reached on average over 20 tries (Cisco Talos, 2020).
  public static let talos = AttackSpecies(unchecked: "Talos 2020", 0.80)

  /// All of them.
  public static let all = [androidClass3, fido, androidClass2, talos]
}

/// What goes wrong before scores are compared.
public struct AcquisitionRates: Hashable, Sendable {
  /// FTA: how often a presentation gives no sample; it is tried again and not counted.
  public let failureToAcquire: Double
  /// FTE: how often a finger cannot be enrolled at all.
  public let failureToEnrol: Double
  /// BPCER: how often a finger is taken for a fake.
  ///
  /// It is judged and so counted: whoever refuses fakes without counting them lets fakes be tried without end.
  public let takenForFake: Double

  private init(unchecked acquire: Double, _ enrol: Double, _ bpcer: Double) {
    failureToAcquire = acquire
    failureToEnrol = enrol
    takenForFake = bpcer
  }

  /// These rates; a sensor that never acquires anything is no sensor.
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

  /// FTA 1 %, FTE 0.5 %, BPCER 1 %; the sizes are ours.
  public static let standard = AcquisitionRates(unchecked: 0.01, 0.005, 0.01)
  /// Every presentation gives a sample that is compared.
  public static let flawless = AcquisitionRates(unchecked: 0, 0, 0)
}
