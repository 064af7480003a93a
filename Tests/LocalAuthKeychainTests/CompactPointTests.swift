import LocalAuthKeychain
import Testing

@Suite struct CompactPointTests {
  private func point(_ y: [UInt8]) -> [UInt8] {
    [4] + [UInt8](repeating: 1, count: 32) + y
  }

  /// (p - 1) / 2 and the number above it, by the prime of FIPS 186-4, D.1.2.3.
  @Test func lesserOfTwoValuesIsCompact() {
    let prime: [UInt8] =
      [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
      + [UInt8](repeating: 0xFF, count: 12)
    var carry: UInt8 = 0
    let half = prime.map { byte in
      defer { carry = byte & 1 }
      return byte >> 1 | carry << 7
    }
    var above = half
    for index in above.indices.reversed() {
      above[index] &+= 1
      if above[index] != 0 { break }
    }
    #expect(KeyCurve.isCompact(point(half)))
    #expect(!KeyCurve.isCompact(point(above)))
    #expect(KeyCurve.isCompact(point([UInt8](repeating: 0, count: 32))))
    #expect(!KeyCurve.isCompact(point([UInt8](repeating: 0xFF, count: 32))))
  }

  @Test(arguments: [0, 32, 64, 66]) func nothingOfAnotherSizeIs(_ size: Int) {
    #expect(!KeyCurve.isCompact([UInt8](repeating: 0, count: size)))
  }
}
