import LocalAuthJSON
import Testing

@Suite struct JSONReaderScalarsTests {
  private func string(_ text: String) throws(JSONError) -> String {
    try read(text) { (reader) throws(JSONError) in try reader.string() }
  }

  private func int(_ text: String) throws(JSONError) -> Int64 {
    try read(text) { (reader) throws(JSONError) in try reader.int() }
  }

  private func double(_ text: String) throws(JSONError) -> Double {
    try read(text) { (reader) throws(JSONError) in try reader.double() }
  }

  @Test func decodesEveryEscape() throws {
    #expect(try string(#""\"\\\/\b\f\n\r\t""#) == "\"\\/\u{8}\u{C}\n\r\t")
    #expect(try string(#""\u0041\u00e9\u20AC\ud83d\uDE00\u0000""#) == "Aé€😀\u{0}")
  }

  @Test func keepsUnicodeAtEveryOffset() throws {
    for padding in 0..<20 {
      let value = String(repeating: "x", count: padding) + "é€😀\u{10FFFF}\u{D7FF}\u{E000}"
      #expect(try string("\"\(value)\"") == value)
    }
  }

  @Test func findsASpecialByteAtEveryOffset() throws {
    for padding in 0..<20 {
      let filler = String(repeating: "~", count: padding)
      #expect(try string("\"\(filler)\\n\(filler)\"") == "\(filler)\n\(filler)")
      #expect(
        complaint("\"\(filler)\u{1F}\(filler)\"") == JSONError(.controlCharacter, at: padding + 1)
      )
      #expect(complaint("\"\(filler)") == JSONError(.unexpectedEnd, at: padding + 1))
    }
  }

  @Test(arguments: [
    ("\"\\x\"", JSONError.Kind.invalidEscape), ("\"\\u12g4\"", .invalidEscape),
    ("\"\\u12\"", .invalidEscape), ("\"\\U0041\"", .invalidEscape), ("\"\\u+041\"", .invalidEscape),
    ("\"\\", .unexpectedEnd), ("\"\\u", .unexpectedEnd), ("\"\\u004", .unexpectedEnd),
    ("\"\\ud800\"", .loneSurrogate), ("\"\\udc00\"", .loneSurrogate),
    ("\"\\ud800x\"", .loneSurrogate), ("\"\\ud800\\n\"", .loneSurrogate),
    ("\"\\ud800\\ud800\"", .loneSurrogate), ("\"\\ud800\\u0041\"", .loneSurrogate),
    ("\"\n\"", .controlCharacter), ("\"\u{0}\"", .controlCharacter), ("'a'", .expectedValue),
  ])
  func refusesBrokenStrings(_ text: String, _ kind: JSONError.Kind) {
    #expect(complaint(text)?.kind == kind)
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xE2, 0x82, 0x41],
      [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x41],
      [0xF5, 0x80, 0x80, 0x80],
      [0xFF], [0xFE],
    ] as [[UInt8]]
  )
  func refusesBytesThatAreNotUTF8(_ bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(complaint([quote] + bytes + [quote]) == JSONError(.invalidUTF8, at: 1))
    #expect(complaint([quote] + bytes)?.kind == .invalidUTF8)
  }

  @Test func agreesWithTheStandardLibraryOnEveryPairOfBytes() {
    let quote = UInt8(ascii: "\"")
    for first in UInt8(0x80)...0xFF {
      for second in UInt8(0x80)...0xFF {
        for tail in [[], [0x80], [0x80, 0x80]] as [[UInt8]] {
          let bytes = [first, second] + tail
          let isValid = String(validating: bytes, as: UTF8.self) != nil
          #expect((complaint([quote] + bytes + [quote]) == nil) == isValid, "\(bytes)")
        }
      }
    }
  }

  @Test func readsIntegersExactly() throws {
    #expect(try int("0") == 0)
    #expect(try int("-0") == 0)
    #expect(try int("9223372036854775807") == .max)
    #expect(try int("-9223372036854775808") == .min)
    #expect(try int("9007199254740993") == 9_007_199_254_740_993)
  }

  @Test(arguments: [
    ("9223372036854775808", JSONError.Kind.numberOutOfRange),
    ("-9223372036854775809", .numberOutOfRange), ("18446744073709551616", .numberOutOfRange),
    ("99999999999999999999999", .numberOutOfRange), ("1.0", .expectedInteger),
    ("1e2", .expectedInteger), ("true", .expected(.number)),
  ])
  func refusesWhatIsNoInteger(_ text: String, _ kind: JSONError.Kind) {
    #expect(failure(text) { (reader) throws(JSONError) in _ = try reader.int() }?.kind == kind)
  }

  @Test func readsDoublesToTheNearest() throws {
    let texts = [
      "0", "1", "-1", "0.1", "1e23", "9007199254740993", "5e-324", "2.4703282292062328e-324",
      "1.7976931348623157e308", "123456789012345678901234567890", "1E+2", "1e-2", "1e-400",
    ]
    for text in texts { #expect(try double(text) == Double(text)) }
    #expect(try double("-0").sign == .minus)
    #expect(try double("-0.0").sign == .minus)
  }

  @Test func refusesDoublesBeyondTheLargest() {
    for text in ["1e309", "-1e309", "1e99999999999", "1" + String(repeating: "0", count: 400)] {
      let error = failure(text) { (reader) throws(JSONError) in _ = try reader.double() }
      #expect(error == JSONError(.numberOutOfRange, at: 0))
    }
  }

  @Test(arguments: ["01", "-01", "00", "1.e1", "1e+x", "1ex", "-x", "-.5", "0.x"])
  func refusesBrokenNumbers(_ text: String) {
    #expect(complaint(text) == JSONError(.invalidNumber, at: 0))
  }

  @Test(arguments: ["-", "1.", "1e", "1e+"])
  func refusesUnfinishedNumbers(_ text: String) {
    #expect(complaint(text) == JSONError(.unexpectedEnd, at: text.utf8.count))
  }

  @Test(arguments: ["+1", ".5", "NaN", "Infinity", "-Infinity"])
  func refusesNumbersOfOtherLanguages(_ text: String) { #expect(complaint(text) != nil) }

  @Test(arguments: ["0x1", "1_000", "1f", "1e5.5", "1.2.3"])
  func refusesWhatFollowsANumber(_ text: String) {
    #expect(complaint(text)?.kind == .trailingContent)
  }

  @Test func tellsNullFromOtherValues() throws {
    try read("[null,1]") { (reader) throws(JSONError) in
      try reader.beginArray()
      #expect(try reader.nextElement())
      #expect(try reader.isNull())
      #expect(try reader.nextElement())
      #expect(try !reader.isNull())
      #expect(try reader.int() == 1)
      #expect(try !reader.nextElement())
    }
  }

  @Test func handsASecretOverByteByByte() throws {
    var bytes: [UInt8] = []
    try read(#""p\"\u00e9\ud83d\ude00""#) { (reader) throws(JSONError) in
      try reader.secretString {
        bytes.append($0)
        return true
      }
    }
    #expect(bytes == Array("p\"é😀".utf8))
  }

  @Test func handsNothingOfAMalformedSecretOver() {
    var count = 0
    let error = failure(#""1234\ud800""#) { (reader) throws(JSONError) in
      try reader.secretString { _ in
        count += 1
        return true
      }
    }
    #expect(error?.kind == .loneSurrogate)
    #expect(count == 0)
  }

  @Test func stopsWhenASecretDoesNotFit() {
    for text in [#"["12345"]"#, #"["123\u20ac"]"#] {
      var room = 4
      let error = failure(text) { (reader) throws(JSONError) in
        try reader.beginArray()
        _ = try reader.nextElement()
        try reader.secretString { _ in
          guard room > 0 else { return false }
          room -= 1
          return true
        }
      }
      #expect(error == JSONError(.stringTooLong, at: 1))
      #expect(room == 0)
    }
  }
}
