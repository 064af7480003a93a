import LocalAuthKeychain
import Testing

@Suite struct KeyAlgorithmTests {
  @Test func everyAlgorithmBelongsToOneCurve() {
    #expect(KeyCurve.ed25519.algorithms == [.edDSASignatureMessageCurve25519SHA512])
    #expect(
      KeyCurve.p256.algorithms.count + KeyCurve.ed25519.algorithms.count
        == KeyAlgorithm.allCases.count
    )
  }

  @Test func namesAreApples() {
    #expect(
      KeyAlgorithm(rawValue: "algid:sign:ECDSA:message-X962:SHA256")
        == .ecdsaSignatureMessageX962SHA256
    )
    #expect(KeyAlgorithm(rawValue: "algid:keyexchange:ECDH") == .ecdhKeyExchangeStandard)
    #expect(KeyAlgorithm(rawValue: "algid:sign:RSA:raw") == nil)
  }

  @Test(arguments: KeyAlgorithm.allCases) func theNameTellsTheOperation(_ algorithm: KeyAlgorithm) {
    let name = algorithm.rawValue
    switch algorithm.operation {
    case .signMessage(let digest):
      #expect(name.contains(":message-") && name.hasSuffix(":SHA\(digest.size * 8)"))
    case .signDigest(let digest):
      #expect(name.contains(":digest-") && name.hasSuffix(":SHA\(digest.size * 8)"))
    case .exchange(let isDerived):
      #expect(name.hasPrefix("algid:keyexchange:") && name.contains("KDF") == isDerived)
    }
  }

  @Test func attributesOfKeysAreApples() {
    #expect(KeyCurve.p256.keyType.rawValue == 73)
    #expect(KeyCurve.ed25519.keyType.rawValue == 105)
    #expect(KeyCurve.allCases.map(\.publicKeySize) == [65, 32])
    #expect(KeyCurve.allCases.map(\.bits) == [256, 256])
  }
}
