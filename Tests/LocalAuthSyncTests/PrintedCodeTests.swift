import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

@Suite struct PrintedCodeTests {
  private func check(_ values: [UInt8]) -> [UInt8] {
    var check = PrintedCheck()
    for value in values { check.add(value) }
    return [check.values.0, check.values.1]
  }

  @Test func everyCharacterComesBack() {
    for value in 0..<32 as Range<UInt8> {
      #expect(PrintedCode.value(PrintedCode.character(value)) == value)
    }
    #expect(Set((0..<32 as Range<UInt8>).map { PrintedCode.character($0) }).count == 32)
  }

  @Test func whatLooksAlikeIsTheSame() {
    for (typed, meant) in [("o", "0"), ("O", "0"), ("l", "1"), ("I", "1"), ("x", "X")] {
      let values = [typed, meant].map { PrintedCode.value(Array($0.utf8)[0]) }
      #expect(values[0] != nil && values[0] == values[1])
    }
    for wrong in ["u", "U", "!", "_", "é"] {
      #expect(PrintedCode.value(Array(wrong.utf8)[0]) == nil)
    }
  }

  @Test func anyOneOrTwoWrongCharactersAreNoticed() {
    var random = SeededGenerator.ofThisRun
    let values = (0..<26).map { _ in UInt8.random(in: 0..<32, using: &random) }
    let right = check(values)
    for first in values.indices {
      for second in first..<values.count {
        for change in 1..<32 as Range<UInt8> {
          var wrong = values
          wrong[first] ^= change
          if second != first { wrong[second] ^= UInt8.random(in: 1..<32, using: &random) }
          #expect(check(wrong) != right, "seed \(random.seed)")
        }
        var exchanged = values
        exchanged.swapAt(first, second)
        if exchanged != values { #expect(check(exchanged) != right, "seed \(random.seed)") }
      }
    }
  }

  @Test func wordsSayEachBit() {
    let digest = CircleFixture.digest(0)
    var seen: Set<[String]> = [FingerprintWords.words(digest, count: 16)]
    for index in 0..<SyncDigest.size {
      for bit in 0..<8 {
        var bytes = digest.bytes
        bytes[index] ^= 1 << bit
        guard let other = SyncDigest(bytes) else { continue }
        seen.insert(FingerprintWords.words(other, count: 16))
      }
    }
    #expect(seen.count == 257)
    #expect(FingerprintWords.words(digest, count: 6).allSatisfy { $0.count == 5 })
    #expect(FingerprintWords.words(digest, count: 6).count == 6)
  }
}
