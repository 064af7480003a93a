import LocalAuthSensor
import Testing

@Suite struct SensorProfileTests {
  @Test func namesAreInOrderAndSourcesAreSaid() {
    let names = SensorProfile.shipped.map(\.name)
    #expect(names == names.sorted() && Set(names).count == names.count)
    #expect(SensorProfile.shipped.allSatisfy { !$0.source.isEmpty })
  }

  @Test func profilesOfRulesMeetThem() throws {
    for (name, floor) in [
      ("android-class-3", ComplianceFloor.androidClass3), ("fido", .fido), ("nist", .nist),
    ] {
      let profile = try #require(SensorProfile.shipped.first { $0.name == name })
      #expect(abs(profile.model.scores.separation - floor.separation) < 1e-12)
    }
  }

  @Test func profilesOfOneReaderAreItsThresholds() {
    let thresholds = SensorProfile.shipped.filter { $0.name.hasPrefix("v-smart") }
      .map(\.model.scores.falseMatch)
    #expect(thresholds == thresholds.sorted(by: >))
    #expect(thresholds.count == 3)
  }

  @Test func peopleAreThoseOfTheScoresUnlessOthersAreGiven() {
    let model = SensorProfile.standard.model
    #expect(model.population == model.scores.population)
    #expect(SensorProfile.goats.model.population == .goats)
    #expect(SensorProfile.goats.model.scores == model.scores)
  }
}
