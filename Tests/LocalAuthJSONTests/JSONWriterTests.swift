import LocalAuthJSON
import LocalAuthTestSupport
import Testing

@Suite struct JSONWriterTests {
  @Test func setsCommasByItself() throws {
    let text = try written { writer in
      writer.beginObject()
      writer.key("a")
      writer.int(1)
      writer.key("b")
      writer.beginArray()
      writer.bool(true)
      writer.null()
      writer.beginArray()
      writer.endArray()
      writer.beginObject()
      writer.endObject()
      writer.endArray()
      writer.key(named: "c\"")
      writer.string("x")
      writer.endObject()
    }
    #expect(text == #"{"a":1,"b":[true,null,[],{}],"c\"":"x"}"#)
  }

  @Test func escapesWhatMustBeEscapedAndNothingElse() throws {
    #expect(
      try written { $0.string("\"\\/\u{8}\t\n\u{C}\r\u{0}\u{B}\u{1F}\u{7F}é😀") }
        == "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u000b\\u001f\u{7F}é😀\""
    )
  }

  /// Everything that a terminal acts on, that reorders a line or that nobody sees.
  @Test func whatIsShownHasNoCharacterThatActsOnATerminal() throws {
    var seen = 0
    for number in UInt32(0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let category = scalar.properties.generalCategory
      let isUnseen = [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
      guard isUnseen || number % 997 == 0 else { continue }
      let value = "a\(scalar)z"
      let text = try written { writer in
        writer.isShown = true
        writer.string(value)
      }
      #expect(!isUnseen || text.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "U+\(number)")
      #expect(try tree(text) == JSONValue(.string(value)), "U+\(number)")
      seen += isUnseen ? 1 : 0
    }
    #expect(seen > 200)
  }

  @Test func whatIsShownKeepsLettersAndEscapesAsPeopleWriteThem() throws {
    let text = try written { writer in
      writer.isShown = true
      writer.string("\"\\\n\u{9B}31m\u{7F}é漢😀\u{202E}\u{E0041}")
    }
    #expect(text == #""\"\\\n\u009b31m\u007fé漢😀\u202e\udb40\udc41""#)
  }

  @Test func escapesAtEveryOffset() throws {
    for padding in 0..<20 {
      let filler = String(repeating: "ÿ ", count: padding)
      let value = filler + "\"" + filler + "\u{1}" + filler
      let text = try written { $0.string(value) }
      #expect(try tree(text) == JSONValue(.string(value)))
    }
  }

  @Test func writesIntegersOfEveryWidth() throws {
    let values: [Int64] = [0, 1, -1, 9, 10, -10, 99, 100, 1_234_567_890, .max, .min]
    for value in values { #expect(try written { $0.int(value) } == String(value)) }
    #expect(try written { $0.int(Int8.min) } == "-128")
  }

  @Test func writesDoublesThatReadBackExactly() throws {
    let values: [Double] = [
      0, -0.0, 1, -1.5, 0.1, 1e16, 1e20, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      .pi,
    ]
    for value in values {
      let text = try written { $0.double(value) }
      let back = try read(text) { (reader) throws(JSONError) in try reader.double() }
      #expect(back.bitPattern == value.bitPattern, "\(text)")
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func refusesNumbersThatJSONCannotExpress(_ value: Double) {
    #expect(throws: JSONWriteError.notFinite) { try written { $0.double(value) } }
  }

  @Test func refusesAnUnfinishedText() {
    #expect(throws: JSONWriteError.incomplete) { try written { $0.beginObject() } }
    #expect(throws: JSONWriteError.incomplete) { try written { _ in } }
  }
}

@Suite struct JSONWriterDestinationsTests {
  @Test func appendsToWhatIsThere() throws {
    var bytes: [UInt8] = [1, 2]
    try JSONWriter.write(into: &bytes) { $0.int(7) }
    #expect(bytes == [1, 2, UInt8(ascii: "7")])
  }

  @Test func leavesNothingOfAFailedText() {
    var bytes: [UInt8] = [1, 2]
    #expect(throws: JSONWriteError.notFinite) {
      try JSONWriter.write(into: &bytes) { writer in
        writer.beginArray()
        writer.double(.nan)
        writer.endArray()
      }
    }
    #expect(bytes == [1, 2])
  }

  @Test func reusesTheCapacityOfTheArray() throws {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4096)
    let before = unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    try JSONWriter.write(into: &bytes) { $0.string(String(repeating: "x", count: 1000)) }
    let after = unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    #expect(before == after)
  }

  /// What lies in `capacity` bytes of fixed memory after `body`, and how much of it was counted.
  private func fixed(
    _ capacity: Int,
    _ body: (inout JSONWriter<JSONFixedBuffer>) -> Void
  ) throws -> String {
    var memory = [UInt8](repeating: 0xAA, count: capacity + 1)
    let count = try unsafe memory.withUnsafeMutableBytes { bytes throws -> Int in
      try unsafe JSONWriter.write(
        into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<capacity]),
        body
      )
    }
    #expect(memory[capacity] == 0xAA)
    return String(decoding: memory[..<count], as: UTF8.self)
  }

  private func write(secret: [UInt8], _ writer: inout JSONWriter<JSONFixedBuffer>) {
    writer.beginObject()
    writer.key("answer")
    unsafe secret.withUnsafeBytes { unsafe writer.secretString(bytes: $0) }
    writer.endObject()
  }

  /// The vectors of RFC 4648, section 10, and the two letters that they lack.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("~~~???", "fn5+Pz8/"),
  ]) func writesBase64(_ plain: String, _ encoded: String) throws {
    let bytes = Array(plain.utf8)
    #expect(try written { $0.base64(bytes.span) } == "\"\(encoded)\"")
    let secret = try fixed(64) { writer in
      // SAFETY: the array stays in place in the closure.
      unsafe bytes.withUnsafeBytes { unsafe writer.secretBase64(bytes: $0) }
    }
    #expect(secret == "\"\(encoded)\"")
  }

  /// The plainest way: bits in groups of six.
  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var bits = bytes.flatMap { byte in (0..<8).map { Int(byte >> (7 - $0) & 1) } }
    while bits.count % 6 != 0 { bits.append(0) }
    let letters = stride(from: 0, to: bits.count, by: 6)
      .map { alphabet[bits[$0..<($0 + 6)].reduce(0) { $0 * 2 + $1 }] }
    return String(letters) + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
  }

  /// Each digit at each place, and each length up to more than is written at once.
  @Test func writesBase64OfEveryLength() throws {
    var random = SeededGenerator.ofThisRun
    for count in 0..<600 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let encoded = Self.base64(bytes)
      #expect(try written { $0.base64(bytes.span) } == "\"\(encoded)\"", "seed \(random.seed)")
      let secret = try fixed(1000) { writer in
        // SAFETY: the array stays in place in the closure.
        unsafe bytes.withUnsafeBytes { unsafe writer.secretBase64(bytes: $0) }
      }
      #expect(secret == "\"\(encoded)\"", "seed \(random.seed)")
    }
  }

  @Test func writesASecretIntoFixedMemory() throws {
    let text = try fixed(64) { write(secret: Array("p\"é\n".utf8), &$0) }
    #expect(text == #"{"answer":"p\"é\n"}"#)
  }

  @Test func fillsFixedMemoryToTheLastByte() throws {
    #expect(try fixed(19) { write(secret: Array("123456".utf8), &$0) } == #"{"answer":"123456"}"#)
  }

  @Test func refusesEveryBufferThatIsTooSmall() {
    for capacity in 0..<19 {
      #expect(throws: JSONWriteError.bufferFull) {
        try fixed(capacity) { write(secret: Array("123456".utf8), &$0) }
      }
    }
  }

  @Test func refusesASecretThatIsNotUTF8() {
    #expect(throws: JSONWriteError.invalidUTF8) {
      try fixed(64) { write(secret: [0x31, 0xFF], &$0) }
    }
  }

  @Test func writesAnEmptySecret() throws {
    #expect(try fixed(64) { write(secret: [], &$0) } == #"{"answer":""}"#)
  }
}
