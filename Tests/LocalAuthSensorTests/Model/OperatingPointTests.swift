import LocalAuthSensor
import Testing

@Suite struct OperatingPointTests {
  /// The reader's three points agree on d', which is what speaks for the model.
  @Test func threePointsOfOneReaderGiveOneSeparation() throws {
    let separations = try OperatingPoint.vSmart.map(\.separation)
    #expect(separations.map { ($0 * 100).rounded() } == [622, 612, 618])
    let mean = separations.reduce(0, +) / 3
    #expect((mean * 100).rounded() == 617)
  }

  @Test func floorsAreThoseOfTheRules() {
    let floors = ComplianceFloor.all.map { ($0.separation * 100).rounded() }
    #expect(floors == [539, 536, 560, 599, 643])
  }

  @Test func theStandardModelCanMeetAllButOnePercent() {
    let met = ComplianceFloor.all.filter { $0.canBeMet(by: .standard) }
    #expect(met == Array(ComplianceFloor.all.dropLast()))
    #expect(ComplianceFloor.androidClass3.isMet(by: .standard))
    #expect(ComplianceFloor.class3With3Percent.isMet(by: .standard))
    #expect(!ComplianceFloor.class3With1Percent.isMet(by: .standard))
  }

  @Test func aModelMeetsAFloorAtTheFloorsOwnThresholdOrNowhere() throws {
    for floor in ComplianceFloor.all {
      for distance in [-0.2, -0.01, 0.01, 0.2] {
        let model = try ScoreModel(
          separation: floor.separation + distance,
          falseMatch: floor.point.falseMatch
        )
        #expect(floor.isMet(by: model) == floor.canBeMet(by: model))
        #expect(floor.canBeMet(by: model) == (distance > 0))
      }
    }
  }

  @Test(arguments: [(0, 0.1), (1, 0.1), (0.1, 0), (0.1, 1), (1.2, 0.1), (-0.1, 0.1), (.nan, 0.1)])
  func refusesWhatIsNoRate(_ falseMatch: Double, _ falseNonMatch: Double) {
    let error = #expect(throws: ModelError.self) {
      try OperatingPoint(falseMatch: falseMatch, falseNonMatch: falseNonMatch)
    }
    #expect(error?.description.contains("above 0 and below 1") == true)
  }

  @Test func refusesASensorThatTellsNobodyApart() {
    let error = #expect(throws: ModelError.self) {
      try OperatingPoint(falseMatch: 0.5, falseNonMatch: 0.5)
    }
    #expect(error?.description.hasPrefix("d' is 0.0; it must be above 0") == true)
    #expect(throws: ModelError.self) { try OperatingPoint(falseMatch: 0.7, falseNonMatch: 0.6) }
  }
}
