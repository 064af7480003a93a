import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@Suite struct FingerStateTests {
  private let random = EventRandom(seed: SeededGenerator.ofThisRun.seed)
  private let standard = FingerStateProcess.standard

  private func isClose(_ left: Double, _ right: Double) -> Bool { abs(left - right) < 1e-12 }

  @Test func noTimeChangesNothingAndALongTimeForgetsTheState() {
    let none = standard.step(over: .zero)
    #expect(none.worsening == 0 && none.recovering == 0)
    let long = standard.step(over: .seconds(100 * 3600))
    #expect(isClose(long.worsening, 0.05) && isClose(long.recovering, 0.95))
  }

  @Test func twoStepsAreOneOfBothTimes() {
    let (first, second) = (standard.step(over: .seconds(77)), standard.step(over: .seconds(500)))
    let both = standard.step(over: .seconds(577))
    let worsened =
      first.worsening * (1 - second.recovering)
      + (1 - first.worsening) * second.worsening
    let recovered =
      first.recovering * (1 - second.worsening)
      + (1 - first.recovering) * second.recovering
    #expect(isClose(both.worsening, worsened) && isClose(both.recovering, recovered))
  }

  @Test func aFingerStaysImpairedForTheStatedTimeOnAverage() {
    // The rate of recovering in the first instant is one a mean duration.
    let instant = standard.step(over: .milliseconds(1))
    #expect(abs(instant.recovering / 0.001 * 600 - 1) < 1e-5)
    #expect(abs(instant.worsening / instant.recovering - 0.05 / 0.95) < 1e-12)
  }

  @Test func aFingerIsImpairedATwentiethOfTheTime() {
    var stream = random.stream(.fingerState)
    let step = standard.step(over: .seconds(1200))
    var state = standard.settled(using: &stream)
    var impaired = 0
    for _ in 0..<60_000 {
      state = step.next(after: state, using: &stream)
      if state == .impaired { impaired += 1 }
    }
    // Correlation 0.12 from step to step makes n worth n / 1.28; six deviations.
    #expect(abs(Double(impaired) / 60_000 - 0.05) < 0.0061, "SEED=\(random.seed)")
  }

  @Test func aFingerThatIsAlwaysGoodStaysSo() {
    var stream = random.stream(.fingerState)
    let good = FingerStateProcess.alwaysGood
    let step = good.step(over: .seconds(3600))
    for _ in 0..<100 {
      #expect(good.settled(using: &stream) == .good)
      #expect(step.next(after: .good, using: &stream) == .good)
    }
  }

  @Test(arguments: [(-0.1, 600), (1, 600), (.nan, 600), (0.5, 0), (0.5, -1)])
  func refusesWhatIsNoProcess(_ share: Double, _ seconds: Int) {
    #expect(throws: ModelError.self) {
      try FingerStateProcess(impairedShare: share, impairedFor: .seconds(seconds))
    }
  }

  // MARK: Calibration

  private static let rates = [1e-9, 0.001, 0.01, 0.25, 0.5, 0.99]

  @Test(arguments: rates, [-2.073, -0.5, 1.5])
  func theMeanOverTheStatesIsTheStatedRate(_ rate: Double, _ impairment: Double) throws {
    let effects = try ScoreEffects(impairment: impairment)
    let process = try FingerStateProcess(impairedShare: 0.3, impairedFor: .seconds(60))
    let stated = EnrolledFinger(margin: 0.6 * StandardNormal.upperQuantile(rate), noise: 0.6)
    let finger = stated.calibrated(process, effects)
    func miss(_ state: FingerState) -> Double {
      finger.miss(shift: effects.shift(in: CaptureConditions(finger: state), noise: finger.noise))
    }
    let mean = 0.7 * miss(.good) + 0.3 * miss(.impaired)
    #expect(abs(mean / rate - 1) < 1e-9)
    #expect((miss(.impaired) > miss(.good)) == (impairment < 0))
  }

  @Test func aFingerThatMissesOnePercentWhenGoodMissesFortyWhenImpairedWhoeverItBelongsTo() {
    for noise in [1.0, 0.7, 0.2] {
      let finger = EnrolledFinger(margin: noise * StandardNormal.upperQuantile(0.01), noise: noise)
      let wet = CaptureConditions(finger: .impaired)
      let miss = finger.miss(shift: ScoreEffects.standard.shift(in: wet, noise: noise))
      #expect(isClose(miss, 0.40), "\(noise)")
    }
  }

  @Test func fingersThatNothingChangesKeepTheirMargin() throws {
    let finger = EnrolledFinger(margin: 1.2, noise: 0.5)
    #expect(finger.calibrated(.alwaysGood, .standard) == finger)
    #expect(finger.calibrated(.standard, try ScoreEffects(impairment: 0)) == finger)
    let certain = EnrolledFinger(margin: 1.2, noise: 0)
    #expect(certain.calibrated(.standard, .standard) == certain)
  }
}
