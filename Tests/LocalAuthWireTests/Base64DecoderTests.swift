import LocalAuthWire
import Testing

@Suite struct Base64DecoderTests {
  private func decode(_ text: String) -> [UInt8]? {
    var decoder = Base64Decoder()
    var bytes: [UInt8] = []
    for character in text.utf8 {
      let isTaken = decoder.take(character) {
        bytes.append($0)
        return true
      }
      guard isTaken else { return nil }
    }
    return decoder.isComplete ? bytes : nil
  }

  /// The vectors of RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
    ("Zm9vYmE=", "fooba"), ("Zm9vYmFy", "foobar"),
  ]) func readsTheVectorsOfTheStandard(_ text: String, _ plain: String) {
    #expect(decode(text) == Array(plain.utf8))
  }

  @Test func everyByteIsReadInEveryPlace() {
    #expect(decode("AP+A/gEC") == [0, 255, 128, 254, 1, 2])
    #expect(decode("//79/A==") == [255, 254, 253, 252])
  }

  @Test(arguments: [
    "Z", "Zg", "Zm8", "Zg=", "Zg===", "=", "====", "Zm9v=", "Zm9vZg==Zg==", "Zg==A", "Z===",
    "Zm 9v", "Zm9v\n", "Zm-_", "Zm9\u{E9}", "Zg=A", "Zh==", "Zm9=",
  ]) func takesNoOtherSpelling(_ text: String) {
    #expect(decode(text) == nil, "\(text)")
  }

  @Test func stopsWhereThereIsNoRoom() {
    var decoder = Base64Decoder()
    let first = decoder.take(UInt8(ascii: "Z")) { _ in false }
    let second = decoder.take(UInt8(ascii: "g")) { _ in false }
    #expect(first && !second)
  }
}
