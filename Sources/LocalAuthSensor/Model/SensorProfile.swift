public import LocalAuthCore

/// A sensor by name: its model, and what else is known of it; `policies/sensor` has those that are shipped.
public struct SensorProfile: Hashable, Sendable {
  /// The profile's name.
  public let name: String
  /// Where its numbers come from.
  public let source: String
  /// The statistics.
  public var model: SensorModel
  /// How many prints it holds; nil where nothing is said.
  public var maximumPrints: UInt32?
  /// The fakes that it is fooled by most often; nil where nothing is said.
  public var fakes: AttackSpecies?
  /// When it refuses by itself; nil where it never does, or nothing is said.
  ///
  /// It is shown and no part of any number: what a device refuses is its lockout profile's word.
  public var lockout: DelayTable?

  /// The profile of a sensor with these scores, before the people whom its scores describe.
  public init(name: String, source: String, scores: ScoreModel) {
    self.name = name
    self.source = source
    model = SensorModel(scores: scores, population: scores.population)
  }

  /// The profile of a sensor that FIDO's metadata describes.
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

  /// The profile that `d-prime:D,fmr:F` stands for; nil for any other text, and for numbers that make no sensor.
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

  /// Whether `text` is meant as a profile's name and not as rates.
  public static func isName(_ text: String) -> Bool { !text.utf8.contains(UInt8(ascii: ":")) }

  private static func number(_ text: Substring, _ key: String) -> Double? {
    text.hasPrefix(key) ? Double(text.dropFirst(key.count)) : nil
  }
}

/// The sensor profiles that a setting can name.
public struct SensorProfiles: Hashable, Sendable {
  private let profiles: [String: SensorProfile]

  /// These profiles; where two have one name, the last.
  public init(_ profiles: [SensorProfile] = []) {
    self.profiles = Dictionary(profiles.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// Their names, in order.
  public var names: [String] { profiles.keys.sorted() }

  /// The profile called `name`.
  public subscript(name: String) -> SensorProfile? { profiles[name] }
}
