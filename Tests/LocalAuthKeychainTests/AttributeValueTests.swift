import LocalAuthKeychain
import Testing

@Suite struct AttributeValueTests {
  @Test func aTextEqualsTheDatumOfItsUTF8() {
    #expect(AttributeValue.text("a").equals(.data([0x61])))
    #expect(AttributeValue.text("é").equals(.data([0xC3, 0xA9])))
    #expect(AttributeValue.text("").equals(.data([])))
  }

  @Test func caseAndEveryByteCount() {
    #expect(!AttributeValue.text("a").equals(.text("A")))
    // One character in two spellings is two values, as it is to Apple's digest.
    #expect(!AttributeValue.text("\u{E9}").equals(.text("e\u{301}")))
  }

  @Test func aNumberEqualsItsDigits() {
    #expect(AttributeValue.number(42).equals(.text("42")))
    #expect(!AttributeValue.number(0).equals(.text("")))
  }
}
