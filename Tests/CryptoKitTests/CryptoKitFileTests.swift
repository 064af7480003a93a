import LocalAuthTestKit
import SecureEnclave
import Testing

/// `Examples/CryptoKit`, which gives SecureEnclave the types of another library.
@Suite struct CryptoKitFileTests {
  private let device: TestDevice
  private let message = Data("pay 10 to Ann".utf8)

  init() throws { device = try TestDevice() }

  @Test func keysAndSignaturesAreTheOtherLibrarys() throws {
    try device.use {
      let key = try SecureEnclave.P256.Signing.PrivateKey()
      let half: Crypto.P256.Signing.PublicKey = key.publicKey
      let verifier = try SecureEnclave.P256.Signing.PublicKey(
        x963Representation: half.x963Representation
      )
      let ofData: Crypto.P256.Signing.ECDSASignature = try key.signature(for: message)
      let digest = Crypto.SHA256.hash(data: message)
      let ofDigest: Crypto.P256.Signing.ECDSASignature = try key.signature(for: digest)
      for signature in [ofData, ofDigest] {
        let bytes = signature.rawRepresentation
        #expect(try verifier.isValidSignature(.init(rawRepresentation: bytes), for: message))
      }
    }
  }

  @Test func keysAreDerivedByTheOtherLibrary() throws {
    try device.use {
      let one = try SecureEnclave.P256.KeyAgreement.PrivateKey()
      let other = try SecureEnclave.P256.KeyAgreement.PrivateKey()
      let (mine, theirs): (Crypto.P256.KeyAgreement.PublicKey, Crypto.P256.KeyAgreement.PublicKey) =
        (one.publicKey, other.publicKey)
      let (first, second) = (
        try one.sharedSecretFromKeyAgreement(with: theirs),
        try other.sharedSecretFromKeyAgreement(with: mine)
      )
      let (salt, info) = (Data("salt".utf8), Data("info".utf8))
      func derived(_ secret: SecureEnclave.SharedSecret, _ salt: Data) -> Crypto.SymmetricKey {
        secret.hkdfDerivedSymmetricKey(
          using: Crypto.SHA256.self,
          salt: salt,
          sharedInfo: info,
          outputByteCount: 32
        )
      }
      #expect(derived(first, salt) == derived(second, salt))
      #expect(derived(first, salt) != derived(second, info))
    }
  }

  /// Security has the same derivation, in code of its own.
  @Test func derivationOfX963IsThatOfSecurity() throws {
    try device.use {
      let key = try SecureEnclave.P256.KeyAgreement.PrivateKey()
      let parameters: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
      ]
      let own = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
      let half = try #require(SecKeyCopyPublicKey(own))
      let point = try #require(SecKeyCopyExternalRepresentation(half, nil)) as Data
      let share = try Crypto.P256.KeyAgreement.PublicKey(x963Representation: point)
      let derived = try key.sharedSecretFromKeyAgreement(with: share).x963DerivedSymmetricKey(
        using: Crypto.SHA256.self,
        sharedInfo: message,
        outputByteCount: 80
      )
      let mine: Crypto.P256.KeyAgreement.PublicKey = key.publicKey
      let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
      ]
      let theirs = mine.x963Representation as CFData
      let peer = try #require(SecKeyCreateWithData(theirs, attributes as CFDictionary, nil))
      let expected = SecKeyCopyKeyExchangeResult(
        own,
        .ecdhKeyExchangeStandardX963SHA256,
        peer,
        [
          SecKeyKeyExchangeParameter.requestedSize: 80,
          SecKeyKeyExchangeParameter.sharedInfo: message,
        ] as [SecKeyKeyExchangeParameter: Any] as CFDictionary,
        nil
      )
      #expect(derived.withUnsafeBytes { Data($0) } == (expected as Data?))
    }
  }
}
