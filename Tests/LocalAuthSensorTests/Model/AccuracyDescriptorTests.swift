import LocalAuthCore
import LocalAuthSensor
import Testing

@Suite struct AccuracyDescriptorTests {
  @Test func calibratesAProfile() throws {
    let descriptor = AccuracyDescriptor(
      selfAttestedFRR: 0.03,
      selfAttestedFAR: 0.0001,
      iAPARThreshold: 0.15,
      maxTemplates: 3,
      maxRetries: 5,
      blockSlowdown: 30
    )
    let profile = try SensorProfile(name: "reader", describedBy: descriptor)
    #expect(abs(profile.model.scores.falseMatch / 1e-4 - 1) < 1e-12)
    #expect(abs(profile.model.scores.falseNonMatch / 0.03 - 1) < 1e-12)
    #expect(abs(profile.model.scores.separation - 5.60) < 0.005)
    #expect(profile.maximumPrints == 3)
    #expect(try descriptor.attackSpecies()?.iapar == 0.15)
  }

  @Test func namesTheRateThatIsNotAttested() {
    for (frr, far, field) in [
      (nil, 0.1, "selfAttestedFRR"), (0, 0.1, "selfAttestedFRR"), (0.1, nil, "selfAttestedFAR"),
      (0.1, 0, "selfAttestedFAR"),
    ] as [(Double?, Double?, String)] {
      let descriptor = AccuracyDescriptor(selfAttestedFRR: frr, selfAttestedFAR: far)
      #expect(throws: ModelError.notAttested(field)) { try descriptor.operatingPoint() }
      #expect(ModelError.notAttested(field).description.contains(field))
    }
  }

  @Test func refusesRatesThatAreNone() {
    let descriptor = AccuracyDescriptor(selfAttestedFRR: 2, selfAttestedFAR: 0.1)
    #expect(throws: ModelError.self) { try SensorProfile(name: "", describedBy: descriptor) }
    #expect(throws: ModelError.self) {
      try AccuracyDescriptor(iAPARThreshold: 7).attackSpecies()
    }
  }

  @Test func blocksAsItSays() {
    let timed = AccuracyDescriptor(maxRetries: 5, blockSlowdown: 30).lockout
    #expect(timed?.refusal(after: 4) == DelayTable.Refusal.none)
    #expect(timed?.refusal(after: 5) == .wait(.seconds(30)))
    #expect(timed?.refusal(after: 6) == .wait(.seconds(30)))
    let permanent = AccuracyDescriptor(maxRetries: 5).lockout
    #expect(permanent?.refusal(after: 4) == DelayTable.Refusal.none)
    #expect(permanent?.refusal(after: 5) == .locked)
    #expect(AccuracyDescriptor(blockSlowdown: 30).lockout == nil)
  }

  @Test func saysNothingOfAttacksThatWereNotTried() throws {
    #expect(try AccuracyDescriptor().attackSpecies() == nil)
    let unsaid = AccuracyDescriptor(selfAttestedFRR: 0.03, selfAttestedFAR: 0.0001)
    let profile = try SensorProfile(name: "", describedBy: unsaid)
    #expect(profile.maximumPrints == nil && profile.fakes == nil && profile.lockout == nil)
  }
}
