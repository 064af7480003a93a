import LocalAuth
import LocalAuthEmbedded
import LocalAuthTestKit
import Security
import Testing

/// Private keys with `kSecAttrIsExtractable: false`: kept and used in the keychain, and never given away.
@Suite struct HeldKeyTests {
  private let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  private let tag = Data("org.example.held".utf8)
  private let message = Data("pay 10 to Ann".utf8)
  private let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256

  private func query(_ more: [CFString: Any] = [:]) -> [String: Any] {
    let all: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationTag: tag,
      kSecAttrKeyClass: kSecAttrKeyClassPrivate,
    ]
    return all.merging(more) { _, new in new }
  }

  private func found(_ more: [CFString: Any] = [:]) throws -> SecKey {
    let (status, result) = copy(query(more.merging([kSecReturnRef: true]) { _, new in new }))
    try #require(status == errSecSuccess)
    return try #require(result as? SecKey)
  }

  private func make(
    _ more: [CFString: Any] = [:],
    _ type: CFString = kSecAttrKeyTypeECSECPrimeRandom,
    _ bits: Int = 256
  ) throws -> SecKey {
    let item: [CFString: Any] = [
      kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag, kSecAttrIsExtractable: false,
    ]
    let attributes = item.merging(more) { _, new in new }
    return try newKey(type, bits, [kSecPrivateKeyAttrs as String: attributes])
  }

  /// An item of a key that was made elsewhere.
  private func bring(_ key: SecKey, _ more: [CFString: Any] = [:]) -> OSStatus {
    let item: [CFString: Any] = [
      kSecValueRef: key, kSecAttrApplicationTag: tag, kSecAttrIsExtractable: false,
    ]
    return add(item.merging(more) { _, new in new })
  }

  private func control(
    _ flags: SecAccessControlCreateFlags
  ) throws -> SecAccessControl {
    try thrown {
      SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, $0)
    }
  }

  /// It signs, decrypts and agrees, and its bytes are for nobody.
  private func expectHeld(_ key: SecKey, _ half: SecKey) throws {
    #expect(try verifies(sign(message, algorithm, key), message, algorithm, half))
    let scheme = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM
    #expect(try decrypt(encrypt(message, scheme, half), scheme, key) == message)
    let peer = SampleKeys.curves[0]
    #expect(
      try exchange(key, publicHalf(peer), .ecdhKeyExchangeStandard)
        == exchange(peer, half, .ecdhKeyExchangeStandard)
    )
    try expectShut(key)
  }

  private func expectShut(_ key: SecKey) throws {
    #expect(status { try external(key) } == errSecUnimplemented)
    let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
    #expect(attributes[kSecValueData as String] == nil)
    #expect(attributes[kSecAttrTokenID as String] == nil)
    #expect(attributes[kSecAttrIsExtractable as String] as? Bool == false)
    #expect((copy(query([kSecReturnData: true])).result as? Data)?.isEmpty == true)
    let all = copy(query([kSecReturnData: true, kSecReturnAttributes: true, kSecReturnRef: true]))
    let dictionary = try #require(all.result as? [String: Any])
    #expect(dictionary[kSecValueData as String] == nil)
    #expect(dictionary[kSecValueRef as String] as? SecKey == key)
  }

  @Test func keyThatIsMadeIsUsedAndNotGivenAway() throws {
    try device.use {
      let key = try make()
      try expectHeld(key, publicHalf(key))
      let again = try found()
      #expect(again == key)
      try expectHeld(again, publicHalf(key))
    }
  }

  @Test func attributeForBothHalvesHoldsThePrivateOne() throws {
    try device.use {
      let key = try newKey(
        kSecAttrKeyTypeEC,
        256,
        [
          kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag,
          kSecAttrIsExtractable as String: false,
        ]
      )
      try expectHeld(key, publicHalf(key))
      // The public half is no secret.
      let half = try found([kSecAttrKeyClass: kSecAttrKeyClassPublic])
      #expect(try external(half) == external(publicHalf(key)))
    }
  }

  @Test func keyThatIsBroughtIsHeldToo() throws {
    try device.use {
      let key = try newKey(kSecAttrKeyTypeEC, 256)
      #expect(bring(key) == errSecSuccess)
      #expect(bring(key) == errSecDuplicateItem)
      try expectHeld(found(), publicHalf(key))
    }
  }

  @Test func bytesThatAreBroughtAreHeldToo() throws {
    try device.use {
      let key = try newKey(kSecAttrKeyTypeEC, 256)
      var item = query([
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecValueData: try external(key),
        kSecAttrIsExtractable: kCFBooleanFalse as Any, kSecReturnData: true, kSecReturnRef: true,
      ])
      var result: CFTypeRef?
      #expect(SecItemAdd(item as CFDictionary, &result) == errSecSuccess)
      let answer = try #require(result as? [String: Any])
      #expect(answer[kSecValueData as String] == nil)
      try expectHeld(#require(answer[kSecValueRef as String] as? SecKey), publicHalf(key))
      item[kSecReturnRef as String] = nil
      item[kSecAttrApplicationTag as String] = Data("other".utf8)
      #expect(SecItemAdd(item as CFDictionary, &result) == errSecSuccess)
      #expect((result as? Data)?.isEmpty == true)
    }
  }

  @Test func heldKeyWorksAfterARestart() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(
      at: directory,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(at: directory) }
    func use(_ device: Device, _ body: () throws -> Void) rethrows {
      try CurrentDevice.$ofTask.withValue(
        CurrentDevice(device, prompter: .terminal),
        operation: body
      )
    }
    let half = try {
      let device = try Device.create("sim", directory: directory.path, DeviceSetup())
      var half: SecKey?
      try use(device) { half = try publicHalf(make()) }
      return try #require(half)
    }()
    try use(Device("sim", directory: directory.path)) { try expectHeld(found(), half) }
  }

  @Test func proofIsAskedForWhereTheItemAsks() throws {
    try device.use {
      let control = try control(.biometryAny)
      let made = try make([kSecAttrAccessControl: control])
      try device.sensor.script("match")
      #expect(
        try verifies(sign(message, algorithm, made), message, algorithm, publicHalf(made))
      )
      #expect(
        copy(query([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])).status
          == errSecInteractionNotAllowed
      )
      try device.sensor.script("cancel")
      #expect(throws: (any Error).self) { try sign(message, algorithm, made) }
      #expect(delete(query()) == errSecSuccess)
      let brought = try newKey(kSecAttrKeyTypeEC, 256)
      #expect(bring(brought, [kSecAttrAccessControl: control]) == errSecSuccess)
      try device.sensor.script("match")
      let held = try found()
      try device.sensor.script("match")
      #expect(
        try verifies(sign(message, algorithm, held), message, algorithm, publicHalf(brought))
      )
      try device.sensor.script("cancel")
      #expect(throws: (any Error).self) { try sign(message, algorithm, held) }
      #expect(status { try external(held) } == errSecUnimplemented)
    }
  }

  @Test func keyUsageIsAskedForAtTheUseAlone() throws {
    try device.use {
      let key = try make([kSecAttrAccessControl: try control([.privateKeyUsage, .biometryAny])])
      #expect(try found() == key)
      try device.sensor.script("match")
      #expect(try verifies(sign(message, algorithm, key), message, algorithm, publicHalf(key)))
    }
  }

  @Test func keyThatCouldNotBeUsedIsNotTaken() throws {
    device.use {
      for key in [SampleKeys.rsa, SampleKeys.curves[1], SampleKeys.curves[2]] {
        #expect(bring(key) == errSecUnimplemented)
      }
      #expect(status { try make([:], kSecAttrKeyTypeRSA, 2048) } == errSecUnimplemented)
      #expect(status { try make([:], kSecAttrKeyTypeEC, 384) } == errSecUnimplemented)
      let wrong: [[CFString: Any]] = [
        [:], [kSecAttrKeyType: kSecAttrKeyTypeEC],
        [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassSymmetric],
        [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate],
        [kSecAttrKeyType: kSecAttrKeyTypeAES, kSecAttrKeyClass: kSecAttrKeyClassPrivate],
      ]
      for attributes in wrong {
        let item: [CFString: Any] = [
          kSecClass: kSecClassKey, kSecValueData: Data("no key".utf8),
          kSecAttrIsExtractable: false,
        ]
        #expect(add(item.merging(attributes) { _, new in new }) == errSecUnimplemented)
      }
      #expect(count(kSecClassKey) == 0)
    }
  }

  @Test func keyDoesNotBecomeHeldOrFreeAfterwards() throws {
    try device.use {
      let free = try newKey(kSecAttrKeyTypeEC, 256)
      #expect(bring(free, [kSecAttrIsExtractable: true]) == errSecSuccess)
      let hold = [kSecAttrIsExtractable: false] as [CFString: Any] as CFDictionary
      #expect(SecItemUpdate(query() as CFDictionary, hold) == errSecParam)
      #expect(try external(found()) == external(free))
      #expect(delete(query()) == errSecSuccess)
      #expect(bring(free) == errSecSuccess)
      for change: [CFString: Any] in [
        [kSecAttrIsExtractable: true], [kSecAttrKeyClass: kSecAttrKeyClassPublic],
        [kSecValueData: Data("x".utf8)],
      ] {
        #expect(SecItemUpdate(query() as CFDictionary, change as CFDictionary) == errSecParam)
      }
      try expectShut(found())
    }
  }
}
