import LocalAuthPKI
import LocalAuthSecret
import Testing

@Suite struct SignatureTests {
  static let schemes: [SignatureScheme] =
    HashFunction.allCases.flatMap { [.rsaPKCS1v15($0), .rsaPSS($0)] }

  @Test(arguments: schemes)
  func signatureOfRSAIsItsKeysOverItsDigest(_ scheme: SignatureScheme) throws {
    let hash = try #require(scheme == .rsaRaw ? nil : hash(of: scheme))
    let digest = try hash.digest(of: Array("message".utf8))
    let signature = try Keys.rsa.sign(digest, by: scheme)
    #expect(signature.count == 256)
    try check(signature, of: digest, by: scheme, Keys.rsa.publicKey, other: Keys.otherRSA.publicKey)
    #expect(throws: PKIError.size) { try Keys.rsa.sign(digest + [0], by: scheme) }
    #expect(throws: PKIError.size) { try Keys.rsa.sign([], by: scheme) }
  }

  @Test(arguments: 0..<3, HashFunction.allCases)
  func signatureOfACurveIsItsKeysOverItsDigest(_ index: Int, _ hash: HashFunction) throws {
    let key = Keys.curves[index]
    let digest = try hash.digest(of: Array("message".utf8))
    let signature = try key.sign(digest, by: .ecdsa)
    #expect(signature.first == 0x30)
    let other = try ExternalPrivateKey.generate(.ellipticCurve, bits: key.publicKey.bits)
    try check(signature, of: digest, by: .ecdsa, key.publicKey, other: other.publicKey)
  }

  @Test func signatureWithoutAHashFunctionIsOverWhatFits() throws {
    let message = [UInt8](repeating: 0xFF, count: 245)
    let signature = try Keys.rsa.sign(message, by: .rsaPKCS1v15(nil))
    #expect(
      try Keys.rsa.publicKey.verify(signature, of: message, by: .rsaPKCS1v15(nil))
    )
    #expect(throws: PKIError.size) { try Keys.rsa.sign(message + [1], by: .rsaPKCS1v15(nil)) }
    let raw = try Keys.rsa.sign([1, 2, 3], by: .rsaRaw)
    #expect(try Keys.rsa.publicKey.verify(raw, of: [1, 2, 3], by: .rsaRaw))
    #expect(try !Keys.rsa.publicKey.verify(raw, of: [1, 2, 4], by: .rsaRaw))
    #expect(throws: PKIError.size) {
      try Keys.rsa.sign([UInt8](repeating: 0xFF, count: 257), by: .rsaRaw)
    }
    // Not below the modulus.
    #expect(throws: PKIError.size) {
      try Keys.rsa.sign([UInt8](repeating: 0xFF, count: 256), by: .rsaRaw)
    }
  }

  @Test func keyOfOneKindDoesNotSignInTheOthersWay() {
    let digest = [UInt8](repeating: 1, count: 32)
    #expect(throws: PKIError.unsuitable) { try Keys.rsa.sign(digest, by: .ecdsa) }
    #expect(throws: PKIError.unsuitable) {
      try Keys.curves[0].sign(digest, by: .rsaPKCS1v15(.sha256))
    }
    #expect(throws: PKIError.unsuitable) {
      try Keys.rsa.publicKey.verify(digest, of: digest, by: .ecdsa)
    }
  }

  @Test func smallKeyHasNoRoomForALongDigest() throws {
    let key = try ExternalPrivateKey.generate(.rsa, bits: 512)
    #expect(key.publicKey.supports(.rsaPKCS1v15(.sha256)))
    #expect(!key.publicKey.supports(.rsaPKCS1v15(.sha512)))
    #expect(key.publicKey.supports(.rsaPSS(.sha1)))
    #expect(!key.publicKey.supports(.rsaPSS(.sha256)))
    #expect(throws: PKIError.unsuitable) {
      try key.sign([UInt8](repeating: 1, count: 64), by: .rsaPSS(.sha512))
    }
  }

  /// RFC 6979, appendix A.2.5: "sample" with SHA-256.
  @Test func publishedSignatureOfP256IsGenuine() throws {
    let key = try ExternalPublicKey(
      .ellipticCurve,
      representation: hex(
        """
        04 60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6
        7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299
        """
      )
    )
    let signature = hex(
      """
      30 46 022100 EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
      022100 F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
      """
    )
    let digest = try HashFunction.sha256.digest(of: Array("sample".utf8))
    #expect(try key.verify(signature, of: digest, by: .ecdsa))
    #expect(try !key.verify(Array(signature.dropLast()), of: digest, by: .ecdsa))
    #expect(try !key.verify([], of: digest, by: .ecdsa))
    #expect(try !key.verify(signature, of: [], by: .ecdsa))
  }

  private func hash(of scheme: SignatureScheme) -> HashFunction? {
    switch scheme {
    case .rsaPKCS1v15(let hash): hash
    case .rsaPSS(let hash): hash
    case .rsaRaw, .ecdsa: nil
    }
  }

  /// Genuine, and not so with one bit changed anywhere, or for another key.
  private func check(
    _ signature: [UInt8],
    of digest: [UInt8],
    by scheme: SignatureScheme,
    _ key: ExternalPublicKey,
    other: ExternalPublicKey
  ) throws {
    #expect(try key.verify(signature, of: digest, by: scheme))
    #expect(try !other.verify(signature, of: digest, by: scheme))
    var wrong = digest
    wrong[0] ^= 1
    #expect(try !key.verify(signature, of: wrong, by: scheme))
    for index in stride(from: 0, to: signature.count, by: 7) {
      var changed = signature
      changed[index] ^= 0x10
      #expect(try !key.verify(changed, of: digest, by: scheme))
    }
  }
}
