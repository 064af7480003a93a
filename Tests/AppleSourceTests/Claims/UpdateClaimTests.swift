import LocalAuthTestKit
import Security
import Testing

/// Section 2.11: what `SecItemUpdate` changes, and what it refuses.
@Suite struct UpdateClaimTests {
  private let device: TestDevice
  private let label: Attributes = [kSecAttrLabel: "new"]

  init() throws {
    device = try .phone()
    device.use { #expect(Items.add(Attributes.generic().holding("x")) == errSecSuccess) }
  }

  // MARK: 2.11 The query

  @Test func theQueryNeedsAClassOrAReference() throws {
    try device.use {
      #expect(Items.update([kSecAttrAccount: "ann"], label) == errSecParam)
      #expect(Items.update([:], label) == errSecParam)
      let answer = Items.copy(.generic().with([kSecReturnPersistentRef: true]))
      let reference = try #require(answer.result as? Data)
      #expect(Items.update([kSecValuePersistentRef: reference], label) == errSecSuccess)
      #expect(Items.attributes(.generic())?[kSecAttrLabel] as? String == "new")
    }
  }

  @Test func theQueryHasNoMatchKey() {
    device.use {
      for more: Attributes in [
        [kSecMatchLimit: kSecMatchLimitAll], [kSecMatchLimit: kSecMatchLimitOne],
        [kSecMatchLimit: 1], [kSecMatchCaseInsensitive: true], [kSecMatchIssuers: [Data()]],
      ] {
        #expect(Items.update(.generic().with(more), label) == errSecParam, "\(more)")
      }
    }
  }

  @Test func theQueryAsksForNothing() {
    device.use {
      for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
        #expect(Items.update(.generic().with([key: true]), label) == errSecParam)
        #expect(Items.update(.generic().with([key: false]), label) == errSecSuccess)
      }
    }
  }

  // MARK: 2.11 The changes

  @Test(arguments: [
    kSecClass, kSecUseAuthenticationContext, kSecUseOperationPrompt, kSecUseAuthenticationUI,
    "u_CredRef", kSecReturnData, kSecMatchLimit, kSecValueRef, kSecValuePersistentRef,
    kSecAttrServer, "zzzz", "", "account",
  ])
  func whatIsNoAttributeOfTheClassIsNoSuchAttribute(key: String) {
    device.use {
      let value: Any = key == kSecUseAuthenticationContext ? NSObject() : "x"
      let status = Items.update(.generic(), [key: value])
      let wanted = key == kSecUseAuthenticationContext ? errSecParam : errSecNoSuchAttr
      #expect(status == wanted)
    }
  }

  @Test func whoTheItemBelongsToIsIgnoredAndASharingGroupRefused() {
    device.use {
      #expect(Items.update(.generic(), ["musr": Data([1])]) == errSecSuccess)
      #expect(Items.update(.generic(), ["ggrp": "family"]) == errSecParam)
    }
  }

  @Test func anotherGroupThatIsNotListedIsAMissingEntitlement() {
    device.use {
      #expect(
        Items.update(.generic(), [kSecAttrAccessGroup: "theirs"]) == errSecMissingEntitlement
      )
      #expect(Items.update(.generic(), [kSecAttrAccessGroup: 7]) == errSecMissingEntitlement)
      #expect(Items.update(.generic(), [kSecAttrAccessGroup: "local"]) == errSecSuccess)
    }
  }

  @Test func dataAndAttributesChangeTogether() {
    device.use {
      let changes = label.holding("y").with([kSecAttrAccount: "bob"])
      #expect(Items.update(.generic(), changes) == errSecSuccess)
      #expect(Items.exists(.generic()) == errSecItemNotFound)
      #expect(Items.data(.generic("bob")) == Data("y".utf8))
      #expect(Items.attributes(.generic("bob"))?[kSecAttrLabel] as? String == "new")
    }
  }

  @Test func nothingToChangeIsASuccess() {
    device.use {
      #expect(Items.update(.generic(), [:]) == errSecSuccess)
      #expect(Items.update(.generic("nobody"), [:]) == errSecItemNotFound)
    }
  }

  @Test func noMatchIsNotFound() {
    device.use { #expect(Items.update(.generic("nobody"), label) == errSecItemNotFound) }
  }

  // MARK: 2.11 All or nothing

  @Test func allMatchesChangeOrNone() {
    device.use {
      #expect(Items.add(.generic("bob")) == errSecSuccess)
      #expect(Items.add(.generic("eve", "web")) == errSecSuccess)
      // The two of the service would become one.
      let mail: Attributes = [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]
      let changes = label.with([kSecAttrAccount: "both"])
      #expect(Items.update(mail, changes) == errSecDuplicateItem)
      #expect(Items.exists(.generic("ann")) == errSecSuccess)
      #expect(Items.exists(.generic("bob")) == errSecSuccess)
      #expect(Items.count(.anyGeneric.with(label)) == 0)
      #expect(Items.update(.anyGeneric, [kSecAttrService: "one"]) == errSecSuccess)
      #expect(Items.count(.anyGeneric.with([kSecAttrService: "one"])) == 3)
    }
  }

  @Test func aKeyThatIsTakenIsADuplicateAndNothingChanges() {
    device.use {
      #expect(Items.add(.generic("bob")) == errSecSuccess)
      let changes = label.with([kSecAttrAccount: "bob", kSecValueData: Data([9])])
      #expect(Items.update(.generic(), changes) == errSecDuplicateItem)
      #expect(Items.data(.generic()) == Data("x".utf8))
      #expect(Items.attributes(.generic())?[kSecAttrLabel] == nil)
    }
  }

  @Test func aTombstoneGivesWay() {
    device.use {
      let twin = Attributes.generic("gone").with([kSecAttrSynchronizable: true])
      #expect(Items.add(twin) == errSecSuccess)
      #expect(Items.delete(twin) == errSecSuccess)
      let changes: Attributes = [kSecAttrAccount: "gone", kSecAttrSynchronizable: true]
      #expect(Items.update(.generic(), changes) == errSecSuccess)
      #expect(Items.data(twin) == Data("x".utf8))
    }
  }

  // MARK: 2.11 Protection

  @Test func anotherAccessibilityProtectsAnew() throws {
    try device.use {
      let changes: Attributes = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]
      #expect(Items.update(.generic(), changes) == errSecSuccess)
      try device.lockForGood()
      #expect(Items.data(.generic()) == Data("x".utf8))
      let back: Attributes = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
      #expect(Items.update(.generic(), back) == errSecInteractionNotAllowed)
      try device.unlock()
      #expect(Items.update(.generic(), back) == errSecSuccess)
      try device.lockForGood()
      #expect(Items.update(.generic(), label) == errSecInteractionNotAllowed)
    }
  }

  @Test func aLabelOfAGuardedItemWantsSomebodyToo() throws {
    try device.use {
      #expect(Items.add(Attributes.generic("g").holding("x").guarded(by: .biometryAny)) == 0)
      let silent = Attributes.generic("g").with([
        kSecUseAuthenticationUI: kSecUseAuthenticationUIFail
      ])
      #expect(Items.update(silent, label) == errSecInteractionNotAllowed)
      try device.sensor.script("cancel")
      #expect(Items.update(.generic("g"), label) == errSecUserCanceled)
      try device.sensor.match()
      #expect(Items.update(.generic("g"), label) == errSecSuccess)
      try device.sensor.match()
      #expect(Items.attributes(.generic("g"))?[kSecAttrLabel] as? String == "new")
    }
  }

  @Test func aSkippedItemIsNotFound() throws {
    device.use {
      #expect(Items.add(Attributes.generic("g").holding("x").guarded(by: .biometryAny)) == 0)
      let skip: Attributes = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
      #expect(Items.update(.generic("g").with(skip), label) == errSecItemNotFound)
      #expect(Items.update(.anyGeneric.with(skip), label) == errSecSuccess, "but the open one")
      #expect(device.prompts.isEmpty)
    }
  }

  @Test func anotherAccessControlIsBoundAfterTheOldOneIsProven() throws {
    try device.use {
      let item = Attributes.generic("g").holding("x").guarded(by: .biometryAny)
      #expect(Items.add(item) == errSecSuccess)
      let changes: Attributes = [kSecAttrAccessControl: accessControl(.devicePasscode) as Any]
      let silent = Attributes.generic("g").with([
        kSecUseAuthenticationUI: kSecUseAuthenticationUIFail
      ])
      #expect(Items.update(silent, changes) == errSecInteractionNotAllowed)
      try device.sensor.match()
      #expect(Items.update(.generic("g"), changes) == errSecSuccess)
      try device.sensor.script("passcode:1234")
      #expect(Items.data(.generic("g")) == Data("x".utf8))
    }
  }

  @Test func anAccessControlThatCannotBeMetIsNotTaken() throws {
    try device.use {
      try device.sensor.remove(nil)
      for flags: SecAccessControlCreateFlags in [.biometryAny, .biometryCurrentSet] {
        let changes: Attributes = [kSecAttrAccessControl: accessControl(flags) as Any]
        #expect(Items.update(.generic(), changes) == errSecAuthFailed)
      }
      #expect(Items.data(.generic()) == Data("x".utf8))
    }
  }

  @Test func anAccessControlIsNeverSynchronizable() {
    device.use {
      let changes: Attributes = [
        kSecAttrAccessControl: accessControl(.userPresence) as Any, kSecAttrSynchronizable: true,
      ]
      #expect(Items.update(.generic(), changes) == errSecParam)
      let both: Attributes = [
        kSecAttrAccessControl: accessControl(.userPresence) as Any,
        kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
      ]
      #expect(Items.update(.generic(), both) == errSecParam)
    }
  }
}
