import CommonCrypto
import Security
import Testing

/// What keys do with each algorithm.
@Suite struct SecKeyAlgorithmTests {
  private static let hashes = ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"]

  private static func algorithms(_ texts: [String]) -> [SecKeyAlgorithm] {
    texts.map { SecKeyAlgorithm(rawValue: "algid:" + $0) }
  }

  static let rsaMessages = algorithms(
    hashes.map { "sign:RSA:message-PKCS1v15:\($0)" }
      + zip(hashes, [20, 28, 32, 48, 64]).map { "sign:RSA:message-PSS:\($0):\($0):\($1)" }
  )
  static let curveMessages = algorithms(
    hashes.flatMap { ["sign:ECDSA:message-X962:\($0)", "sign:ECDSA:message-RFC4754:\($0)"] }
  )
  static let rsaBlocks = algorithms(
    ["encrypt:RSA:PKCS1"] + hashes.map { "encrypt:RSA:OAEP:\($0)" }
  )
  static let wrappings = algorithms(hashes.map { "encrypt:RSA:OAEP:\($0):AESGCM" })
  static let integrated = algorithms(
    ["ECDH", "ECDHC"].flatMap { agreement in
      hashes.map { "encrypt:ECIES:\(agreement):KDFX963:\($0):AESGCM" }
        + hashes.dropFirst().map { "encrypt:ECIES:\(agreement):KDFX963:\($0):AESGCM-KDFIV" }
    }
  )
  static let derivations = algorithms(
    ["ECDH", "ECDHC"].flatMap { agreement in
      hashes.map { "keyexchange:\(agreement):KDFX963:\($0)" }
    }
  )

  private let message = Data("a message of any length".utf8)

  // MARK: Signatures

  @Test(arguments: rsaMessages)
  func rsaSignsMessages(_ algorithm: SecKeyAlgorithm) throws {
    try check(algorithm, SampleKeys.rsa, other: SampleKeys.curves[0])
  }

  @Test(arguments: curveMessages)
  func curvesSignMessages(_ algorithm: SecKeyAlgorithm) throws {
    for key in SampleKeys.curves { try check(algorithm, key, other: SampleKeys.rsa) }
  }

  private func check(_ algorithm: SecKeyAlgorithm, _ key: SecKey, other: SecKey) throws {
    let half = try publicHalf(key)
    #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
    #expect(SecKeyIsAlgorithmSupported(half, .verify, algorithm))
    #expect(!SecKeyIsAlgorithmSupported(half, .sign, algorithm))
    #expect(!SecKeyIsAlgorithmSupported(key, .verify, algorithm))
    #expect(!SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
    #expect(!SecKeyIsAlgorithmSupported(other, .sign, algorithm))
    for message in [message, Data()] {
      let signature = try sign(message, algorithm, key)
      #expect(try verifies(signature, message, algorithm, half))
      #expect(try !verifies(signature, message + [1], algorithm, half))
      #expect(try !verifies(signature.dropLast(), message, algorithm, half))
      #expect(try !verifies(signature + [0], message, algorithm, half))
      #expect(try !verifies(Data(), message, algorithm, half))
      var changed = signature
      changed[signature.count / 2] ^= 1
      #expect(try !verifies(changed, message, algorithm, half))
    }
    #expect(status { try sign(message, algorithm, half) } == errSecParam)
    #expect(status { try sign(message, algorithm, other) } == errSecParam)
  }

  @Test func messageIsSignedAsItsDigestIs() throws {
    var digest = Data(count: Int(CC_SHA256_DIGEST_LENGTH))
    digest.withUnsafeMutableBytes { digest in
      message.withUnsafeBytes {
        _ = CC_SHA256(
          $0.baseAddress,
          CC_LONG($0.count),
          digest.bindMemory(to: UInt8.self).baseAddress
        )
      }
    }
    let rsa = try sign(message, .rsaSignatureMessagePKCS1v15SHA256, SampleKeys.rsa)
    #expect(rsa == (try sign(digest, .rsaSignatureDigestPKCS1v15SHA256, SampleKeys.rsa)))
    let half = try publicHalf(SampleKeys.rsa)
    let pss = try sign(digest, .rsaSignatureDigestPSSSHA256, SampleKeys.rsa)
    #expect(try verifies(pss, message, .rsaSignatureMessagePSSSHA256, half))
    let curve = SampleKeys.curves[1]
    let der = try sign(digest, .ecdsaSignatureDigestX962SHA256, curve)
    #expect(try verifies(der, message, .ecdsaSignatureMessageX962SHA256, publicHalf(curve)))
    #expect(try verifies(der, digest, .ecdsaSignatureDigestX962, publicHalf(curve)))
    let plain = try sign(digest, .ecdsaSignatureRFC4754, curve)
    #expect(plain.count == 96)
    #expect(try verifies(plain, message, .ecdsaSignatureMessageRFC4754SHA256, publicHalf(curve)))
    #expect(try verifies(plain, digest, .ecdsaSignatureDigestRFC4754SHA256, publicHalf(curve)))
  }

  @Test func digestOfAnotherLengthIsNoneForRSA() {
    #expect(
      status { try sign(Data(count: 31), .rsaSignatureDigestPKCS1v15SHA256, SampleKeys.rsa) }
        == errSecParam
    )
    #expect(
      status { try sign(Data(count: 33), .rsaSignatureDigestPSSSHA256, SampleKeys.rsa) }
        == errSecParam
    )
    #expect(status { try sign(Data(count: 257), .rsaSignatureRaw, SampleKeys.rsa) } == errSecParam)
    #expect(
      status { try sign(Data(count: 246), .rsaSignatureDigestPKCS1v15Raw, SampleKeys.rsa) }
        == errSecParam
    )
  }

  // MARK: Encryption

  @Test(arguments: PublishedCiphertext.all)
  func whatApplesImplementationEncryptedIsDecrypted(_ published: PublishedCiphertext) throws {
    let key = try key(published.key, published.type, kSecAttrKeyClassPrivate)
    #expect(
      try decrypt(published.ciphertext, published.algorithm, key) == PublishedCiphertext.plaintext
    )
  }

  @Test(arguments: rsaBlocks + wrappings)
  func rsaEncrypts(_ algorithm: SecKeyAlgorithm) throws {
    let isWrapping = algorithm.rawValue.hasSuffix("AESGCM")
    try check(algorithm, SampleKeys.rsa, sizes: isWrapping ? [0, 1, 5000] : [0, 1, 126])
    if !isWrapping {
      let half = try publicHalf(SampleKeys.rsa)
      #expect(status { try encrypt(Data(count: 246), algorithm, half) } == errSecParam)
    }
  }

  @Test(arguments: integrated)
  func curvesEncrypt(_ algorithm: SecKeyAlgorithm) throws {
    for key in SampleKeys.curves { try check(algorithm, key, sizes: [0, 1, 5000]) }
  }

  private func check(_ algorithm: SecKeyAlgorithm, _ key: SecKey, sizes: [Int]) throws {
    let half = try publicHalf(key)
    #expect(SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
    #expect(SecKeyIsAlgorithmSupported(half, .encrypt, algorithm))
    #expect(!SecKeyIsAlgorithmSupported(half, .decrypt, algorithm))
    #expect(!SecKeyIsAlgorithmSupported(key, .encrypt, algorithm))
    for size in sizes {
      let plaintext = Data(repeating: 0x42, count: size)
      let ciphertext = try encrypt(plaintext, algorithm, half)
      #expect(try decrypt(ciphertext, algorithm, key) == plaintext)
      #expect(try encrypt(plaintext, algorithm, half) != ciphertext)
      #expect(status { try decrypt(ciphertext.dropFirst(), algorithm, key) } != errSecSuccess)
      // A padding of PKCS #1 is right by chance once in some 65,000 times.
      guard algorithm != .rsaEncryptionPKCS1 else { continue }
      for index in [0, 1, ciphertext.count / 2, ciphertext.count - 1] {
        var changed = ciphertext
        changed[index] ^= 0xFF
        #expect(status { try decrypt(changed, algorithm, key) } == errSecParam)
      }
      #expect(status { try decrypt(Data(), algorithm, key) } == errSecParam)
    }
    #expect(status { try encrypt(message, algorithm, key) } == errSecParam)
    #expect(status { try decrypt(message, algorithm, half) } == errSecParam)
  }

  // MARK: Agreement

  @Test(arguments: derivations)
  func bothSidesDeriveTheSameKey(_ algorithm: SecKeyAlgorithm) throws {
    for (index, key) in SampleKeys.curves.enumerated() {
      let other = try newKey(kSecAttrKeyTypeECSECPrimeRandom, [256, 384, 521][index])
      #expect(SecKeyIsAlgorithmSupported(key, .keyExchange, algorithm))
      #expect(!SecKeyIsAlgorithmSupported(SampleKeys.rsa, .keyExchange, algorithm))
      let parameters: [SecKeyKeyExchangeParameter: Any] = [
        .requestedSize: 77, .sharedInfo: Data("both know this".utf8),
      ]
      let one = try exchange(key, publicHalf(other), algorithm, parameters)
      #expect(one.count == 77)
      #expect(try exchange(other, publicHalf(key), algorithm, parameters) == one)
      #expect(try exchange(key, publicHalf(other), algorithm, [.requestedSize: 77]) != one)
    }
  }

  @Test func sharedSecretIsTheSameOnBothSides() throws {
    let other = try newKey(kSecAttrKeyTypeECSECPrimeRandom, 256)
    let key = SampleKeys.curves[0]
    let secret = try exchange(key, publicHalf(other), .ecdhKeyExchangeStandard)
    #expect(secret.count == 32)
    #expect(try exchange(other, publicHalf(key), .ecdhKeyExchangeCofactor) == secret)
  }

  @Test func agreementThatMakesNoSenseIsRefused() throws {
    let key = SampleKeys.curves[0]
    let half = try publicHalf(newKey(kSecAttrKeyTypeECSECPrimeRandom, 256))
    let algorithm = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
    let wrong: [[SecKeyKeyExchangeParameter: Any]] = [
      [:], [.requestedSize: "many"], [.requestedSize: 0], [.requestedSize: -1],
      [.requestedSize: Int.max], [.requestedSize: 32, .sharedInfo: "text"],
    ]
    for parameters in wrong {
      #expect(status { try exchange(key, half, algorithm, parameters) } == errSecParam)
    }
    let size: [SecKeyKeyExchangeParameter: Any] = [.requestedSize: 32]
    #expect(
      status { try exchange(key, publicHalf(SampleKeys.curves[1]), algorithm, size) } == errSecParam
    )
    #expect(
      status { try exchange(key, publicHalf(SampleKeys.rsa), algorithm, size) } == errSecParam
    )
    #expect(status { try exchange(half, half, algorithm, size) } == errSecParam)
    #expect(
      status { try exchange(SampleKeys.rsa, publicHalf(SampleKeys.rsa), algorithm, size) }
        == errSecParam
    )
    // Text is a key of the dictionary as well as the parameter.
    let texts = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 32] as CFDictionary
    #expect(SecKeyCopyKeyExchangeResult(key, algorithm, half, texts, nil)?.length == 32)
  }

  @Test func textsThatAreNoAlgorithmAreNotSupported() throws {
    let texts = [
      "", "algid", "algid:sign", "algid:sign:RSA", "algid:sign:RSA:message-PKCS1v15",
      "algid:sign:RSA:message-PKCS1v15:MD5", "algid:sign:ECDSA:message-X962",
      "algid:encrypt:RSA:OAEP", "algid:encrypt:RSA:OAEP:SHA256:AESCBC", "algid:encrypt:ECIES:ECDH",
      "algid:encrypt:ECIES:DH:KDFX963:SHA256:AESGCM", "algid:keyexchange:ECDH:KDF:SHA256",
      "ALGID:sign:RSA:raw", "algid:sign:DSA:raw",
    ]
    let half = try publicHalf(SampleKeys.rsa)
    for text in texts {
      let algorithm = SecKeyAlgorithm(rawValue: text)
      for operation in [.sign, .verify, .encrypt, .decrypt, .keyExchange] as [SecKeyOperationType] {
        for key in [SampleKeys.rsa, half, SampleKeys.curves[0]] {
          #expect(!SecKeyIsAlgorithmSupported(key, operation, algorithm), "\(text)")
        }
      }
      #expect(status { try sign(message, algorithm, SampleKeys.rsa) } == errSecParam)
    }
  }
}
