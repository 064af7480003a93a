import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@Suite struct ItemIdentifierTests {
  @Test func aNewOneIsAVersion4UUIDAndComesBackFromItsBytes() {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<1000 {
      let identifier = ItemIdentifier(using: &random)
      #expect(identifier.bytes[6] >> 4 == 4, "seed \(random.seed)")
      #expect(identifier.bytes[8] >> 6 == 2, "seed \(random.seed)")
      #expect(ItemIdentifier(bytes: identifier.bytes) == identifier, "seed \(random.seed)")
    }
  }

  @Test func itsTextHasTheUsualShape() {
    let identifier = ItemIdentifier(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_0DEF)
    #expect(identifier.text == "01234567-89AB-4DEF-8123-456789AB0DEF")
  }

  @Test func anyOtherCountOfBytesIsNone() {
    for count in [0, 1, 15, 17, 32] {
      #expect(ItemIdentifier(bytes: [UInt8](repeating: 0, count: count)) == nil)
    }
  }
}
