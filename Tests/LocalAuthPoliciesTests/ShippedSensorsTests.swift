import LocalAuthPolicies
import LocalAuthSensor
import Testing

@Suite struct ShippedSensorsTests {
  private let catalog = PolicyCatalog()

  private func profile(_ name: String) throws -> SensorProfile {
    try catalog.sensorProfile(named: name).get()
  }

  @Test func shipsTheNamesThatPeopleRelyOn() {
    #expect(
      catalog.sensorProfileNames == [
        "android-class-3", "fido", "goats", "nist", "standard", "v-smart-convenient",
        "v-smart-medium", "v-smart-secure",
      ]
    )
    #expect(catalog.sensorProfiles.map(\.name) == catalog.sensorProfileNames)
    #expect(catalog.sensorProfiles.allSatisfy { !$0.source.isEmpty })
  }

  /// To the last bit: every number in docs/policy-science.md rests on it.
  @Test func theStandardAndTheGoatsAreTheModels() throws {
    #expect(try profile("standard").model == .standard)
    #expect(
      try profile("goats").model == SensorModel(scores: .standard, population: .goats)
    )
  }

  @Test(arguments: [
    ("android-class-3", ComplianceFloor.androidClass3), ("fido", .fido), ("nist", .nist),
  ])
  func profilesOfRulesAreTheirFloors(_ name: String, _ floor: ComplianceFloor) throws {
    let scores = ScoreModel(floor.point)
    #expect(
      try profile(name).model == SensorModel(scores: scores, population: scores.population)
    )
  }

  private static let thresholds: [(String, Double, Double)] = [
    ("v-smart-secure", 1.0 / 20_000, 1.0 / 100), ("v-smart-medium", 1.0 / 5_000, 1.0 / 200),
    ("v-smart-convenient", 1.0 / 1_000, 1.0 / 1_000),
  ]

  @Test(arguments: thresholds)
  func profilesOfOneReaderAreItsThresholds(
    _ name: String,
    _ falseMatch: Double,
    _ falseNonMatch: Double
  ) throws {
    let point = try OperatingPoint(falseMatch: falseMatch, falseNonMatch: falseNonMatch)
    let scores = ScoreModel(point)
    #expect(
      try profile(name).model == SensorModel(scores: scores, population: scores.population)
    )
  }

  @Test func nothingIsClaimedThatNobodyPublished() throws {
    for profile in catalog.sensorProfiles {
      #expect(profile.fakes == nil && profile.lockout == nil && profile.maximumPrints == nil)
    }
  }
}
