import LocalAuthTestKit
import LocalAuthentication
import Testing

/// Section 2.9: searches that meet rows which are locked or want somebody.
@Suite struct RowClaimTests {
  private let device: TestDevice
  private let all: Attributes = [kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true]

  init() throws { device = try .phone() }

  // MARK: 2.9 Locked rows

  @Test func oneLockedRowEndsTheWholeSearch() throws {
    try device.use {
      let always = Attributes.generic("always").with([kSecAttrAccessible: "dk"])
      let first = Attributes.generic("first").with([
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock
      ])
      for item in [always, first, .generic("unlocked")] {
        #expect(Items.add(item.holding("x")) == errSecSuccess)
      }
      try device.lockForGood()
      #expect(Items.copy(Attributes.anyGeneric.with(all)).status == errSecInteractionNotAllowed)
      #expect(Items.data(.generic("always")) == Data("x".utf8))
      #expect(Items.data(.generic("first")) == Data("x".utf8))
      #expect(Items.exists(.generic("unlocked")) == errSecInteractionNotAllowed)
      try device.unlock()
      #expect(Items.count(.anyGeneric) == 3)
    }
  }

  @Test func aLockedRowIsNotEvenShown() throws {
    try device.use {
      #expect(Items.add(Attributes.generic().holding("x")) == errSecSuccess)
      try device.lockForGood()
      for asked in [kSecReturnAttributes, kSecReturnPersistentRef, kSecReturnData] {
        #expect(
          Items.copy(.generic().with([asked: true])).status == errSecInteractionNotAllowed
        )
      }
      #expect(Items.exists(.generic("nobody")) == errSecItemNotFound)
    }
  }

  @Test func beforeTheFirstUnlockOnlyWhatIsAlwaysThereOpens() throws {
    try device.use {
      for (account, protection) in [
        ("d", "dk"), ("c", kSecAttrAccessibleAfterFirstUnlock), ("a", "ak"), ("p", "akpu"),
      ] {
        let item = Attributes.generic(account).with([kSecAttrAccessible: protection])
        #expect(Items.add(item) == errSecSuccess)
      }
      try device.reboot()
      let statuses = ["d", "c", "a", "p"].map { Items.exists(.generic($0)) }
      let locked = errSecInteractionNotAllowed
      #expect(statuses == [errSecSuccess, locked, locked, locked])
      try device.unlock()
      #expect(Items.count(.anyGeneric) == 4)
    }
  }

  // MARK: 2.9 Rows that want somebody

  @Test(arguments: [kSecReturnAttributes, kSecReturnPersistentRef, kSecReturnData, nil])
  func aGuardedRowWantsSomebodyWhateverIsAsked(asked: String?) throws {
    try device.use {
      #expect(Items.add(Attributes.generic().holding("x").guarded(by: .biometryAny)) == 0)
      var query = Attributes.generic()
      if let asked { query[asked] = true }
      for silence: Attributes in [
        [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], [kSecUseNoAuthenticationUI: true],
      ] {
        #expect(Items.exists(query.with(silence)) == errSecInteractionNotAllowed)
      }
      let context = LAContext()
      context.interactionNotAllowed = true
      let silent = query.with([kSecUseAuthenticationContext: context])
      #expect(Items.exists(silent) == errSecInteractionNotAllowed)
      #expect(device.prompts.isEmpty)
      try device.sensor.match()
      #expect(Items.exists(query) == errSecSuccess)
      #expect(device.prompts.count == 1)
    }
  }

  @Test func aSkippedRowIsAbsent() {
    device.use {
      let skip: Attributes = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
      let guarded = Attributes.generic("guarded").holding("x").guarded(by: .userPresence)
      #expect(Items.add(guarded) == errSecSuccess)
      #expect(Items.copy(.anyGeneric.with(skip).with(all)).status == errSecItemNotFound)
      #expect(Items.add(Attributes.generic("open").holding("y")) == errSecSuccess)
      let found = Items.copy(.anyGeneric.with(skip).with(all))
      #expect(found.result as? [Data] == [Data("y".utf8)])
      #expect(device.prompts.isEmpty)
    }
  }

  @Test func oneProofOpensAllThatWantTheSame() throws {
    try device.use {
      for (account, flags) in [
        ("a", .biometryAny), ("b", .biometryAny), ("c", .biometryAny), ("d", []),
      ] as [(String, SecAccessControlCreateFlags)] {
        let item = Attributes.generic(account).holding(account).guarded(by: flags)
        #expect(Items.add(item) == errSecSuccess)
      }
      try device.sensor.match()
      let found = Items.copy(.anyGeneric.with(all))
      #expect((found.result as? [Data])?.count == 4)
      #expect(device.prompts.count == 1)
    }
  }

  /// docs/keychain-semantics.md: each distinct access control is proven once.
  ///
  /// On Apple's platforms a touch for one usually meets the next, too.
  @Test func twoThatWantSomethingElseAreProvenOneAfterTheOther() throws {
    try device.use {
      for (account, flags) in [
        ("a", .biometryAny), ("b", .userPresence),
      ] as [(String, SecAccessControlCreateFlags)] {
        let item = Attributes.generic(account).holding(account).guarded(by: flags)
        #expect(Items.add(item) == errSecSuccess)
      }
      try device.sensor.script("match, match")
      let found = Items.copy(.anyGeneric.with(all))
      #expect((found.result as? [Data])?.count == 2)
      #expect(device.prompts.count == 2)
    }
  }

  @Test func allOfThemOrNone() throws {
    try device.use {
      for (account, flags) in [
        ("a", .biometryAny), ("b", .devicePasscode), ("c", []),
      ] as [(String, SecAccessControlCreateFlags)] {
        let item = Attributes.generic(account).holding(account).guarded(by: flags)
        #expect(Items.add(item) == errSecSuccess)
      }
      // Whichever is asked for first: only one of the two can be proven.
      try device.sensor.script("match, cancel")
      let refused = Items.copy(.anyGeneric.with(all))
      #expect(refused.status == errSecUserCanceled)
      #expect(refused.result == nil)
    }
  }

  // MARK: 1.7 Reasons

  @Test func thePromptOfTheCallWinsOverTheContexts() throws {
    try device.use {
      #expect(Items.add(Attributes.generic().holding("x").guarded(by: .biometryAny)) == 0)
      let context = LAContext()
      context.localizedReason = "of the context"
      try device.sensor.script("match", times: 2)
      let query = Attributes.generic().with([kSecUseAuthenticationContext: context])
      let call = query.with([kSecUseOperationPrompt: "of the call"])
      #expect(Items.exists(call) == errSecSuccess)
      let other = LAContext()
      other.localizedReason = "of the context"
      #expect(Items.exists(query.with([kSecUseAuthenticationContext: other])) == errSecSuccess)
      #expect(device.prompts.map(\.reason) == ["of the call", "of the context"])
    }
  }
}
