import LocalAuthTestKit
import Security
import Testing

/// Private keys that the keychain makes, and that are used there on proof.
@Suite struct KeychainKeyTests {
  private let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  private let tag = Data("org.example.enclave".utf8)
  private let message = Data("pay 10 to Ann".utf8)
  private let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256

  private func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
    try thrown {
      SecAccessControlCreateWithFlags(
        nil,
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        flags,
        $0
      )
    }
  }

  private func make(
    _ flags: SecAccessControlCreateFlags = .privateKeyUsage,
    _ more: [CFString: Any] = [:]
  ) throws -> SecKey {
    let item: [CFString: Any] = [
      kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
      kSecAttrAccessControl: try control(flags),
    ]
    return try newKey(
      kSecAttrKeyTypeECSECPrimeRandom,
      256,
      [
        kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
        kSecPrivateKeyAttrs as String: item.merging(more) { _, new in new },
      ]
    )
  }

  private func query(_ more: [CFString: Any] = [:]) -> CFDictionary {
    let all: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]
    return all.merging(more) { _, new in new } as CFDictionary
  }

  private func found(_ more: [CFString: Any] = [:]) throws -> SecKey {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(
      query(more.merging([kSecReturnRef: true]) { _, new in new }),
      &result
    )
    try #require(status == errSecSuccess)
    return try #require(result as? SecKey)
  }

  /// The domain and code of the error that `body` throws.
  private func failure<Value>(_ body: () throws -> Value) -> NSError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as NSError
    }
  }

  // MARK: Use

  @Test func keySignsAndItsPublicHalfVerifies() throws {
    try device.use {
      let key = try make()
      let half = try publicHalf(key)
      #expect(try verifies(sign(message, algorithm, key), message, algorithm, half))
      #expect(try sign(message, .ecdsaSignatureMessageRFC4754SHA512, key).count == 64)
      #expect(try external(half).count == 65)
      #expect(SecKeyGetBlockSize(key) == 32)
    }
  }

  @Test(arguments: SecKeyAlgorithmTests.curveMessages)
  func everyHashFunctionWorks(_ algorithm: SecKeyAlgorithm) throws {
    try device.use {
      let key = try make()
      let half = try publicHalf(key)
      #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm))
      #expect(try verifies(sign(message, algorithm, key), message, algorithm, half))
    }
  }

  @Test func digestsOfAnyLengthAreSigned() throws {
    try device.use {
      let key = try make()
      let half = try publicHalf(key)
      for count in [0, 1, 20, 31, 32, 33, 64, 100] {
        let digest = Data(repeating: 0x9C, count: count)
        let signature = try sign(digest, .ecdsaSignatureDigestX962, key)
        #expect(try verifies(signature, digest, .ecdsaSignatureDigestX962, half))
      }
    }
  }

  @Test(arguments: SecKeyAlgorithmTests.integrated)
  func whatIsEncryptedForItIsDecryptedThere(_ algorithm: SecKeyAlgorithm) throws {
    try device.use {
      let key = try make()
      let ciphertext = try encrypt(message, algorithm, publicHalf(key))
      #expect(try decrypt(ciphertext, algorithm, key) == message)
      #expect(status { try decrypt(ciphertext.dropLast(), algorithm, key) } == errSecParam)
      #expect(status { try decrypt(Data(), algorithm, key) } == errSecParam)
    }
  }

  @Test func keyAgreesWithOneOfTheProcess() throws {
    try device.use {
      let key = try make()
      let other = SampleKeys.curves[0]
      let parameters: [SecKeyKeyExchangeParameter: Any] = [
        .requestedSize: 48, .sharedInfo: Data("x".utf8),
      ]
      for algorithm in SecKeyAlgorithmTests.derivations {
        #expect(
          try exchange(key, publicHalf(other), algorithm, parameters)
            == exchange(other, publicHalf(key), algorithm, parameters)
        )
      }
      #expect(
        status {
          try exchange(key, publicHalf(SampleKeys.curves[1]), .ecdhKeyExchangeStandard)
        } == errSecParam
      )
    }
  }

  // MARK: It never leaves

  @Test func keyIsNeverGivenAway() throws {
    try device.use {
      let key = try make()
      #expect(status { try external(key) } == errSecUnimplemented)
      let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
      #expect(attributes[kSecValueData as String] == nil)
      #expect(attributes[kSecAttrIsExtractable as String] as? Bool == false)
      #expect(
        attributes[kSecAttrTokenID as String] as? String == kSecAttrTokenIDSecureEnclave as String
      )
      #expect(attributes[kSecAttrAccessControl as String] is SecAccessControl)
      var result: CFTypeRef?
      #expect(SecItemCopyMatching(query([kSecReturnData: true]), &result) == errSecSuccess)
      #expect((result as? Data)?.isEmpty == true)
      var all: CFTypeRef?
      let everything = query([
        kSecReturnData: true, kSecReturnRef: true, kSecReturnAttributes: true,
        kSecReturnPersistentRef: true,
      ])
      #expect(SecItemCopyMatching(everything, &all) == errSecSuccess)
      #expect((all as? [String: Any])?[kSecValueData as String] == nil)
      #expect((all as? [String: Any])?[kSecValueRef as String] as? SecKey == key)
    }
  }

  @Test func keyIsFoundAgainAndDeleted() throws {
    try device.use {
      let key = try make()
      let again = try found()
      #expect(again == key)
      #expect(
        try verifies(sign(message, algorithm, again), message, algorithm, publicHalf(key))
      )
      #expect(
        SecItemAdd([kSecValueRef: key] as [CFString: Any] as CFDictionary, nil)
          == errSecDuplicateItem
      )
      #expect(
        SecItemDelete([kSecValueRef: again] as [CFString: Any] as CFDictionary) == errSecSuccess
      )
      let gone = try #require(failure { try sign(message, algorithm, key) })
      #expect(gone.domain == NSOSStatusErrorDomain)
      #expect(gone.code == Int(errSecItemNotFound))
    }
  }

  @Test func publicHalfCanBeAnItemToo() throws {
    try device.use {
      let key = try newKey(
        kSecAttrKeyTypeECSECPrimeRandom,
        256,
        [
          kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
          kSecAttrApplicationTag as String: tag,
          kSecPublicKeyAttrs as String: [kSecAttrIsPermanent: true] as [CFString: Any],
        ]
      )
      #expect(try found([kSecAttrKeyClass: kSecAttrKeyClassPublic]) == publicHalf(key))
      #expect(try found([kSecAttrKeyClass: kSecAttrKeyClassPrivate]) == key)
    }
  }

  @Test func keyTakesALabelOfTheProgramsOwn() throws {
    try device.use {
      let label = Data("my label".utf8)
      let key = try make(.privateKeyUsage, [kSecAttrApplicationLabel: label])
      #expect(try found([kSecAttrApplicationLabel: label]) == key)
      let none = query([kSecAttrApplicationLabel: Data("another".utf8)])
      #expect(SecItemCopyMatching(none, nil) == errSecItemNotFound)
      #expect(try verifies(sign(message, algorithm, found()), message, algorithm, publicHalf(key)))
      let byItself = [kSecValueRef: key] as [CFString: Any] as CFDictionary
      #expect(SecItemDelete(byItself) == errSecSuccess)
      #expect(SecItemCopyMatching(query(), nil) == errSecItemNotFound)
    }
  }

  @Test func whatItIsAnywayMayBeSaid() throws {
    try device.use {
      let said: [CFString: Any] = [
        kSecAttrIsExtractable: false, kSecAttrIsSensitive: true, kSecAttrCanSign: true,
        kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      ]
      let key = try make(.privateKeyUsage, said)
      #expect(try found() == key)
      for wrong: [CFString: Any] in [
        [kSecAttrCanSign: false], [kSecAttrKeyClass: kSecAttrKeyClassPublic],
        [kSecAttrIsSensitive: false], [kSecAttrApplicationLabel: Date()],
      ] {
        #expect(status { try make(.privateKeyUsage, wrong) } == errSecParam)
      }
    }
  }

  // MARK: Proof

  @Test func signatureAsksForTheFinger() throws {
    try device.use {
      let key = try make([.privateKeyUsage, .biometryAny])
      // The item is found without a proof; only its use asks for one.
      #expect(try found() == key)
      try device.sensor.script("match")
      #expect(
        try verifies(sign(message, algorithm, key), message, algorithm, publicHalf(key))
      )
      try device.sensor.script("cancel")
      #expect(failure { try sign(message, algorithm, key) }?.code == -2)
      try device.sensor.script("miss, miss, miss")
      let missed = try #require(failure { try sign(message, algorithm, key) })
      #expect(missed.domain == "com.apple.LocalAuthentication")
      #expect(missed.code == -8)
      #expect(failure { try sign(message, algorithm, key) }?.code == -8)
    }
  }

  @Test func decryptionAndAgreementAskToo() throws {
    try device.use {
      let key = try make([.privateKeyUsage, .biometryAny])
      let scheme = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM
      let ciphertext = try encrypt(message, scheme, publicHalf(key))
      try device.sensor.script("match")
      #expect(try decrypt(ciphertext, scheme, key) == message)
      try device.sensor.script("cancel")
      #expect(failure { try decrypt(ciphertext, scheme, key) }?.code == -2)
      try device.sensor.script("cancel")
      #expect(
        failure {
          try exchange(key, publicHalf(SampleKeys.curves[0]), .ecdhKeyExchangeStandard)
        }?.code == -2
      )
    }
  }

  @Test func nobodyIsAskedWhereTheQuerySaysSo() throws {
    try device.use {
      let key = try make([.privateKeyUsage, .biometryAny])
      let silent = try found([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
      let refused = try #require(failure { try sign(message, algorithm, silent) })
      #expect(refused.domain == "com.apple.LocalAuthentication")
      #expect(refused.code == -1004)
      #expect(silent == key)
    }
  }

  @Test func lockoutRefusesTheKeyAndThePasscodeEndsIt() throws {
    try device.use {
      let key = try make([.privateKeyUsage, .userPresence])
      try device.sensor.script("miss, miss, miss, passcode:1234")
      #expect(
        try verifies(sign(message, algorithm, key), message, algorithm, publicHalf(key))
      )
    }
  }

  @Test func lockedDeviceKeepsTheKeyShut() throws {
    try device.use {
      let key = try make()
      try device.lock()
      try device.clock.advance(by: .seconds(11))
      let locked = try #require(failure { try sign(message, algorithm, key) })
      #expect(locked.domain == NSOSStatusErrorDomain)
      #expect(locked.code == Int(errSecInteractionNotAllowed))
      try device.unlock()
      #expect(try sign(message, algorithm, key).isEmpty == false)
    }
  }

  // MARK: Bad input

  @Test func requestsThatCannotBeMetMakeNoKey() throws {
    device.use {
      let requests: [(CFString, Int, [CFString: Any])] = [
        (kSecAttrKeyTypeRSA, 2048, [:]), (kSecAttrKeyTypeEC, 384, [:]),
        (kSecAttrKeyTypeEC, 256, [kSecAttrIsPermanent: false]),
      ]
      for (type, bits, item) in requests {
        #expect(
          status {
            try newKey(
              type,
              bits,
              [
                kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
                kSecPrivateKeyAttrs as String: item,
              ]
            )
          } == errSecUnimplemented
        )
      }
      #expect(
        status { try make(.privateKeyUsage, [kSecAttrAccessGroup: "other"]) }
          == errSecMissingEntitlement
      )
      #expect(status { try make(.privateKeyUsage, [kSecValueData: Data("x".utf8)]) } == errSecParam)
      #expect(status { try make(.privateKeyUsage, [kSecAttrIsExtractable: true]) } == errSecParam)
      #expect(SecItemCopyMatching(query(), nil) == errSecItemNotFound)
    }
  }

  @Test func accessControlWithoutUseOfTheKeyIsRefused() throws {
    device.use {
      #expect(status { try make(.biometryAny) } == errSecParam)
      #expect(SecItemCopyMatching(query(), nil) == errSecItemNotFound)
    }
  }
}
