import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct SensorProfileTests {
  @Test func peopleAreThoseOfTheScores() {
    let profile = SensorProfile(name: "p", source: "s", scores: .standard)
    #expect(profile.model == .standard)
    #expect(profile.model.population == profile.model.scores.population)
    #expect(profile.maximumPrints == nil && profile.fakes == nil && profile.lockout == nil)
  }

  @Test func aDescriptorSaysMoreThanRates() throws {
    let profile = try SensorProfile(
      name: "reader",
      describedBy: AccuracyDescriptor(
        selfAttestedFRR: 0.03,
        selfAttestedFAR: 0.0001,
        iAPARThreshold: 0.15,
        maxTemplates: 3,
        maxRetries: 5
      )
    )
    #expect(profile.fakes?.iapar == 0.15 && profile.maximumPrints == 3)
    #expect(profile.lockout?.refusal(after: 5) == .locked)
  }

  @Test func profilesAreKnownByTheirNames() {
    let first = SensorProfile(name: "a", source: "first", scores: .standard)
    let second = SensorProfile(name: "a", source: "second", scores: .standard)
    let other = SensorProfile(name: "B", source: "", scores: .standard)
    let profiles = SensorProfiles([first, other, second])
    #expect(profiles.names == ["B", "a"])
    #expect(profiles["a"]?.source == "second" && profiles["b"] == nil)
  }

  @Test(arguments: [("goats", true), ("", true), ("d-prime:6,fmr:0.1", false), (":", false)])
  func namesAreToldFromRates(_ text: String, _ isName: Bool) {
    #expect(SensorProfile.isName(text) == isName)
    if isName { #expect(SensorProfile(rates: text) == nil) }
  }
}
