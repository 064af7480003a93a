import LocalAuthSensor
import Testing

@Suite struct PresentationAttackTests {
  @Test func speciesAreThoseThatAreSpecifiedOrMeasured() {
    #expect(AttackSpecies.all.map(\.iapar) == [0.07, 0.15, 0.20, 0.80])
  }

  @Test func anAttackMustPassAndMatch() throws {
    let species = try AttackSpecies(name: "gelatine", apcer: 0.5, matching: 0.4)
    #expect(species.iapar == 0.2)
  }

  @Test func refusesRatesThatAreNone() {
    #expect(throws: ModelError.self) { try AttackSpecies(name: "", apcer: 1.1) }
    #expect(throws: ModelError.self) { try AttackSpecies(name: "", apcer: 0.5, matching: -1) }
    for fta in [-0.1, 1, 2, Double.nan] {
      #expect(throws: ModelError.self) {
        try AcquisitionRates(failureToAcquire: fta, failureToEnrol: 0, bpcer: 0)
      }
    }
    #expect(throws: ModelError.self) {
      try AcquisitionRates(failureToAcquire: 0, failureToEnrol: 1.1, bpcer: 0)
    }
    #expect(throws: ModelError.self) {
      try AcquisitionRates(failureToAcquire: 0, failureToEnrol: 0, bpcer: -0.1)
    }
  }
}
