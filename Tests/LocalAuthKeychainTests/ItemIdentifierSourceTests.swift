import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@Suite struct ItemIdentifierSourceTests {
  private func bytes(_ milliseconds: Int64) -> [UInt8] {
    var source = ItemIdentifierSource()
    var random = SeededGenerator.ofThisRun
    return source.next(at: WallInstant(milliseconds: milliseconds), using: &random).bytes
  }

  @Test func itIsAVersion7UUIDThatBeginsWithItsMilliseconds() {
    let bytes = bytes(0x0123_4567_89AB)
    #expect(Array(bytes[..<6]) == [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB])
    #expect(bytes[6] >> 4 == 7)
    #expect(bytes[8] >> 6 == 2)
  }

  @Test func theySortAsTheyWereMadeWhateverTheClockDoes() {
    var source = ItemIdentifierSource()
    var random = SeededGenerator.ofThisRun
    var earlier = ItemIdentifier(high: 0, low: 0)
    for step in 0..<20_000 {
      // It stands, runs, and is set back now and then.
      let milliseconds = 1_700_000_000_000 + Int64(step / 7) - (step % 1000 == 0 ? 1_000_000 : 0)
      let next = source.next(at: WallInstant(milliseconds: milliseconds), using: &random)
      #expect(earlier < next, "seed \(random.seed) step \(step)")
      #expect(next.bytes[6] >> 4 == 7 && next.bytes[8] >> 6 == 2, "seed \(random.seed)")
      earlier = next
    }
  }

  @Test func moreThanTheCounterHoldsRunAheadOfTheClock() {
    var source = ItemIdentifierSource()
    var random = SeededGenerator.ofThisRun
    let made = (0..<10_000).map { _ in
      source.next(at: WallInstant(milliseconds: 5), using: &random)
    }
    #expect(made == made.sorted())
    #expect(Set(made).count == made.count)
    #expect(made[9_999].bytes[5] == 7)
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func noClockTraps(_ milliseconds: Int64) { #expect(bytes(milliseconds)[6] >> 4 == 7) }

  @Test(arguments: [.max, 1 << 48 - 1, 0xFFFF << 32] as [Int64])
  func noClockMakesWhatIsReserved(_ milliseconds: Int64) {
    #expect(!bytes(milliseconds).starts(with: [0xFF, 0xFF]))
  }
}
