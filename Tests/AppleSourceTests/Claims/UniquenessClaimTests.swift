import LocalAuthTestKit
import Security
import Testing

/// Section 2.5: what tells two items apart, and what does not.
@Suite struct UniquenessClaimTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  // MARK: 2.5 Generic passwords

  @Test func accountAndServiceTellGenericPasswordsApart() {
    device.use {
      #expect(Items.add(.generic("a", "s")) == errSecSuccess)
      #expect(Items.add(.generic("a", "s")) == errSecDuplicateItem)
      #expect(Items.add(.generic("b", "s")) == errSecSuccess)
      #expect(Items.add(.generic("a", "t")) == errSecSuccess)
      #expect(Items.add(.generic("A", "s")) == errSecSuccess, "case counts")
      #expect(Items.count(.anyGeneric) == 4)
    }
  }

  @Test func twoWithNeitherAccountNorServiceCollide() {
    device.use {
      #expect(Items.add(Attributes.anyGeneric.holding("1")) == errSecSuccess)
      #expect(Items.add(Attributes.anyGeneric.holding("2")) == errSecDuplicateItem)
      #expect(Items.add(.generic("", "")) == errSecDuplicateItem, "none is the empty text")
      #expect(Items.add(Attributes.anyGeneric.with([kSecAttrAccount: "a"])) == errSecSuccess)
    }
  }

  @Test func everythingElseOfAGenericPasswordDoesNotCount() {
    device.use {
      #expect(Items.add(.generic()) == errSecSuccess)
      let differing: [Attributes] = [
        [kSecAttrGeneric: Data([1])], [kSecAttrLabel: "other"], [kSecAttrComment: "other"],
        [kSecAttrDescription: "other"], [kSecAttrCreator: 7], [kSecAttrType: 7],
        [kSecAttrIsInvisible: true], [kSecAttrIsNegative: true], [kSecValueData: Data([1])],
        [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock],
        [kSecAttrAccessControl: accessControl(.userPresence) as Any],
      ]
      for more in differing {
        #expect(Items.add(.generic().with(more)) == errSecDuplicateItem, "\(more)")
      }
    }
  }

  @Test func aSynchronizableTwinLivesBesideItsSibling() {
    device.use {
      #expect(Items.add(Attributes.generic().holding("here")) == errSecSuccess)
      let twin = Attributes.generic().with([kSecAttrSynchronizable: true])
      #expect(Items.add(twin.holding("everywhere")) == errSecSuccess)
      #expect(Items.add(twin) == errSecDuplicateItem)
      #expect(Items.data(.generic()) == Data("here".utf8))
      #expect(Items.data(twin) == Data("everywhere".utf8))
    }
  }

  @Test func textAndTheSameBytesAreOneAccount() {
    device.use {
      #expect(Items.add(.generic("zoë")) == errSecSuccess)
      #expect(Items.add(.generic(Data("zoë".utf8))) == errSecDuplicateItem)
      #expect(Items.exists(.generic(Data("zoë".utf8))) == errSecSuccess)
    }
  }

  @Test func twoSpellingsOfOneCharacterAreTwoAccounts() {
    device.use {
      let (composed, decomposed) = ("\u{E9}", "e\u{301}")
      #expect(composed == decomposed, "as Swift has it")
      for name in [composed, decomposed] {
        #expect(Items.add(Attributes.generic(name).holding(name)) == errSecSuccess)
      }
      for name in [composed, decomposed] {
        #expect(Items.data(.generic(name)) == Data(name.utf8))
      }
    }
  }

  // MARK: 2.5 Internet passwords

  @Test func sevenAttributesTellInternetPasswordsApart() {
    device.use {
      #expect(Items.add(.internet) == errSecSuccess)
      #expect(Items.add(.internet) == errSecDuplicateItem)
      let differing: [Attributes] = [
        [kSecAttrAccount: "bob"], [kSecAttrSecurityDomain: "other"],
        [kSecAttrServer: "example.com"], [kSecAttrProtocol: kSecAttrProtocolHTTP],
        [kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPDigest], [kSecAttrPort: 8443],
        [kSecAttrPath: "/"],
      ]
      for more in differing {
        #expect(Items.add(Attributes.internet.with(more)) == errSecSuccess, "\(more)")
      }
      for key in differing.flatMap(\.keys) {
        #expect(Items.add(Attributes.internet.without(key)) == errSecSuccess, "without \(key)")
      }
    }
  }

  @Test func everythingElseOfAnInternetPasswordDoesNotCount() {
    device.use {
      #expect(Items.add(.internet) == errSecSuccess)
      let more: Attributes = [
        kSecAttrLabel: "l", kSecAttrComment: "c", kSecAttrCreator: 1, kSecAttrType: 2,
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
      ]
      #expect(Items.add(Attributes.internet.with(more)) == errSecDuplicateItem)
    }
  }

  // MARK: 2.5 The other classes

  @Test func threeAttributesTellCertificatesApart() {
    device.use {
      let certificate: Attributes = [
        kSecClass: kSecClassCertificate, kSecAttrCertificateType: 1,
        kSecAttrIssuer: Data("issuer".utf8), kSecAttrSerialNumber: Data([1]),
      ]
      #expect(Items.add(certificate) == errSecSuccess)
      #expect(Items.add(certificate.with([kSecAttrLabel: "x"])) == errSecDuplicateItem)
      #expect(Items.add(certificate.with([kSecAttrSubject: Data([9])])) == errSecDuplicateItem)
      #expect(Items.add(certificate.with([kSecAttrCertificateType: 3])) == errSecSuccess)
      #expect(Items.add(certificate.with([kSecAttrIssuer: Data([9])])) == errSecSuccess)
      #expect(Items.add(certificate.with([kSecAttrSerialNumber: Data([2])])) == errSecSuccess)
    }
  }

  @Test func classLabelTagTypeAndSizesTellKeysApart() {
    device.use {
      let key: Attributes = [
        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassSymmetric,
        kSecAttrApplicationLabel: Data([1]), kSecAttrApplicationTag: Data("tag".utf8),
        kSecAttrKeyType: 1, kSecAttrKeySizeInBits: 256, kSecAttrEffectiveKeySize: 256,
      ]
      #expect(Items.add(key) == errSecSuccess)
      #expect(Items.add(key.with([kSecAttrLabel: "x"])) == errSecDuplicateItem)
      #expect(Items.add(key.with([kSecAttrCanSign: true])) == errSecDuplicateItem)
      let differing: [Attributes] = [
        [kSecAttrApplicationLabel: Data([2])], [kSecAttrApplicationTag: Data("other".utf8)],
        [kSecAttrKeyType: 2], [kSecAttrKeySizeInBits: 128], [kSecAttrEffectiveKeySize: 112],
        [kSecAttrCreator: 5],
      ]
      for more in differing { #expect(Items.add(key.with(more)) == errSecSuccess, "\(more)") }
    }
  }

  @Test func itemsOfTwoClassesNeverCollide() {
    device.use {
      for name in [kSecClassGenericPassword, kSecClassInternetPassword] {
        #expect(Items.add([kSecClass: name, kSecAttrAccount: "ann"]) == errSecSuccess)
      }
    }
  }
}
