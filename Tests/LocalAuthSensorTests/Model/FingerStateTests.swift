import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@Suite struct FingerStateTests {
  private let random = EventRandom(seed: SeededGenerator.ofThisRun.seed)

  @Test func aFingerIsImpairedASixthOfTheTime() {
    #expect(abs(FingerStateChain.standard.impairedShare - 1.0 / 6) < 1e-15)
    var stream = random.stream(.fingerState)
    var state = FingerStateChain.standard.settled(using: &stream)
    var impaired = 0
    for _ in 0..<60_000 {
      state = FingerStateChain.standard.next(after: state, using: &stream)
      if state == .impaired { impaired += 1 }
    }
    // Correlation 0.88 from step to step makes n worth n / 15.7; six deviations.
    #expect(abs(Double(impaired) / 60_000 - 1.0 / 6) < 0.037, "SEED=\(random.seed)")
  }

  @Test func aGoodFingerStaysGoodWhereNothingWorsens() {
    var stream = random.stream(.fingerState)
    for _ in 0..<100 {
      let states = [
        FingerStateChain.alwaysGood.settled(using: &stream),
        FingerStateChain.alwaysGood.next(after: .good, using: &stream),
        FingerStateChain.alwaysGood.next(after: .impaired, using: &stream),
      ]
      #expect(states == [.good, .good, .good])
    }
  }

  @Test(arguments: [(-0.1, 0.5), (0.5, 1.1), (0, 0), (.nan, 0.5)])
  func refusesWhatIsNoChain(_ worsening: Double, _ recovering: Double) {
    #expect(throws: ModelError.self) {
      try FingerStateChain(worsening: worsening, recovering: recovering)
    }
  }
}
