import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor

/// The options that say who stands before which sensor, for `policy simulate` and `policy solve`.
enum CaseOptions {
  static let sensor = Option<String>(
    "sensor",
    "PROFILE",
    default: "standard",
    help: "the sensor profile"
  )
  static let prints = Option<PrintCount>(
    "prints",
    "N",
    default: "1",
    help: "the prints that each person enrols"
  )
  static let falseMatch = Option<Rate?>(
    "fmr",
    "RATE",
    help: "calibrate the sensor: its false match rate"
  )
  static let falseNonMatch = Option<Rate?>(
    "fnmr",
    "RATE",
    help: "calibrate the sensor: its false non-match rate"
  )
  static let separation = Option<Rate?>(
    "d-prime",
    "NUMBER",
    help: "calibrate the sensor: d', the separation of its scores"
  )
  static let logins = Option<DailyLogins>("logins", "N", default: "10", help: "logins a day")
  static let mistyped = Option<Rate>(
    "mistyped",
    "RATE",
    default: "0.03",
    help: "how often a passcode is mistyped"
  )
  static let patience = Option<UseCount?>(
    "patience",
    "N",
    help: "misses after which people type the passcode if they can"
  )
  static let attackers = Option<[AttackerChoice]>(
    "attacker",
    "KIND",
    help: "also attack, this way; may be repeated"
  )
  static let time = Option<AttackTime>(
    "attack-time",
    "TIME",
    default: "4h",
    help: "how long an attacker has"
  )
  static let iapar = Option<Rate?>("iapar", "RATE", help: "how often the sensor accepts a fake")
  static let digits = Option<DigitCount>(
    "digits",
    "N",
    default: "4",
    help: "the digits of a passcode"
  )

  static let declarations = [
    PolicyChoice.profile.declaration, PolicyChoice.delays.declaration, sensor.declaration,
    prints.declaration, falseMatch.declaration, falseNonMatch.declaration, separation.declaration,
    logins.declaration, mistyped.declaration, patience.declaration, attackers.declaration,
    time.declaration, iapar.declaration, digits.declaration,
  ]

  /// The case that the command line of `context` describes.
  static func plan(_ context: VerbContext) throws(Failure) -> PolicyCase {
    try plan(try PolicyChoice(context), context)
  }

  /// The same of `choice`.
  static func plan(_ choice: PolicyChoice, _ context: VerbContext) throws(Failure) -> PolicyCase {
    var habits = Habits()
    habits.loginsPerDay = context.arguments[logins].count
    habits.mistyped = context.arguments[mistyped].value
    habits.patience = context.arguments[patience].map { UInt32($0.count) }
    let profile = try profile(context)
    do throws(ModelError) {
      return PolicyCase(
        policy: choice.policy,
        rules: choice.rules,
        sensor: try calibrated(profile, context.arguments),
        prints: context.arguments[prints].count,
        habits: try habits.checked()
      )
    } catch { throw Failure(.usage, "These numbers cannot be: \(error).") }
  }

  /// The attacks that the command line asks for.
  static func attacks(_ context: VerbContext) throws(Failure) -> [Attack] {
    try attacks(context.arguments[attackers], context)
  }

  /// The attacks of these attackers.
  static func attacks(
    _ attackers: [AttackerChoice],
    _ context: VerbContext
  ) throws(Failure) -> [Attack] {
    do throws(ModelError) {
      let species = try context.arguments[iapar].map { (rate) throws(ModelError) in
        try AttackSpecies(name: "given", apcer: rate.value)
      }
      return attackers.map { choice in
        var attack = Attack(choice.attacker(species), time: context.arguments[time].duration)
        attack.secrets = context.arguments[digits].secrets
        return attack
      }
    } catch { throw Failure(.usage, "These numbers cannot be: \(error).") }
  }

  private static func profile(_ context: VerbContext) throws(Failure) -> SensorProfile {
    let name = context.arguments[sensor]
    guard let profile = SensorProfile.shipped.first(where: { $0.name == name }) else {
      let names = SensorProfile.shipped.map(\.name).joined(separator: ", ")
      throw Failure(
        .badConfiguration,
        "There is no sensor profile '\(name)'. There are: \(names)."
      )
    }
    return profile
  }

  /// The profile's sensor with the rates that were given; new rates of misses make new people.
  private static func calibrated(
    _ profile: SensorProfile,
    _ arguments: ParsedArguments
  ) throws(ModelError) -> SensorModel {
    var sensor = profile.model
    let accept = arguments[falseMatch]?.value
    let distance = arguments[separation]?.value ?? sensor.scores.separation
    if let reject = arguments[falseNonMatch]?.value {
      guard arguments[separation] == nil || accept == nil else {
        throw .outOfRange("d'", distance, allowed: "left out, for FMR and FNMR say it")
      }
      if let accept {
        sensor.scores = ScoreModel(try OperatingPoint(falseMatch: accept, falseNonMatch: reject))
      } else {
        sensor.scores = try ScoreModel(separation: distance, falseNonMatch: reject)
      }
    } else if accept != nil || arguments[separation] != nil {
      sensor.scores = try ScoreModel(
        separation: distance,
        falseMatch: accept ?? sensor.scores.falseMatch
      )
    } else {
      return sensor
    }
    sensor.population = sensor.scores.population
    return sensor
  }
}
