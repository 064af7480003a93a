import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

/// What tests of simulations and solutions consider.
enum Cases {
  static let catalog = PolicyCatalog()
  static let policies = catalog.names

  static let goats = SensorModel(scores: .standard, population: .goats)

  /// The shipped profiles, and two of tables alone.
  static var lockouts: [LockoutProfile] {
    get throws {
      try catalog.lockoutProfileNames.map { try catalog.lockoutProfile(named: $0).get() } + [
        LockoutProfile(
          name: "thirty-seconds-from-two",
          delays: DelayTable(
            rows: [.init(from: 2, through: nil, delay: .seconds(30))],
            locksAt: 6
          ),
          missesPerEvaluation: 4
        ),
        LockoutProfile(
          name: "minutes-doubling",
          delays: DelayTable(rows: [
            .init(from: 2, through: nil, delay: .seconds(45), doublesEvery: 1)
          ])
        ),
      ]
    }
  }

  /// People who often have to try again, so that few of them show a difference.
  static var sensors: [(name: String, model: SensorModel)] {
    get throws {
      var wet = goats
      wet.fingerState = try FingerStateProcess(impairedShare: 0.6, impairedFor: .seconds(3000))
      var clumsy = goats
      clumsy.acquisition = try AcquisitionRates(
        failureToAcquire: 0.2,
        failureToEnrol: 0.2,
        bpcer: 0.1
      )
      var poor = goats
      poor.population = .mixture(try GoatMixture(goats: 0.5, goatMiss: 0.7, sheepMiss: 0.3))
      var alike = goats
      alike.population = .probit(try ProbitRates(miss: 0.4, correlation: 0))
      alike.fingerState = .alwaysGood
      alike.acquisition = .flawless
      return [
        ("goats", goats), ("wet", wet), ("clumsy", clumsy), ("poor", poor), ("alike", alike),
      ]
    }
  }

  /// People of whom each is like no other.
  static var continua: [(name: String, model: SensorModel)] {
    get throws {
      var beta = SensorModel.standard
      beta.population = .beta(try BetaRates(mean: 0.3, correlation: 0.4))
      var fingers = SensorModel.standard
      fingers.scores.effects = try ScoreEffects(fingerShare: 0.5)
      fingers.population = .probit(try ProbitRates(miss: 0.3, correlation: 0.5))
      return [("beta", beta), ("fingers", fingers)]
        + catalog.sensorProfiles.filter { !["goats", "v-smart-medium"].contains($0.name) }.map {
          ($0.name, $0.model)
        }
    }
  }

  static func plan(
    _ policy: String,
    _ lockout: LockoutProfile,
    _ sensor: SensorModel,
    prints: UInt32 = 1,
    delays: String = "apple",
    habits: Habits = habits()
  ) throws -> PolicyCase {
    PolicyCase(
      policy: try catalog.policy(named: policy).get(),
      rules: .init(lockout: lockout, delays: try catalog.passcodeDelays(named: delays).get()),
      sensor: sensor,
      prints: prints,
      habits: habits
    )
  }

  static func habits(
    logins: UInt32 = 2,
    mistyped: Double = 0.1,
    patience: UInt32? = nil
  ) -> Habits {
    var habits = Habits()
    habits.loginsPerDay = logins
    habits.mistyped = mistyped
    habits.patience = patience
    return habits
  }

  /// A sensor on which nothing but the score decides, before these people.
  static func bare(_ population: Population) -> SensorModel {
    SensorModel(
      scores: .standard,
      population: population,
      fingerState: .alwaysGood,
      acquisition: .flawless
    )
  }

  /// The profile that locks at this many misses.
  static func lock(at misses: UInt32) -> LockoutProfile {
    LockoutProfile(name: "lock-at-\(misses)", delays: DelayTable(locksAt: misses))
  }
}
