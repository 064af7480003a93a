import LocalAuthTestKit
import LocalAuthTestSupport
import Security
import Testing

/// What a search answers with finds, changes and deletes the item that it is about: "list, then delete
/// each".
@Suite(
  .enabled(if: OpenSSLProgram.isInstalled, "needs the openssl program")
)
struct ReturnedDictionaryTests {
  private let program = OpenSSLProgram()
  private let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  /// Everything of a class that can be returned, with its class.
  private func list(_ itemClass: String, _ more: [String: Any] = [:]) throws -> [[String: Any]] {
    var query: [String: Any] = [
      kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
      kSecAttrSynchronizable: kSecAttrSynchronizableAny,
    ]
    query.merge(more) { _, new in new }
    let (status, result) = copy(query)
    try #require(status == errSecSuccess)
    let all = try #require(result as? [[String: Any]])
    return all.map { $0.merging([kSecClass: itemClass]) { _, new in new } }
  }

  /// Finds, changes and deletes each item of a class by what is returned of it, and none but that.
  private func expectEachIsFoundChangedAndDeleted(
    _ itemClass: String,
    _ count: Int,
    _ more: [String: Any] = [:]
  ) throws {
    var left = count
    for item in try list(itemClass, more) {
      var query = item
      query[kSecMatchLimit] = kSecMatchLimitAll
      query[kSecReturnAttributes] = true
      let found = copy(query)
      #expect(found.status == errSecSuccess, "\(item)")
      #expect((found.result as? [Any])?.count == 1, "\(item)")
    }
    let change = [kSecAttrLabel: "changed"] as CFDictionary
    // Nothing of a key of the Secure Enclave is changed, however it is named.
    for item in try list(itemClass, more) where item[kSecAttrTokenID] == nil {
      #expect(SecItemUpdate(item as CFDictionary, change) == errSecSuccess, "\(item)")
    }
    for item in try list(itemClass, more) {
      #expect(item[kSecAttrTokenID] != nil || item[kSecAttrLabel] as? String == "changed")
      #expect(delete(item) == errSecSuccess, "\(item)")
      #expect(delete(item) == errSecItemNotFound)
      left -= 1
      #expect(self.count(itemClass) == left)
    }
    #expect(left == 0)
  }

  private func count(_ itemClass: String) -> Int {
    SecurityTests.count(itemClass, [kSecAttrSynchronizable: kSecAttrSynchronizableAny])
  }

  private func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
    try thrown {
      SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAfterFirstUnlock, flags, $0)
    }
  }

  @Test(arguments: [false, true]) func passwords(_ withData: Bool) throws {
    try device.use {
      let variants: [[String: Any]] = [
        [kSecAttrAccount: "a"], [kSecAttrAccount: Data("b".utf8), kSecAttrComment: "c"],
        [kSecAttrAccount: "c", kSecAttrSynchronizable: true],
        [kSecAttrAccount: "d", kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock],
        [kSecAttrAccount: "e", kSecAttrAccessControl: try control([])],
        [kSecAttrIsInvisible: true, kSecAttrCreator: 7, kSecAttrLabel: "label"],
      ]
      let more: [String: Any] =
        withData ? [kSecReturnData: true, kSecReturnPersistentRef: false] : [:]
      for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
        for variant in variants {
          let item: [String: Any] = [kSecClass: itemClass, kSecValueData: Data("x".utf8)]
          #expect(add(item.merging(variant) { _, new in new }) == errSecSuccess)
        }
        try expectEachIsFoundChangedAndDeleted(itemClass, variants.count, more)
      }
    }
  }

  @Test func guardedPasswordIsDeletedByWhatIsReturnedOfIt() throws {
    try device.use {
      let item: [String: Any] = [
        kSecClass: kSecClassGenericPassword, kSecValueData: Data("x".utf8),
        kSecAttrAccessControl: try control(.biometryCurrentSet),
      ]
      #expect(add(item) == errSecSuccess)
      try device.sensor.script("match")
      let found = try #require(list(kSecClassGenericPassword).first)
      #expect(found[kSecAttrAccessControl] is SecAccessControl)
      #expect(delete(found) == errSecSuccess)
      #expect(delete(found) == errSecItemNotFound)
    }
  }

  @Test(arguments: [false, true]) func keys(_ withReferences: Bool) throws {
    try device.use {
      let tag = Data("tag".utf8)
      let permanent: [String: Any] = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag]
      _ = try newKey(kSecAttrKeyTypeEC, 256, permanent)
      let held = permanent.merging([kSecAttrIsExtractable: false]) { _, new in new }
      _ = try newKey(kSecAttrKeyTypeEC, 256, [kSecPrivateKeyAttrs: held])
      _ = try newKey(
        kSecAttrKeyTypeEC,
        256,
        [
          kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
          kSecPrivateKeyAttrs: [
            kSecAttrAccessControl: try control([.privateKeyUsage, .biometryAny]),
            kSecAttrApplicationLabel: Data("own".utf8),
          ],
        ]
      )
      #expect(add([kSecValueRef: SampleKeys.rsa]) == errSecSuccess)
      try expectEachIsFoundChangedAndDeleted(
        kSecClassKey,
        5,
        withReferences ? [kSecReturnRef: true] : [:]
      )
    }
  }

  @Test(arguments: [false, true]) func certificates(_ withReferences: Bool) throws {
    let all = [try certificate(program, "one"), try certificate(program, "two")]
    try device.use {
      for certificate in all { #expect(add([kSecValueRef: certificate]) == errSecSuccess) }
      try expectEachIsFoundChangedAndDeleted(
        kSecClassCertificate,
        2,
        withReferences ? [kSecReturnRef: true] : [:]
      )
    }
  }

  @Test(arguments: [false, true]) func identities(_ withReferences: Bool) throws {
    let all = [try identity(program, "one"), try identity(program, "two")]
    try device.use {
      for identity in all { #expect(add([kSecValueRef: identity]) == errSecSuccess) }
      var left = all.count
      let more: [String: Any] = withReferences ? [kSecReturnRef: true] : [:]
      for item in try list(kSecClassIdentity, more) {
        let change = [kSecAttrLabel: "changed"] as CFDictionary
        #expect(SecItemUpdate(item as CFDictionary, change) == errSecSuccess)
      }
      let changed = try list(kSecClassIdentity, more)
      #expect(changed.allSatisfy { $0[kSecAttrLabel] as? String == "changed" })
      for item in changed {
        #expect(copy(item.merging([kSecReturnAttributes: true]) { _, new in new }).status == 0)
        #expect(delete(item) == errSecSuccess, "\(item)")
        left -= 1
        #expect(count(kSecClassIdentity) == left)
      }
      #expect(left == 0)
    }
  }

  @Test func anotherAccessControlThanTheAccessibilitySaysIsRefused() throws {
    try device.use {
      #expect(add([kSecClass: kSecClassGenericPassword]) == errSecSuccess)
      var item = try #require(list(kSecClassGenericPassword).first)
      item[kSecAttrAccessControl] = try control([])
      #expect(copy(item).status == errSecParam)
      #expect(delete(item) == errSecParam)
      #expect(
        SecItemUpdate(item as CFDictionary, [kSecAttrLabel: "x"] as CFDictionary) == errSecParam
      )
    }
  }

  @Test func oneItemThatIsNoKeyLeavesTheOthersInAList() throws {
    try device.use {
      let bad: [String: Any] = [
        kSecClass: kSecClassKey, kSecValueData: Data("no key".utf8),
        kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      ]
      let all: [String: Any] = [
        kSecClass: kSecClassKey, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
      ]
      #expect(add(bad) == errSecSuccess)
      #expect(copy(all).status == errSecDecode)
      for key in SampleKeys.curves { #expect(add([kSecValueRef: key]) == errSecSuccess) }
      #expect(copy(all).result as? [SecKey] == SampleKeys.curves)
      let certificate = try certificate(program, "one")
      #expect(
        add([kSecClass: kSecClassCertificate, kSecValueData: Data("no".utf8)]) == errSecSuccess
      )
      #expect(add([kSecValueRef: certificate]) == errSecSuccess)
      let certificates = all.merging([kSecClass: kSecClassCertificate]) { _, new in new }
      #expect(copy(certificates).result as? [SecCertificate] == [certificate])
    }
  }
}
