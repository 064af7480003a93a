import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import Testing

@Suite struct Ed25519SignerTests {
  private func opened(_ seed: [UInt8]) -> Ed25519Signer? {
    var secret = Secret(capacity: seed.count)
    for byte in seed { _ = secret.append(byte) }
    return Ed25519Signer(seed: secret)
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }

  /// The third test of RFC 8032, section 7.1.
  @Test func signsAsTheStandardDoes() throws {
    let seed = Self.bytes("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
    let signer = try #require(opened(seed))
    let expected = Self.bytes(
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    )
    #expect(signer.sign([0xAF, 0x82]) == expected)
    #expect(signer.sign([0xAF, 0x82]) == expected, "again")
    #expect(signer.sign([]) != expected)
  }

  @Test func agreesWithTheKeyOfTheKeychain() throws {
    let key = try PrivateKey.generate(.ed25519)
    let message = Array("pay 10".utf8)
    let signature = try key.sign(message, by: .edDSASignatureMessageCurve25519SHA512)
    let seed = key.serialize()
    let signer = Ed25519Signer(seed: seed)
    #expect(signer?.sign(message) == signature)
  }

  @Test(arguments: [0, 31, 33, 64]) func seedOfAnotherSizeIsRefused(_ size: Int) {
    #expect(opened([UInt8](repeating: 7, count: size)) == nil)
  }
}
