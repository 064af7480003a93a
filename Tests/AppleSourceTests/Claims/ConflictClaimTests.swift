import LocalAuthTestKit
import Security
import Testing

/// Section 2.13: keys that exclude each other.
@Suite struct ConflictClaimTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  @Test func accessibilityAndAccessControlExcludeEachOther() {
    device.use {
      #expect(Items.add(.generic()) == errSecSuccess)
      let protection = kSecAttrAccessibleWhenUnlocked
      for flags: SecAccessControlCreateFlags in [[], .userPresence] {
        let both: Attributes = [
          kSecAttrAccessible: protection,
          kSecAttrAccessControl: accessControl(flags, protection) as Any,
        ]
        #expect(Items.add(.generic("b").with(both)) == errSecParam)
        #expect(Items.update(.generic(), both) == errSecParam)
        // A search that names both of what it finds is one by what was answered before.
        #expect(Items.exists(.generic().with(both)) == errSecSuccess)
        let other = both.with([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
        #expect(Items.exists(.generic().with(other)) == errSecParam)
        #expect(Items.update(.generic().with(other), [kSecAttrLabel: "x"]) == errSecParam)
        #expect(Items.delete(.generic().with(other)) == errSecParam)
      }
    }
  }

  /// There is no keychain of macOS' files, which alone knows such lists.
  @Test func anAccessListIsNoAttribute() {
    device.use {
      let item = Attributes.generic().with([kSecAttrAccess: "everybody"])
      #expect(Items.add(item) == errSecNoSuchAttr)
    }
  }

  @Test func theSecureEnclaveHoldsPrivateKeysOnly() {
    device.use {
      let token: Attributes = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]
      #expect(Items.add(.generic().with(token)) == errSecParam)
      #expect(Items.add(Attributes.internet.with(token)) == errSecParam)
      let key: Attributes = [
        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
      ]
      for wrong: Attributes in [
        [kSecAttrKeyClass: kSecAttrKeyClassPublic], [kSecAttrKeyClass: kSecAttrKeyClassSymmetric],
        [kSecAttrKeyType: kSecAttrKeyTypeRSA], [kSecAttrKeySizeInBits: 384],
        [kSecAttrAccessControl: accessControl(.biometryAny) as Any],
      ] {
        #expect(Items.add(key.with(token).with(wrong)) == errSecParam, "\(wrong)")
      }
    }
  }
}
