import LocalAuthPKI
import LocalAuthSecret
import Testing

@Suite struct EncryptionTests {
  static let schemes: [EncryptionScheme] = [.pkcs1] + HashFunction.allCases.map { .oaep($0) }

  @Test(arguments: schemes)
  func whatIsEncryptedForAKeyOnlyThatOpens(_ scheme: EncryptionScheme) throws {
    let key = Keys.rsa.publicKey
    let capacity = try #require(key.capacity(scheme))
    for count in [0, 1, 16, capacity] {
      let plaintext = [UInt8](repeating: 0x5A, count: count)
      let ciphertext = try key.encrypt(plaintext, by: scheme)
      #expect(ciphertext.count == 256)
      #expect(try bytes(Keys.rsa.decrypt(ciphertext, by: scheme)) == plaintext)
      #expect(try key.encrypt(plaintext, by: scheme) != ciphertext)
      if case .oaep = scheme {
        #expect(throws: PKIError.undecryptable) {
          _ = try Keys.otherRSA.decrypt(ciphertext, by: scheme)
        }
      }
    }
    #expect(throws: PKIError.size) {
      try key.encrypt([UInt8](repeating: 0, count: capacity + 1), by: scheme)
    }
  }

  @Test func changedCiphertextOpensToNothing() throws {
    let ciphertext = try Keys.rsa.publicKey.encrypt([1, 2, 3], by: .oaep(.sha256))
    for index in stride(from: 0, to: ciphertext.count, by: 5) {
      var changed = ciphertext
      changed[index] ^= 1
      #expect(throws: PKIError.undecryptable) {
        _ = try Keys.rsa.decrypt(changed, by: .oaep(.sha256))
      }
    }
    for wrong in [[], [1], Array(ciphertext.dropFirst())] as [[UInt8]] {
      #expect(throws: PKIError.undecryptable) {
        _ = try Keys.rsa.decrypt(wrong, by: .oaep(.sha256))
      }
    }
    #expect(throws: PKIError.size) {
      _ = try Keys.rsa.decrypt(ciphertext + [0], by: .oaep(.sha256))
    }
  }

  @Test func rawEncryptionIsANumberToThePowerOfTheExponent() throws {
    let ciphertext = try Keys.rsa.publicKey.encrypt([2], by: .raw)
    #expect(
      try bytes(Keys.rsa.decrypt(ciphertext, by: .raw)) == [UInt8](repeating: 0, count: 255) + [2]
    )
    #expect(
      try Keys.rsa.publicKey.encrypt([1], by: .raw) == [UInt8](repeating: 0, count: 255) + [1]
    )
    #expect(throws: PKIError.size) {
      try Keys.rsa.publicKey.encrypt([UInt8](repeating: 0xFF, count: 256), by: .raw)
    }
  }

  @Test func curveDoesNotEncryptByItselfAndRSAAgreesOnNothing() {
    #expect(Keys.curves[0].publicKey.capacity(.pkcs1) == nil)
    #expect(throws: PKIError.unsuitable) { try Keys.curves[0].publicKey.encrypt([1], by: .pkcs1) }
    #expect(throws: PKIError.unsuitable) { _ = try Keys.curves[0].decrypt([1], by: .pkcs1) }
    #expect(throws: PKIError.unsuitable) {
      _ = try Keys.rsa.sharedSecret(with: Keys.rsa.publicKey)
    }
    #expect(throws: PKIError.unsuitable) {
      _ = try Keys.curves[0].sharedSecret(with: Keys.curves[1].publicKey)
    }
  }

  @Test(arguments: 0..<3)
  func bothSidesAgree(_ index: Int) throws {
    let key = Keys.curves[index]
    let other = try ExternalPrivateKey.generate(.ellipticCurve, bits: key.publicKey.bits)
    let shared = bytes(try key.sharedSecret(with: other.publicKey))
    #expect(shared == bytes(try other.sharedSecret(with: key.publicKey)))
    #expect(shared.count == key.publicKey.blockSize)
  }

  /// RFC 5903, section 8.1.
  @Test func publishedKeysAgreeOnThePublishedSecret() throws {
    let key = try ExternalPrivateKey(
      .ellipticCurve,
      representation: secret(
        hex(
          """
          04 DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C3772581180
          5271A0461CDB8252D61F1C456FA3E59AB1F45B33ACCF5F58389E0577B8990BB3
          C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433
          """
        )
      )
    )
    let peer = try ExternalPublicKey(
      .ellipticCurve,
      representation: hex(
        """
        04 D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF63
        56FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB
        """
      )
    )
    #expect(
      bytes(try key.sharedSecret(with: peer))
        == hex("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE")
    )
  }

  @Test func derivationRefusesNoSizeAndTooMuch() throws {
    let shared = secret([1, 2, 3])
    for size in [Int.min, -1, 0, 8161, Int.max] {
      #expect(throws: PKIError.size) {
        _ = try IntegratedEncryption.derive(size, from: shared, sharedInfo: [], .sha256)
      }
    }
    let long = try IntegratedEncryption.derive(8160, from: shared, sharedInfo: [9], .sha1)
    let short = try IntegratedEncryption.derive(20, from: shared, sharedInfo: [9], .sha1)
    #expect(bytes(long).starts(with: bytes(short)))
    // The first block is the hash of the secret, a counter of four bytes and the information.
    #expect(bytes(short) == (try HashFunction.sha1.digest(of: [1, 2, 3, 0, 0, 0, 1, 9])))
  }

  @Test(arguments: [16, 32])
  func sealedTextOpensWithItsKeyItsDataAndUnchanged(_ size: Int) throws {
    let key = try IntegratedEncryption.randomKey(size + IntegratedEncryption.nonceSize)
    let other = try IntegratedEncryption.randomKey(size + IntegratedEncryption.nonceSize)
    for text in [[], [7], [UInt8](repeating: 3, count: 1000)] as [[UInt8]] {
      let sealed = try IntegratedEncryption.seal(text, key: key, authenticating: [1])
      #expect(sealed.count == text.count + IntegratedEncryption.tagSize)
      #expect(try IntegratedEncryption.open(sealed, key: key, authenticating: [1]) == text)
      #expect(throws: PKIError.undecryptable) {
        try IntegratedEncryption.open(sealed, key: key, authenticating: [])
      }
      #expect(throws: PKIError.undecryptable) {
        try IntegratedEncryption.open(sealed, key: other, authenticating: [1])
      }
      var changed = sealed
      changed[0] ^= 1
      #expect(throws: PKIError.undecryptable) {
        try IntegratedEncryption.open(changed, key: key, authenticating: [1])
      }
    }
    #expect(throws: PKIError.size) {
      try IntegratedEncryption.open([1, 2], key: key, authenticating: [])
    }
  }
}
