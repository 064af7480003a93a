import Security
import Testing

@Suite struct KeyVocabularyTests {
  @Test func everyAlgorithmHasANameOfItsOwn() throws {
    let text = try #require(try SourceText.files(in: "LocalAuthSecurity")["Algorithms.swift"])
    let names = text.matches(of: #/static let (\w+) = Self\(\s*rawValue: "([^"]+)"\s*\)/#)
    #expect(names.count == 87)
    #expect(Set(names.map(\.output.2)).count == names.count)
    for name in names { #expect(name.output.2.hasPrefix("algid:")) }
  }

  /// One of each kind, by the text that Apple's library has.
  @Test func algorithmsHaveApplesTexts() {
    let texts: [SecKeyAlgorithm: String] = [
      .rsaSignatureRaw: "algid:sign:RSA:raw",
      .rsaSignatureDigestPKCS1v15Raw: "algid:sign:RSA:digest-PKCS1v15",
      .rsaSignatureMessagePKCS1v15SHA512: "algid:sign:RSA:message-PKCS1v15:SHA512",
      .rsaSignatureDigestPSSSHA224: "algid:sign:RSA:digest-PSS:SHA224:SHA224:24",
      .ecdsaSignatureDigestX962: "algid:sign:ECDSA:digest-X962",
      .ecdsaSignatureRFC4754: "algid:sign:ECDSA:RFC4754",
      .rsaEncryptionPKCS1: "algid:encrypt:RSA:PKCS1",
      .rsaEncryptionOAEPSHA256AESGCM: "algid:encrypt:RSA:OAEP:SHA256:AESGCM",
      .eciesEncryptionCofactorX963SHA256AESGCM:
        "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM",
      .eciesEncryptionStandardVariableIVX963SHA224AESGCM:
        "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV",
      .ecdhKeyExchangeCofactor: "algid:keyexchange:ECDHC",
    ]
    for (algorithm, text) in texts { #expect(algorithm.rawValue == text) }
    #expect(SecKeyAlgorithm(rawValue: "algid:sign:RSA:raw") == .rsaSignatureRaw)
  }

  @Test func numbersAreApples() {
    #expect(SecKeyOperationType.sign.rawValue == 0)
    #expect(SecKeyOperationType.keyExchange.rawValue == 4)
    #expect(SecPadding.PKCS1SHA256.rawValue == 0x8004)
    #expect(SecPadding([]).rawValue == 0)
    #expect(SecKeySizes.secp256r1.rawValue == 256)
    #expect(SecKeySizes.secAES192.rawValue == 192)
    #expect(SecKeyKeyExchangeParameter.requestedSize.rawValue == "requestedSize")
  }
}
