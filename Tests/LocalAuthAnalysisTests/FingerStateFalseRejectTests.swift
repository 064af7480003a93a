import LocalAuthAnalysis
import LocalAuthSensor
import Testing

@Suite struct FingerStateFalseRejectTests {
  private let chain = FingerStateChain.standard

  @Test func burstsMakeThreeMissesTwentyTimesAsLikely() {
    let found = chain.falseReject(attempts: 3, good: 0.01, impaired: 0.40)
    #expect(abs(found - 0.008_690_707) < 1e-12)
    let mean = chain.meanMiss(good: 0.01, impaired: 0.40)
    #expect(abs(mean - 0.075) < 1e-12)
    #expect(abs(Chance.all(of: 3, each: mean) - 4.2e-4) < 5e-6)
  }

  @Test func aStateThatDoesNotMatterMakesItAPower() {
    for attempts in 0...8 as ClosedRange<UInt64> {
      let found = chain.falseReject(attempts: attempts, good: 0.2, impaired: 0.2)
      #expect(abs(found / Chance.all(of: attempts, each: 0.2) - 1) < 1e-12)
    }
  }

  @Test func aStateThatNeverLastsMakesItAPowerOfTheMean() throws {
    let fresh = try FingerStateChain(worsening: 0.25, recovering: 0.75)
    let found = fresh.falseReject(attempts: 4, good: 0.01, impaired: 0.40)
    let mean = fresh.meanMiss(good: 0.01, impaired: 0.40)
    #expect(abs(found / Chance.all(of: 4, each: mean) - 1) < 1e-12)
  }
}
