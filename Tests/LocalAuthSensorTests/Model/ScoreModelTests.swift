import LocalAuthSensor
import Testing

@Suite struct ScoreModelTests {
  @Test func theStandardPointIsTheReferencesOne() {
    let model = ScoreModel.standard
    #expect(abs(model.threshold - 4.107) < 0.0005)
    #expect(abs(model.falseMatch - 2e-5) < 1e-18)
    #expect(abs(model.falseNonMatch - 0.019_579_111_295) < 1e-11)
    #expect(abs(model.equalErrorRate - 0.001_017_760_766) < 1e-12)
  }

  @Test func calibrationGivesBackItsPoint() throws {
    for point in try OperatingPoint.vSmart + ComplianceFloor.all.map(\.point) {
      let model = ScoreModel(point)
      #expect(abs(model.falseMatch / point.falseMatch - 1) < 1e-12)
      #expect(abs(model.falseNonMatch / point.falseNonMatch - 1) < 1e-12)
    }
  }

  @Test func aHigherThresholdMovesBothRates() {
    let model = ScoreModel.standard
    for step in 0..<60 {
      let (low, high) = (Double(step) / 10, Double(step + 1) / 10)
      #expect(model.falseMatch(at: high) < model.falseMatch(at: low))
      #expect(model.falseNonMatch(at: high) > model.falseNonMatch(at: low))
    }
  }

  @Test func bothRatesAreEqualHalfWay() {
    let model = ScoreModel.standard
    let rate = model.equalErrorRate
    #expect(abs(model.falseMatch(at: model.separation / 2) / rate - 1) < 1e-12)
    #expect(abs(model.falseNonMatch(at: model.separation / 2) / rate - 1) < 1e-12)
  }

  @Test func anotherThresholdIsTheSameMatcher() throws {
    let strict = try ScoreModel.standard.withFalseMatch(1e-6)
    #expect(strict.separation == ScoreModel.standard.separation)
    #expect(strict.effects == ScoreModel.standard.effects)
    #expect(strict.falseNonMatch > ScoreModel.standard.falseNonMatch)
  }

  @Test(arguments: [0, -1, .nan, .infinity] as [Double])
  func refusesASeparationThatIsNone(_ separation: Double) {
    #expect(throws: ModelError.self) { try ScoreModel(separation: separation, falseMatch: 1e-4) }
  }

  @Test(arguments: [0, 1, 1.5, -1e-9, .nan] as [Double])
  func refusesARateThatIsNone(_ rate: Double) {
    #expect(throws: ModelError.self) { try ScoreModel(separation: 6, falseMatch: rate) }
    #expect(throws: ModelError.self) { try ScoreModel.standard.withFalseMatch(rate) }
  }

  @Test func referenceConditionsMoveNothing() {
    #expect(ScoreEffects.standard.shift(in: CaptureConditions(), noise: 1) == 0)
  }

  @Test func anImpairedFingerTakesOnePercentToForty() {
    let wet = CaptureConditions(finger: .impaired)
    let shift = ScoreEffects.standard.shift(in: wet, noise: 1)
    let good = StandardNormal.quantile(0.01)
    #expect(abs(StandardNormal.cumulative(good - shift) - 0.40) < 1e-12)
    #expect(abs(shift + 2.073) < 0.0005)
  }

  @Test func ageAndPoorQualityLowerScoresAndGoodQualityRaisesThem() {
    let effects = ScoreEffects.standard
    #expect(abs(effects.shift(in: CaptureConditions(years: 10), noise: 1) + 0.5) < 1e-12)
    #expect(effects.shift(in: CaptureConditions(quality: 100), noise: 1) > 0)
    #expect(effects.shift(in: CaptureConditions(quality: 0), noise: 1) < 0)
  }

  @Test func refusesEffectsThatAreNoNumbers() {
    #expect(throws: ModelError.self) { try ScoreEffects(fingerShare: 1.1) }
    #expect(throws: ModelError.self) { try ScoreEffects(quality: .nan) }
    #expect(throws: ModelError.self) { try ScoreEffects(ageing: .infinity) }
    #expect(throws: ModelError.self) { try ScoreEffects(impairment: .nan) }
    #expect(throws: Never.self) { try ScoreEffects(impairment: 0.3) }
  }
}
