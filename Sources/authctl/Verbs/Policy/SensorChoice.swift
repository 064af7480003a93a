import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor

/// The sensor of a case: a profile by name or file, with any rates given on the command line
/// instead of its own.
struct SensorChoice {
  /// The profile, calibrated.
  let profile: SensorProfile
  /// How often a fake is accepted, as given or as attested; nil if neither is known.
  let fakes: AttackSpecies?
  /// The number of prints that each person enrols.
  let prints: UInt32

  /// Reads the sensor from the command line of `context`.
  init(_ context: VerbContext) throws(Failure) {
    let arguments = context.arguments
    var profile = try Self.profile(arguments[CaseOptions.sensor], context)
    prints = arguments[CaseOptions.prints].count
    if let most = profile.maximumPrints, prints > most {
      throw Failure(
        .usage,
        "The sensor \(profile.name) holds \(CountText.of(most, "print")), fewer than \(prints)."
      )
    }
    do throws(ModelError) {
      profile.model = try Self.calibrated(profile.model, arguments)
      fakes =
        try arguments[AttackOptions.iapar].map { (rate) throws(ModelError) in
          try AttackSpecies(name: "given", iapar: rate.value)
        } ?? profile.fakes
    } catch { throw Failure(.usage, "These numbers cannot be: \(error).") }
    self.profile = profile
  }

  /// Whether `text` means a file; no profile has such a name.
  static func isPath(_ text: String) -> Bool { text.contains("/") || text.hasSuffix(".json") }

  private static func profile(
    _ text: String,
    _ context: VerbContext
  ) throws(Failure) -> SensorProfile {
    let source = isPath(text) ? Array(try TextFile.read(path: text).utf8) : nil
    do throws(PolicyError) {
      guard let source else {
        return try PolicyChoice.catalog(context).sensorProfile(named: text).get()
      }
      return try SensorProfileFile.parse(anyOf: source, file: text)
    } catch { throw Failure(.badConfiguration, "\(error)") }
  }

  /// What files of profiles have at most.
  private static let separationMax = 100.0

  /// Returns the profile's sensor with the given rates; any given rate also replaces the
  /// population.
  private static func calibrated(
    _ model: SensorModel,
    _ arguments: ParsedArguments
  ) throws(ModelError) -> SensorModel {
    var sensor = model
    let accept = arguments[CaseOptions.falseMatch]?.value
    let given = arguments[CaseOptions.separation]?.value
    if let given, given > separationMax {
      throw .outOfRange("d'", given, allowed: "above 0 and at most \(Int(separationMax))")
    }
    let distance = given ?? sensor.scores.separation
    if let reject = arguments[CaseOptions.falseNonMatch]?.value {
      guard given == nil || accept == nil else {
        throw .outOfRange("d'", distance, allowed: "left out, for FMR and FNMR say it")
      }
      if let accept {
        sensor.scores = ScoreModel(try OperatingPoint(falseMatch: accept, falseNonMatch: reject))
      } else {
        sensor.scores = try ScoreModel(separation: distance, falseNonMatch: reject)
      }
    } else if accept != nil || given != nil {
      sensor.scores = try ScoreModel(
        separation: distance,
        falseMatch: accept ?? sensor.scores.falseMatch
      )
    } else {
      return sensor
    }
    sensor.scores.effects = model.scores.effects
    sensor.population = sensor.scores.population
    return sensor
  }
}
