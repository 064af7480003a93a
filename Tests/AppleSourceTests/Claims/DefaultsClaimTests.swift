import LocalAuthTestKit
import Security
import Testing

/// Section 2.7: what a call means that does not say it.
@Suite struct DefaultsClaimTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  private func addThree() {
    for account in ["a", "b", "c"] {
      #expect(Items.add(Attributes.generic(account).holding(account)) == errSecSuccess)
    }
  }

  @Test func aSearchIsForOneItem() {
    device.use {
      addThree()
      #expect(Items.copy(Attributes.anyGeneric.with([kSecReturnData: true])).result is Data)
    }
  }

  @Test func anUpdateIsOfAllMatches() {
    device.use {
      addThree()
      #expect(Items.update(.anyGeneric, [kSecAttrLabel: "all"]) == errSecSuccess)
      #expect(Items.count(Attributes.anyGeneric.with([kSecAttrLabel: "all"])) == 3)
    }
  }

  @Test func aDeletionIsOfAllMatches() {
    device.use {
      addThree()
      #expect(Items.add(.internet) == errSecSuccess)
      #expect(Items.delete(.anyGeneric) == errSecSuccess)
      #expect(Items.exists(.anyGeneric) == errSecItemNotFound)
      #expect(Items.exists(.internet) == errSecSuccess)
    }
  }

  @Test func anItemIsAccessibleWhileUnlockedAndACertificateAlways() {
    device.use {
      let certificate: Attributes = [
        kSecClass: kSecClassCertificate, kSecAttrSerialNumber: Data([1]),
      ]
      let key: Attributes = [
        kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassSymmetric,
        kSecAttrApplicationTag: Data([1]),
      ]
      for (item, protection) in [
        (Attributes.generic(), kSecAttrAccessibleWhenUnlocked),
        (.internet, kSecAttrAccessibleWhenUnlocked), (key, kSecAttrAccessibleWhenUnlocked),
        (certificate, "dk"),
      ] {
        #expect(Items.add(item) == errSecSuccess)
        #expect(Items.attributes(item)?[kSecAttrAccessible] as? String == protection)
      }
    }
  }

  @Test func aCallIsAboutWhatIsNotSynchronizable() {
    device.use {
      let twin = Attributes.generic().with([kSecAttrSynchronizable: true])
      let any = Attributes.generic().with([kSecAttrSynchronizable: kSecAttrSynchronizableAny])
      #expect(Items.add(twin) == errSecSuccess)
      #expect(Items.exists(.generic()) == errSecItemNotFound)
      #expect(Items.update(.generic(), [kSecAttrLabel: "x"]) == errSecItemNotFound)
      #expect(Items.delete(.generic()) == errSecItemNotFound)
      #expect(Items.exists(twin) == errSecSuccess)
      #expect(Items.exists(any) == errSecSuccess)
      #expect(Items.add(.generic()) == errSecSuccess)
      #expect(Items.count(any) == 2)
      #expect(Items.count(.generic()) == 1)
      #expect(Items.update(any, [kSecAttrLabel: "both"]) == errSecSuccess)
      #expect(Items.delete(any) == errSecSuccess)
      #expect(Items.exists(any) == errSecItemNotFound)
    }
  }

  @Test func aPersistentReferenceFindsASynchronizableItemToo() throws {
    try device.use {
      let item = Attributes.generic().with([kSecAttrSynchronizable: true])
      let answer = Items.adding(item.with([kSecReturnPersistentRef: true]))
      let reference = try #require(answer.result as? Data)
      #expect(Items.exists([kSecValuePersistentRef: reference]) == errSecSuccess)
      #expect(Items.delete([kSecValuePersistentRef: reference]) == errSecSuccess)
      #expect(Items.exists(item) == errSecItemNotFound)
    }
  }

  @Test func somebodyMayBeAsked() throws {
    try device.use {
      #expect(Items.add(Attributes.generic().holding("x").guarded(by: .biometryAny)) == 0)
      try device.sensor.match()
      #expect(Items.data(.generic()) == Data("x".utf8))
    }
  }

  @Test func nothingAskedForLeavesTheResultAlone() {
    device.use {
      var result: CFTypeRef? = "mine" as NSString
      #expect(SecItemAdd(Attributes.generic() as CFDictionary, &result) == errSecSuccess)
      #expect(result as? String == "mine")
      #expect(Items.copy(.generic()).result == nil)
    }
  }
}
