import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

@Suite struct KeyedRecordTaggerTests {
  @Test func aTagVouchesForItsMessage() throws {
    let tagger = KeyedRecordTagger(try testKey())
    for size in [0, 1, 63, 64, 127, 128, 129, 1000, 70_000] {
      let message = [UInt8](repeating: 9, count: size)
      let tag = tagger.tag(over: message)
      #expect(tag.count == 32)
      #expect(tagger.verify(tag, over: message))
    }
  }

  @Test func everyFlippedBitIsNoticed() throws {
    let tagger = KeyedRecordTagger(try testKey())
    let message = Array("a record".utf8)
    let tag = tagger.tag(over: message)
    for bit in 0..<(message.count * 8) {
      var flipped = message
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!tagger.verify(tag, over: flipped))
    }
    for bit in 0..<(tag.count * 8) {
      var flipped = tag
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!tagger.verify(flipped, over: message))
    }
  }

  @Test(arguments: [0, 1, 16, 31, 33, 64]) func aTagOfAnotherSizeNeverFits(_ size: Int) throws {
    let tagger = KeyedRecordTagger(try testKey())
    let tag = tagger.tag(over: [1])
    #expect(!tagger.verify(Array((tag + tag).prefix(size)), over: [1]))
  }

  @Test func anotherKeyVouchesForNothing() throws {
    let tag = KeyedRecordTagger(try testKey()).tag(over: [1, 2, 3])
    #expect(!KeyedRecordTagger(try testKey(1)).verify(tag, over: [1, 2, 3]))
  }

  @Test func authenticatorsOfOneKeyAgree() throws {
    let tag = KeyedRecordTagger(try testKey()).tag(over: [1, 2, 3])
    #expect(KeyedRecordTagger(try testKey()).verify(tag, over: [1, 2, 3]))
  }
}

@Suite struct KeyedHashTests {
  /// Computed with Python's hashlib.blake2b(message, digest_size=32, key=bytes(range(32))).
  @Test(arguments: [
    ("", "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d"),
    ("abc", "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f"),
    (
      String(repeating: "a", count: 129),
      "dda241c536715988fec6a1f284e4da2059d465156b4cc2a51b543d0e7f3623d7"
    ),
  ])
  func knownAnswersHold(_ message: String, _ tag: String) {
    let key = secret(Array(0..<32))
    #expect(KeyedHash.tag(over: Array(message.utf8), key: key) == hex(tag))
    #expect(KeyedHash.tag(over: secret(message), key: key) == hex(tag))
  }
}
