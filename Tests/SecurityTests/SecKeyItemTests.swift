import LocalAuthTestKit
import Security
import Testing

/// Keys that are items: their bytes are kept, and come back as a key.
@Suite struct SecKeyItemTests {
  private let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  private let tag = Data("org.example.key".utf8)

  private func query(_ more: [CFString: Any] = [:]) -> CFDictionary {
    let all: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]
    return all.merging(more) { _, new in new } as CFDictionary
  }

  private func copy(_ more: [CFString: Any]) -> (status: OSStatus, result: CFTypeRef?) {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query(more), &result)
    return (status, result)
  }

  private func found(_ more: [CFString: Any] = [:]) throws -> SecKey {
    let (status, result) = copy(more.merging([kSecReturnRef: true]) { _, new in new })
    try #require(status == errSecSuccess)
    return try #require(result as? SecKey)
  }

  private var permanent: [String: Any] {
    [
      kSecPrivateKeyAttrs as String: [
        kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
      ] as [CFString: Any]
    ]
  }

  @Test(arguments: [(kSecAttrKeyTypeRSA, 1024), (kSecAttrKeyTypeEC, 256), (kSecAttrKeyTypeEC, 521)])
  func permanentKeyIsFoundAgain(_ type: CFString, _ bits: Int) throws {
    try device.use {
      let made = try newKey(type, bits, permanent)
      let again = try found()
      #expect(again == made)
      #expect(try external(again) == external(made))
      #expect(copy([kSecReturnData: true]).result as? Data == (try external(made)))
      let attributes = copy([kSecReturnAttributes: true]).result as? [String: Any]
      #expect(attributes?[kSecAttrKeyType as String] as? Int == Int(type as String))
      #expect(attributes?[kSecAttrKeySizeInBits as String] as? Int == bits)
      #expect(attributes?[kSecAttrKeyClass as String] as? Int == 1)
      #expect(
        attributes?[kSecAttrApplicationLabel as String] as? Data
          == (SecKeyCopyAttributes(made) as? [String: Any])?[kSecAttrApplicationLabel as String]
          as? Data
      )
      #expect(SecItemDelete(query()) == errSecSuccess)
      #expect(copy([kSecReturnRef: true]).status == errSecItemNotFound)
      // Nothing happens to the key in hand.
      #expect(try external(made) == external(again))
    }
  }

  @Test func keyThatIsNotPermanentIsNoItem() throws {
    try device.use {
      _ = try newKey(kSecAttrKeyTypeEC, 256, [kSecAttrApplicationTag as String: tag])
      #expect(copy([:]).status == errSecItemNotFound)
    }
  }

  @Test func bothHalvesCanBeItems() throws {
    try device.use {
      var parameters = permanent
      parameters[kSecPublicKeyAttrs as String] =
        [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag] as [CFString: Any]
      let made = try newKey(kSecAttrKeyTypeEC, 384, parameters)
      #expect(try found([kSecAttrKeyClass: kSecAttrKeyClassPrivate]) == made)
      #expect(try found([kSecAttrKeyClass: kSecAttrKeyClassPublic]) == publicHalf(made))
      let all = copy([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]).result as? [SecKey]
      #expect(try Set(all ?? []) == [made, publicHalf(made)])
    }
  }

  @Test func oneAttributeForBothHalvesIsTakenByBoth() throws {
    try device.use {
      let made = try newKey(
        kSecAttrKeyTypeEC,
        256,
        [kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag]
      )
      let all = copy([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]).result as? [SecKey]
      #expect(try Set(all ?? []) == [made, publicHalf(made)])
    }
  }

  @Test func keyInHandIsAddedAndFoundByItself() throws {
    try device.use {
      let key = try newKey(kSecAttrKeyTypeEC, 256)
      let item =
        [kSecValueRef: key, kSecAttrApplicationTag: tag] as [CFString: Any] as CFDictionary
      #expect(SecItemAdd(item, nil) == errSecSuccess)
      #expect(SecItemAdd(item, nil) == errSecDuplicateItem)
      #expect(try found() == key)
      var result: CFTypeRef?
      let byItself = [kSecValueRef: key, kSecReturnRef: true] as [CFString: Any] as CFDictionary
      #expect(SecItemCopyMatching(byItself, &result) == errSecSuccess)
      #expect(result as? SecKey == key)
      let byHalf = [kSecValueRef: try publicHalf(key)] as [CFString: Any] as CFDictionary
      #expect(SecItemCopyMatching(byHalf, nil) == errSecItemNotFound)
      #expect(
        SecItemUpdate(
          [kSecValueRef: key] as [CFString: Any] as CFDictionary,
          [kSecAttrLabel: "mine"] as [CFString: Any] as CFDictionary
        ) == errSecSuccess
      )
      #expect(
        (copy([kSecReturnAttributes: true]).result as? [String: Any])?[kSecAttrLabel as String]
          as? String == "mine"
      )
      #expect(
        SecItemDelete([kSecValueRef: key] as [CFString: Any] as CFDictionary) == errSecSuccess
      )
      #expect(copy([:]).status == errSecItemNotFound)
    }
  }

  @Test func additionAnswersWithTheKeyItAdded() throws {
    try device.use {
      let key = try newKey(kSecAttrKeyTypeEC, 256)
      var result: CFTypeRef?
      let item =
        [kSecClass: kSecClassKey, kSecValueRef: key, kSecReturnRef: true] as [CFString: Any]
      #expect(SecItemAdd(item as CFDictionary, &result) == errSecSuccess)
      #expect(result as? SecKey == key)
    }
  }

  @Test func bytesThatAreAddedWithTheirKindAreFoundAsAKey() throws {
    try device.use {
      let key = SampleKeys.rsa
      let item =
        [
          kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecValueData: try external(key),
          kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        ] as [CFString: Any]
      #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      #expect(try found() == key)
    }
  }

  @Test func severalThingsOfAKeyComeInOneDictionary() throws {
    try device.use {
      let made = try newKey(kSecAttrKeyTypeEC, 256, permanent)
      let all =
        copy([
          kSecReturnRef: true, kSecReturnData: true, kSecReturnAttributes: true,
          kSecReturnPersistentRef: true,
        ]).result as? [String: Any]
      #expect(all?[kSecValueRef as String] as? SecKey == made)
      #expect(try all?[kSecValueData as String] as? Data == external(made))
      #expect(all?[kSecAttrApplicationTag as String] as? Data == tag)
      #expect(all?[kSecClass as String] as? String == kSecClassKey as String)
      let reference = try #require(all?[kSecValuePersistentRef as String] as? Data)
      var result: CFTypeRef?
      let byReference =
        [kSecValuePersistentRef: reference, kSecReturnRef: true] as [CFString: Any]
      #expect(SecItemCopyMatching(byReference as CFDictionary, &result) == errSecSuccess)
      #expect(result as? SecKey == made)
      // Where only the key is asked for, nothing else is there.
      let two = copy([kSecReturnRef: true, kSecReturnPersistentRef: true]).result as? [String: Any]
      #expect(two?[kSecValueData as String] == nil)
      #expect(two?[kSecAttrApplicationTag as String] == nil)
    }
  }

  @Test func whatIsNoKeyDoesNotComeBackAsOne() throws {
    device.use {
      let wrong: [([CFString: Any], OSStatus)] = [
        ([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: 1], errSecDecode),
        ([kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: 0], errSecDecode),
        ([kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeyClass: 2], errSecUnimplemented),
        ([kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: 2], errSecUnimplemented),
        ([:], errSecUnimplemented),
      ]
      for (attributes, expected) in wrong {
        let item = query(attributes.merging([kSecValueData: Data("no key".utf8)]) { _, new in new })
        #expect(SecItemAdd(item, nil) == errSecSuccess)
        #expect(copy([kSecReturnRef: true]).status == expected)
        #expect(copy([kSecReturnData: true]).result as? Data == Data("no key".utf8))
        #expect(SecItemDelete(query()) == errSecSuccess)
      }
    }
  }

  @Test func objectsThatMakeNoSenseAreRefused() throws {
    device.use {
      let key = SampleKeys.curves[0]
      let wrong: [[CFString: Any]] = [
        [kSecValueRef: "key"], [kSecValueRef: NSNull()], [kSecValueRef: Data()],
        [kSecValueRef: key, kSecClass: kSecClassGenericPassword],
        [kSecValueRef: key, kSecClass: kSecClassCertificate],
        [kSecValueRef: key, kSecValueData: Data("x".utf8)],
      ]
      for dictionary in wrong {
        #expect(SecItemAdd(dictionary as CFDictionary, nil) == errSecParam)
      }
      for dictionary in wrong.dropLast() {
        var result: CFTypeRef?
        #expect(SecItemCopyMatching(dictionary as CFDictionary, &result) == errSecParam)
        #expect(result == nil)
        #expect(SecItemDelete(dictionary as CFDictionary) == errSecParam)
      }
      #expect(
        SecItemUpdate(query(), [kSecValueRef: key] as [CFString: Any] as CFDictionary)
          != errSecSuccess
      )
    }
  }

  @Test func keyThatCannotBeKeptIsNotMade() throws {
    try device.use {
      _ = try newKey(kSecAttrKeyTypeEC, 256, permanent)
      // The tag alone does not make a key another one; its label does.
      _ = try newKey(kSecAttrKeyTypeEC, 256, permanent)
      var parameters = permanent
      parameters[kSecAttrAccessGroup as String] = "somebody.else"
      #expect(status { try newKey(kSecAttrKeyTypeEC, 256, parameters) } == errSecMissingEntitlement)
      parameters[kSecAttrAccessGroup as String] = nil
      parameters[kSecAttrPort as String] = 1
      #expect(status { try newKey(kSecAttrKeyTypeEC, 256, parameters) } == errSecNoSuchAttr)
    }
  }

  @Test func protectedKeyIsReadOnAProofOnly() throws {
    try device.use {
      let control = try thrown {
        SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, $0)
      }
      let key = try newKey(kSecAttrKeyTypeEC, 256)
      let item =
        [kSecValueRef: key, kSecAttrApplicationTag: tag, kSecAttrAccessControl: control]
        as [CFString: Any]
      #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      #expect(
        copy([kSecReturnRef: true, kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]).status
          == errSecInteractionNotAllowed
      )
      try device.sensor.script("match")
      #expect(try found() == key)
    }
  }
}
