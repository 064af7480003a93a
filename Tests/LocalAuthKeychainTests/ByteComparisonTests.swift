import Testing

@testable import LocalAuthKeychain

@Suite struct ByteComparisonTests {
  @Test(arguments: ["", "a", "fifteen letters", "a text that is longer than a small string"])
  func textHasItsOwnBytes(text: String) {
    #expect(text.hasBytes(of: text))
    let bytes = Array(text.utf8)
    let isSame = text.hasBytes(bytes.span)
    #expect(isSame)
    #expect(!text.hasBytes(of: text + "b"))
    #expect(!(text + "b").hasBytes(of: text))
  }

  @Test func twoSpellingsOfOneCharacterDiffer() {
    let (composed, decomposed) = ("\u{212B}", "A\u{30A}")
    #expect(composed == decomposed && composed.utf8.count == decomposed.utf8.count)
    #expect(!composed.hasBytes(of: decomposed))
  }
}
