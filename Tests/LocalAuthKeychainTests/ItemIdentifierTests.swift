import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@Suite struct ItemIdentifierTests {
  @Test func itComesBackFromItsBytes() {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<1000 {
      let identifier = ItemIdentifier(high: random.next(), low: random.next())
      #expect(ItemIdentifier(bytes: identifier.bytes) == identifier, "seed \(random.seed)")
    }
  }

  @Test func itsTextHasTheUsualShape() {
    let identifier = ItemIdentifier(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_0DEF)
    #expect(identifier.text == "01234567-89AB-4DEF-8123-456789AB0DEF")
  }

  @Test func itComesBackFromItsTextInEitherCase() {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<1000 {
      let identifier = ItemIdentifier(high: random.next(), low: random.next())
      #expect(ItemIdentifier(text: identifier.text) == identifier, "seed \(random.seed)")
      let lower = identifier.text.lowercased()
      #expect(ItemIdentifier(text: lower) == identifier, "seed \(random.seed)")
    }
  }

  @Test(arguments: [
    "", "-", "----", "01234567-89AB-4DEF-8123-456789AB0DE", "0123456789AB4DEF8123456789AB0DEF",
    "01234567-89AB-4DEF-8123-456789AB0DEF-", "-01234567-89AB-4DEF-8123-456789AB0DEF",
    "01234567-89AB-4DEF-8123-456789AB0DEG", "0123456-789AB-4DEF-8123-456789AB0DEF",
    "01234567-89AB-4DEF-8123456789AB0DEF", "é1234567-89AB-4DEF-8123-456789AB0DE",
  ]) func anyOtherTextIsNone(_ text: String) { #expect(ItemIdentifier(text: text) == nil) }

  @Test func anyOtherCountOfBytesIsNone() {
    for count in [0, 1, 15, 17, 32] {
      #expect(ItemIdentifier(bytes: [UInt8](repeating: 0, count: count)) == nil)
    }
  }
}
