import CommonCrypto
import LocalAuthTestKit
import Security
import Testing

/// Digests, codes and keys against published answers, and a cipher there and back.
@Suite struct CryptographyTests {
  private func hex(_ data: Data) -> String {
    data.map { String(format: "%02x", $0) }.joined()
  }

  // MARK: Digests

  /// FIPS 180-2, appendix B.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func digestsAreThoseOfTheStandard(text: String, digest: String) {
    #expect(hex(Cryptography.sha256(Data(text.utf8))) == digest)
  }

  @Test(arguments: [1, 63, 64, 65, 1_000, 4_096])
  func piecesGiveTheDigestOfTheWhole(size: Int) {
    let whole = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 31) })
    let pieces = stride(from: 0, to: whole.count, by: size).map {
      whole[$0..<min($0 + size, whole.count)]
    }
    #expect(Cryptography.sha256(ofPieces: pieces) == Cryptography.sha256(whole))
    #expect(Cryptography.sha256(ofPieces: [Data]()) == Cryptography.sha256(Data()))
  }

  // MARK: Codes

  /// RFC 4231, cases 1, 2 and 6.
  @Test func codesAreThoseOfTheStandard() {
    let codes: [(Data, Data, String)] = [
      (
        Data(repeating: 0x0b, count: 20), Data("Hi There".utf8),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Data("Jefe".utf8), Data("what do ya want for nothing?".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        Data(repeating: 0xaa, count: 131),
        Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ]
    for (key, text, code) in codes { #expect(hex(Cryptography.hmac(text, key: key)) == code) }
  }

  // MARK: Keys

  /// RFC 7914, section 11.
  @Test func keysOfPasswordsAreThoseOfTheStandard() throws {
    let key = try Cryptography.key(of: "passwd", salt: Data("salt".utf8), rounds: 1, count: 64)
    #expect(
      hex(key)
        == "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
    )
  }

  @Test func keysDifferByPasswordSaltAndRounds() throws {
    let salt = try Cryptography.random(16)
    let keys = [
      try Cryptography.key(of: "password", salt: salt, rounds: 1_000),
      try Cryptography.key(of: "passworD", salt: salt, rounds: 1_000),
      try Cryptography.key(of: "password", salt: salt, rounds: 1_001),
      try Cryptography.key(of: "password", salt: try Cryptography.random(16), rounds: 1_000),
      try Cryptography.key(of: "", salt: salt, rounds: 1_000),
    ]
    #expect(Set(keys).count == keys.count)
    #expect(try Cryptography.key(of: "password", salt: salt, rounds: 1_000) == keys[0])
    #expect(keys.allSatisfy { $0.count == kCCKeySizeAES256 })
  }

  @Test func noRoundsAndNoBytesAreAParameterError() {
    let failure = Cryptography.Failure(status: Int32(kCCParamError))
    #expect(throws: failure) { try Cryptography.key(of: "x", salt: Data([1]), rounds: 0) }
    #expect(throws: failure) {
      try Cryptography.key(of: "x", salt: Data([1]), rounds: 1, count: 0)
    }
  }

  // MARK: Ciphers

  @Test(arguments: [0, 1, 15, 16, 17, 1_000])
  func whatIsEncryptedComesBack(count: Int) throws {
    let key = try Cryptography.random(kCCKeySizeAES256)
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    let sealed = try Cryptography.encrypt(data, key: key)
    #expect(sealed.count == 16 + (count / 16 + 1) * 16)
    #expect(try Cryptography.decrypt(sealed, key: key) == data)
    #expect(try Cryptography.encrypt(data, key: key) != sealed, "each has a vector of its own")
  }

  /// Success does not mean that the key was the right one: the code over the result does.
  @Test func aWrongKeyGivesSomethingElse() throws {
    let key = try Cryptography.random(kCCKeySizeAES256)
    let data = Data("sixteen bytes and some more".utf8)
    let sealed = try Cryptography.encrypt(data, key: key)
    let code = Cryptography.hmac(sealed, key: key)
    let other = try Cryptography.random(kCCKeySizeAES256)
    #expect(try Cryptography.decrypt(sealed, key: other) != data)
    #expect(Cryptography.hmac(sealed, key: other) != code)
  }

  @Test func aWrongVectorSpoilsTheFirstBlockOnly() throws {
    let key = try Cryptography.random(kCCKeySizeAES256)
    let data = Data("sixteen bytes and some more than that".utf8)
    var sealed = try Cryptography.encrypt(data, key: key)
    sealed[0] ^= 0x80
    let opened = try Cryptography.decrypt(sealed, key: key)
    #expect(opened.prefix(16) != data.prefix(16))
    #expect(opened.dropFirst(16) == data.dropFirst(16))
  }

  @Test func whatIsNoWholeNumberOfBlocksIsAnError() throws {
    let key = try Cryptography.random(kCCKeySizeAES256)
    let sealed = try Cryptography.encrypt(Data("text".utf8), key: key)
    #expect(throws: Cryptography.Failure(status: Int32(kCCAlignmentError))) {
      try Cryptography.decrypt(sealed.dropLast(), key: key)
    }
    #expect(throws: Cryptography.Failure.self) {
      try Cryptography.encrypt(Data("text".utf8), key: key.dropLast())
    }
  }

  // MARK: Together

  /// The key of a password lies in the keychain, and what it seals on the disk.
  @Test func aKeyInTheKeychainOpensAFile() throws {
    let device = try TestDevice.phone()
    try device.use {
      let salt = try Cryptography.random(16)
      let key = try Cryptography.key(of: "open sesame", salt: salt, rounds: 1_000)
      let item = Attributes.generic("file key").with([kSecValueData: key, kSecAttrGeneric: salt])
      #expect(Items.add(item) == errSecSuccess)
      let sealed = try Cryptography.encrypt(Data("treasure".utf8), key: key)

      let kept = try #require(Items.data(.generic("file key")))
      let opened = try Cryptography.decrypt(sealed, key: kept)
      #expect(opened == Data("treasure".utf8))
      let found = try #require(Items.attributes(.generic("file key"))?[kSecAttrGeneric] as? Data)
      let again = try Cryptography.key(of: "open sesame", salt: found, rounds: 1_000)
      #expect(again == kept)
    }
  }
}
