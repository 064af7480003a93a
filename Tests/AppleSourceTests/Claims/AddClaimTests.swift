import LocalAuthTestKit
import LocalAuthentication
import Testing

/// Section 2.8: what `SecItemAdd` takes, refuses and gives back.
@Suite struct AddClaimTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  // MARK: 2.8 What is refused before anything is read

  @Test func anAccessControlThatIsNoneIsAParameterFault() {
    device.use {
      for value: Any in ["ak", 1, true, NSNull(), Data(), [String: Any](), NSObject()] {
        #expect(Items.add(.generic().with([kSecAttrAccessControl: value])) == errSecParam)
      }
    }
  }

  @Test func anAccessControlIsNeverSynchronizable() {
    device.use {
      for flags: SecAccessControlCreateFlags in [[], .userPresence, .applicationPassword] {
        let item = Attributes.generic().guarded(by: flags)
        #expect(Items.add(item.with([kSecAttrSynchronizable: true])) == errSecParam)
      }
      let item = Attributes.generic().guarded(by: .userPresence)
      #expect(Items.add(item.with([kSecAttrSynchronizable: false])) == errSecSuccess)
    }
  }

  @Test func skippingWhatNeedsSomebodyMakesNoSense() {
    device.use {
      for (mode, status) in [
        (kSecUseAuthenticationUISkip, errSecParam), (kSecUseAuthenticationUIFail, errSecSuccess),
      ] {
        #expect(Items.add(.generic().with([kSecUseAuthenticationUI: mode])) == status)
      }
    }
  }

  @Test func aContextAndACredentialExcludeEachOther() {
    device.use {
      let item = Attributes.generic().with([
        kSecUseAuthenticationContext: LAContext(), "u_CredRef": Data([1]),
      ])
      #expect(Items.add(item) == errSecParam)
    }
  }

  @Test func aPersistentReferenceCannotBeAdded() throws {
    try device.use {
      let first = Items.adding(.generic().with([kSecReturnPersistentRef: true]))
      let reference = try #require(first.result as? Data)
      for bytes in [reference, Data("genp".utf8) + Data(count: 8), Data([1])] {
        #expect(
          Items.add([kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: bytes])
            == errSecParam
        )
      }
    }
  }

  @Test(arguments: ["clip", "ggrp", "tomb"])
  func whatOnlyTheKeychainSetsIsRefused(key: String) {
    device.use { #expect(Items.add(.generic().with([key: 1])) == errSecParam) }
  }

  @Test(arguments: [
    kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "dku",
  ])
  func whatStaysOnTheDeviceIsNotSynchronizable(protection: String) {
    device.use {
      let item = Attributes.generic().with([kSecAttrAccessible: protection])
      let marked = item.with([kSecAttrSynchronizable: true])
      #expect(Items.add(marked) == errSecParam)
      #expect(Items.exists(marked) == errSecItemNotFound)
      #expect(Items.add(item) == errSecSuccess)
      #expect(Items.exists(item) == errSecSuccess)
    }
  }

  @Test(arguments: [
    kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleAfterFirstUnlock, "dk",
  ])
  func whatMayLeaveTheDeviceIs(protection: String) {
    device.use {
      let item = Attributes.generic().with([
        kSecAttrAccessible: protection, kSecAttrSynchronizable: true,
      ])
      #expect(Items.add(item) == errSecSuccess)
    }
  }

  // MARK: 2.8 The order of things

  @Test func encryptionComesBeforeUniqueness() throws {
    try device.use {
      let always = Attributes.generic("always").with([
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock
      ])
      #expect(Items.add(.generic()) == errSecSuccess)
      #expect(Items.add(always) == errSecSuccess)
      try device.lockForGood()
      #expect(Items.add(.generic()) == errSecInteractionNotAllowed)
      #expect(Items.add(.generic("new")) == errSecInteractionNotAllowed)
      #expect(Items.add(always) == errSecDuplicateItem)
    }
  }

  @Test func dictionariesAreReadBeforeGroups() {
    device.use {
      let theirs = Attributes.generic().with([kSecAttrAccessGroup: "theirs"])
      #expect(Items.add(theirs) == errSecMissingEntitlement)
      #expect(Items.add(theirs.with([kSecReturnData: 1])) == errSecParam)
      #expect(Items.add(theirs.with([kSecAttrServer: "x"])) == errSecNoSuchAttr)
    }
  }

  // MARK: 2.8 What the device must have

  @Test func anItemOfThePasscodeNeedsOne() throws {
    let open = try TestDevice.phone(passcode: nil)
    try open.use {
      let protection = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      let item = Attributes.generic().with([kSecAttrAccessible: protection])
      #expect(Items.add(item) == errSecAuthFailed)
      #expect(Items.add(.generic().guarded(by: [], protection)) == errSecAuthFailed)
      try open.setPasscode("1234")
      #expect(Items.add(item) == errSecSuccess)
    }
  }

  @Test(arguments: [.biometryAny, .biometryCurrentSet] as [SecAccessControlCreateFlags])
  func anItemOfAFingerNeedsOneEnrolled(flags: SecAccessControlCreateFlags) throws {
    let bare = try TestDevice.phone([])
    try bare.use {
      let item = Attributes.generic().guarded(by: flags)
      #expect(Items.add(item) == errSecAuthFailed)
      try bare.sensor.enroll(.leftThumb)
      #expect(Items.add(item) == errSecSuccess)
    }
  }

  // MARK: 2.8 What comes back

  @Test func whatIsAskedForComesInTheShapesOfASearch() throws {
    try device.use {
      func add(_ account: String, _ more: Attributes) -> (status: OSStatus, result: CFTypeRef?) {
        Items.adding(Attributes.generic(account).holding("x").with(more))
      }
      #expect(add("none", [:]).result == nil)
      #expect(add("data", [kSecReturnData: true]).result as? Data == Data("x".utf8))
      let reference = try #require(add("ref", [kSecReturnPersistentRef: true]).result as? Data)
      #expect(reference.prefix(4) == Data("genp".utf8))
      #expect(reference.count == 20)
      let attributes = try #require(
        add("attributes", [kSecReturnAttributes: true]).result as? [String: Any]
      )
      #expect(attributes[kSecAttrAccount] as? String == "attributes")
      #expect(attributes[kSecValueData] == nil)
      #expect(attributes[kSecClass] == nil)
      let both = try #require(
        add("both", [kSecReturnAttributes: true, kSecReturnData: true]).result as? [String: Any]
      )
      #expect(both[kSecValueData] as? Data == Data("x".utf8))
      #expect(both[kSecAttrAccount] as? String == "both")
      let object = add("object", [kSecReturnRef: true])
      #expect(object.status == errSecSuccess)
      #expect(object.result == nil, "a password has no object")
    }
  }

  @Test func whatIsAddedComesBackWithoutProof() throws {
    try device.use {
      let item = Attributes.generic().holding("x").guarded(by: .biometryAny)
      let more: Attributes = [kSecReturnAttributes: true, kSecReturnData: true]
      let found = try #require(Items.adding(item.with(more)).result as? [String: Any])
      #expect(found[kSecValueData] as? Data == Data("x".utf8))
      #expect(found[kSecAttrAccessControl] is SecAccessControl)
      #expect(device.prompts.isEmpty)
    }
  }

  @Test func aFailedAddReturnsNothing() {
    device.use {
      let item = Attributes.generic().with([kSecReturnAttributes: true])
      #expect(Items.adding(item).result != nil)
      let again = Items.adding(item)
      #expect(again.status == errSecDuplicateItem)
      #expect(again.result == nil)
    }
  }

  @Test func anItemNeedsNoData() {
    device.use {
      #expect(Items.add(.generic()) == errSecSuccess)
      let found = Items.copy(
        .generic().with([kSecReturnAttributes: true, kSecReturnData: true])
      )
      #expect(found.status == errSecSuccess)
      let dictionary = found.result as? [String: Any]
      #expect(dictionary?[kSecAttrAccount] as? String == "ann")
      #expect(dictionary?[kSecValueData] == nil)
    }
  }

  @Test func addTakesThePlaceOfATombstone() throws {
    device.use {
      let item = Attributes.generic().with([kSecAttrSynchronizable: true])
      #expect(Items.add(item.holding("old")) == errSecSuccess)
      #expect(Items.delete(item) == errSecSuccess)
      #expect(Items.add(item.holding("new")) == errSecSuccess)
      #expect(Items.data(item) == Data("new".utf8))
      #expect(Items.count(item) == 1)
    }
  }

  /// docs/apple-source.md says that data has a limit here, which Apple tells of nowhere.
  @Test func moreThanAppleThinksReasonableIsTaken() {
    device.use {
      let item = Attributes.generic().with([kSecValueData: Data(count: 32_769)])
      #expect(Items.add(item) == errSecSuccess)
      #expect(Items.data(.generic())?.count == 32_769)
    }
  }
}
