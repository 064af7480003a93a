import LocalAuthTestKit
import SecureEnclave
import Testing

@Suite struct KeyAgreementTests {
  private typealias PrivateKey = SecureEnclave.P256.KeyAgreement.PrivateKey
  private typealias PublicKey = SecureEnclave.P256.KeyAgreement.PublicKey

  private let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  private func bytes(_ secret: SecureEnclave.SharedSecret) -> Data {
    secret.withUnsafeBytes { Data($0) }
  }

  @Test func bothSidesAgreeOnOneSecret() throws {
    try device.use {
      let (one, other, third) = (try PrivateKey(), try PrivateKey(), try PrivateKey())
      let secret = try one.sharedSecretFromKeyAgreement(with: other.publicKey)
      #expect(try other.sharedSecretFromKeyAgreement(with: one.publicKey) == secret)
      #expect(try third.sharedSecretFromKeyAgreement(with: one.publicKey) != secret)
      #expect(bytes(secret).count == 32)
      #expect("\(secret)" == "<SharedSecret: 32 bytes>")
    }
  }

  @Test func secretIsTheSameForAKeyOfTheProcess() throws {
    try device.use {
      let key = try PrivateKey()
      let parameters: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
      ]
      let own = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
      let half = try #require(SecKeyCopyPublicKey(own))
      let point = try #require(SecKeyCopyExternalRepresentation(half, nil)) as Data
      let peer = try securityKey(key.publicKey.x963Representation)
      let none = [:] as CFDictionary
      let expected = SecKeyCopyKeyExchangeResult(own, .ecdhKeyExchangeStandard, peer, none, nil)
      let share = try PublicKey(x963Representation: point)
      #expect(
        bytes(try key.sharedSecretFromKeyAgreement(with: share)) == (expected as Data?)
      )
    }
  }

  @Test func agreementAsksForTheFinger() throws {
    try device.use {
      let peer = try PrivateKey().publicKey
      let key = try PrivateKey(accessControl: control([.privateKeyUsage, .biometryAny]))
      try device.sensor.script("match")
      _ = try key.sharedSecretFromKeyAgreement(with: peer)
      try device.sensor.script("miss, miss, miss")
      #expect(
        failure { try key.sharedSecretFromKeyAgreement(with: peer) }?.code
          == LAError.biometryLockout.rawValue
      )
    }
  }

  @Test func blobOpensTheKeyAgain() throws {
    try device.use {
      let key = try PrivateKey()
      let peer = try PrivateKey().publicKey
      let again = try PrivateKey(dataRepresentation: key.dataRepresentation)
      #expect(
        try again.sharedSecretFromKeyAgreement(with: peer)
          == key.sharedSecretFromKeyAgreement(with: peer)
      )
      #expect(status { try PrivateKey(dataRepresentation: Data("blob".utf8)) } == errSecDecode)
      try again.deleteFromKeychain()
      #expect(
        status { try key.sharedSecretFromKeyAgreement(with: peer) } == errSecItemNotFound
      )
    }
  }
}
