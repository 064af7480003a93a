import Testing

@testable import LocalAuthSensor

@Suite struct PhiloxTests {
  /// The known answers of Random123 for philox4x32 with 10 rounds; the last from the digits of pi.
  @Test func answersAsRandom123Does() {
    let zeros = Philox(key: 0).block(.init(a: 0, b: 0, c: 0, d: 0))
    #expect(zeros == .init(a: 0x6627_E8D5, b: 0xE169_C58D, c: 0xBC57_AC4C, d: 0x9B00_DBD8))
    let ones = Philox(key: .max).block(.init(a: .max, b: .max, c: .max, d: .max))
    #expect(ones == .init(a: 0x408F_276D, b: 0x41C8_3B0E, c: 0xA20B_C7C6, d: 0x6D54_51FD))
    let pi = Philox(key: 0x299F_31D0_A409_3822)
      .block(.init(a: 0x243F_6A88, b: 0x85A3_08D3, c: 0x1319_8A2E, d: 0x0370_7344))
    #expect(pi == .init(a: 0xD16C_FE09, b: 0x94FD_CCEB, c: 0x5001_E420, d: 0x2412_6EA1))
  }

  /// Half of the answer's 128 bits change with any one bit of the counter.
  @Test func everyBitOfTheCounterReachesEveryBitOfTheAnswer() {
    let philox = Philox(key: 17)
    let base = philox.block(.init(a: 0, b: 0, c: 0, d: 0))
    for bit in 0..<128 {
      var words: [UInt32] = [0, 0, 0, 0]
      words[bit / 32] = 1 << UInt32(bit % 32)
      let other = philox.block(.init(a: words[0], b: words[1], c: words[2], d: words[3]))
      let changed = [(base.a, other.a), (base.b, other.b), (base.c, other.c), (base.d, other.d)]
        .reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
      // 64 with a deviation of 5.7; eight deviations are 1e-15.
      #expect((18...110).contains(changed), "bit \(bit): \(changed)")
    }
  }
}
