public import LocalAuthCore

/// A named sensor: its model, and other known facts; shipped profiles are in `policies/sensor`.
public struct SensorProfile: Hashable, Sendable {
  /// The profile's name.
  public let name: String
  /// The source of its numbers.
  public let source: String
  /// The statistical model.
  public var model: SensorModel
  /// The number of prints it can hold; nil if unspecified.
  public var maximumPrints: UInt32?
  /// The fakes that fool it most often; nil if unspecified.
  public var fakes: AttackSpecies?
  /// The sensor's own lockout; nil if it has none or none is specified.
  ///
  /// It is for display only: a device refuses by its lockout profile alone.
  public var lockout: DelayTable?

  /// Creates the profile of a sensor with these scores, used by the population that they imply.
  public init(name: String, source: String, scores: ScoreModel) {
    self.name = name
    self.source = source
    model = SensorModel(scores: scores, population: scores.population)
  }

  /// Creates the profile of a sensor that FIDO metadata describes.
  public init(
    name: String,
    source: String = "FIDO BiometricAccuracyDescriptor, attested by the vendor",
    describedBy descriptor: AccuracyDescriptor
  ) throws(ModelError) {
    self.init(name: name, source: source, scores: ScoreModel(try descriptor.operatingPoint()))
    if descriptor.maxTemplates > 0 { maximumPrints = UInt32(descriptor.maxTemplates) }
    fakes = try descriptor.attackSpecies()
    lockout = descriptor.lockout
  }

  /// Parses `d-prime:D,fmr:F`; nil for any other text, and for numbers that describe no possible
  /// sensor.
  public init?(rates text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let separation = Self.number(parts[0], "d-prime:"),
      let falseMatch = Self.number(parts[1], "fmr:"),
      let scores = try? ScoreModel(separation: separation, falseMatch: falseMatch)
    else { return nil }
    self.init(
      name: "d-prime:\(separation),fmr:\(falseMatch)",
      source: "the setting",
      scores: scores
    )
  }

  /// Whether `text` is a profile name rather than rates.
  public static func isName(_ text: String) -> Bool { !text.utf8.contains(UInt8(ascii: ":")) }

  private static func number(_ text: Substring, _ key: String) -> Double? {
    text.hasPrefix(key) ? Double(text.dropFirst(key.count)) : nil
  }
}

/// The sensor profiles that a setting can name.
public struct SensorProfiles: Hashable, Sendable {
  private let profiles: [String: SensorProfile]

  /// Creates a set of profiles; of several with the same name, the last wins.
  public init(_ profiles: [SensorProfile] = []) {
    self.profiles = Dictionary(profiles.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// The names, in order.
  public var names: [String] { profiles.keys.sorted() }

  /// Returns the profile called `name`.
  public subscript(name: String) -> SensorProfile? { profiles[name] }
}
