import LocalAuthJSON
import LocalAuthTestSupport
import Testing

@testable import LocalAuthWire

@Suite struct Base64DecoderTests {
  /// Decodes all at once, as bytes that are no secret are.
  private func decodeAtOnce(_ text: String) -> [UInt8]? {
    var decoder = Base64Decoder()
    let bytes = Base64Decoder.bytes(of: Array(text.utf8).span, endingIn: &decoder)
    return decoder.isComplete ? bytes : nil
  }

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

  /// Texts of every length, whole, and with one character changed, added or taken away.
  @Test func readingAtOnceFindsWhatReadingOneByOneDoes() {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    let alphabet = Array("ABYZabyz0189+/=-_ \n\"".utf8) + [0, 0x7F, 0x80, 0xFF]
    var accepted = 0
    for round in 0..<4000 {
      var text = (0..<(round % 70)).map { _ in
        alphabet[Int(generator.next() % 14)]
      }
      while round % 3 != 0, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
      if round % 2 == 1, !text.isEmpty {
        let place = Int(generator.next() % UInt64(text.count))
        text[place] = alphabet[Int(generator.next() % UInt64(alphabet.count))]
      }
      let string = String(decoding: text, as: UTF8.self)
      let expected = decode(string)
      #expect(decodeAtOnce(string) == expected, "\(string), SEED=\(seed)")
      if expected != nil { accepted += 1 }
    }
    #expect(accepted > 400, "SEED=\(seed)")
  }

  @Test func aStringWithEscapesIsReadAsWell() throws {
    let text = Array(#""Zm9v\u0059g=\u003D""#.utf8)
    let bytes = try JSONReader.read(text.span) { (reader) throws(WireError) in
      try WireBytes.read(&reader)
    }
    #expect(bytes.bytes == Array("foob".utf8))
  }
}
