import LocalAuthAnalysis
import LocalAuthSensor
import Testing

@Suite struct FingerStateFalseRejectTests {
  private let process = FingerStateProcess.standard

  private func falseReject(
    _ process: FingerStateProcess,
    _ attempts: UInt64,
    apart: Duration = .milliseconds(440),
    _ good: Double,
    _ impaired: Double
  ) -> Double {
    process.falseReject(attempts: attempts, apart: apart, good: good, impaired: impaired)
  }

  @Test func burstsMakeThreeMissesOneHundredTimesAsLikely() {
    let found = falseReject(process, 3, 0.01, 0.40)
    let mean = falseReject(process, 1, 0.01, 0.40)
    #expect(abs(mean - 0.0295) < 1e-12)
    #expect(found / Chance.all(of: 3, each: mean) > 100)
    // All of it is a finger that is wet throughout: a twentieth of 0.064.
    #expect(abs(found / 0.0032 - 1) < 0.01)
  }

  @Test func aStateThatDoesNotMatterMakesItAPower() {
    for attempts in 0...8 as ClosedRange<UInt64> {
      let found = falseReject(process, attempts, 0.2, 0.2)
      #expect(abs(found / Chance.all(of: attempts, each: 0.2) - 1) < 1e-12)
    }
  }

  @Test func aStateThatIsForgottenMakesItAPowerOfTheMean() {
    let found = falseReject(process, 4, apart: .seconds(1_000_000), 0.01, 0.40)
    #expect(abs(found / Chance.all(of: 4, each: 0.0295) - 1) < 1e-9)
  }
}
