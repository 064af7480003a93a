import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor

/// The options that describe the people and the sensor, for `policy simulate` and `policy solve`.
enum CaseOptions {
  static let sensor = Option<String>(
    "sensor",
    "PROFILE",
    default: "standard",
    source: .sensorProfiles,
    help: "the sensor profile, or the file of one or of FIDO's descriptor"
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

  /// The options about people, their sensor and attackers, whatever the policy.
  static let people =
    [
      sensor.declaration, prints.declaration, falseMatch.declaration, falseNonMatch.declaration,
      separation.declaration, logins.declaration, mistyped.declaration, patience.declaration,
    ] + AttackOptions.declarations
  static let declarations =
    [PolicyChoice.profile.declaration, PolicyChoice.delays.declaration] + people

  /// Returns the case that the command line of `context` describes, with this sensor; `isSolved` as for
  /// ``habits(_:isSolved:)``.
  static func plan(
    _ sensor: SensorChoice,
    _ context: VerbContext,
    isSolved: Bool = true
  ) throws(Failure) -> PolicyCase {
    try plan(try PolicyChoice(context), sensor, context, isSolved: isSolved)
  }

  /// Fails if nobody in the model meets the policy of `choice`: all their logins would count as given up.
  static func check(_ choice: PolicyChoice) throws(Failure) {
    guard choice.policy.isMetWithoutPossession else {
      throw Failure(
        .usage,
        "\(choice.policy.name) cannot be computed: people would need something to have."
      )
    }
  }

  /// Returns the case of `choice`, whose policy people must be able to meet.
  static func plan(
    _ choice: PolicyChoice,
    _ sensor: SensorChoice,
    _ context: VerbContext,
    isSolved: Bool = true
  ) throws(Failure) -> PolicyCase {
    try check(choice)
    return PolicyCase(
      policy: choice.policy,
      rules: choice.rules,
      sensor: sensor.profile.model,
      prints: sensor.prints,
      habits: try habits(context, isSolved: isSolved)
    )
  }

  /// Returns the habits of people; if a chain `isSolved` for them, not those that make it too large.
  static func habits(
    _ context: VerbContext,
    isSolved: Bool = true
  ) throws(Failure) -> Habits {
    var habits = Habits()
    habits.loginsPerDay = context.arguments[logins].count
    habits.mistyped = context.arguments[mistyped].value
    habits.patience = context.arguments[patience].map { UInt32($0.count) }
    do throws(ModelError) {
      habits = try habits.checked()
    } catch { throw Failure(.usage, "These numbers cannot be: \(error).") }
    let most = Solution.loginsPerDayMax
    guard !isSolved || habits.loginsPerDay <= most else {
      throw Failure(
        .usage,
        "A chain is solved for at most \(most) logins a day; simulate them without a picture."
      )
    }
    return habits
  }
}
