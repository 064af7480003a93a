import LocalAuthTestKit
import Security
import Testing

/// Section 2.12: what `SecItemDelete` takes away, and who is asked.
@Suite struct DeleteClaimTests {
  private let device: TestDevice

  init() throws {
    device = try .phone()
    device.use { #expect(Items.add(Attributes.generic().holding("x")) == errSecSuccess) }
  }

  @Test func whatIsNotThereIsNotFound() {
    device.use {
      #expect(Items.delete(.generic("nobody")) == errSecItemNotFound)
      #expect(Items.delete(.generic()) == errSecSuccess)
      #expect(Items.delete(.generic()) == errSecItemNotFound)
      #expect(Items.delete(.anyGeneric) == errSecItemNotFound)
    }
  }

  /// docs/apple-source.md: a limit is ignored here, as code for macOS expects.
  @Test(arguments: [kSecMatchLimitOne, kSecMatchLimitAll, "senseless"])
  func aLimitIsIgnored(limit: String) {
    device.use {
      #expect(Items.add(.generic("bob")) == errSecSuccess)
      #expect(Items.delete(.anyGeneric.with([kSecMatchLimit: limit])) == errSecSuccess)
      #expect(Items.count(.anyGeneric) == 0)
    }
  }

  @Test func anyOtherMatchKeyIsAParameterFault() {
    device.use {
      for more: Attributes in [
        [kSecMatchCaseInsensitive: true], [kSecMatchIssuers: [Data()]], ["m_Whatever": 1],
      ] {
        #expect(Items.delete(.generic().with(more)) == errSecParam)
      }
      #expect(Items.exists(.generic()) == errSecSuccess)
    }
  }

  @Test func anObjectOfAPasswordIsAParameterFault() {
    device.use {
      for value: Any in [NSObject(), "x", Data()] {
        #expect(Items.delete(.generic().with([kSecValueRef: value])) == errSecParam)
      }
      #expect(Items.exists(.generic()) == errSecSuccess)
    }
  }

  @Test func whatIsToBeReturnedAndTheDataAreIgnored() {
    device.use {
      let more: Attributes = [
        kSecReturnData: true, kSecReturnAttributes: true, kSecReturnRef: true,
        kSecReturnPersistentRef: true,
      ]
      #expect(Items.delete(.generic().holding("another").with(more)) == errSecSuccess)
      #expect(Items.exists(.generic()) == errSecItemNotFound)
    }
  }

  @Test func aReferenceStandsAlone() throws {
    try device.use {
      let answer = Items.copy(.generic().with([kSecReturnPersistentRef: true]))
      let query: Attributes = [kSecValuePersistentRef: try #require(answer.result as? Data)]
      #expect(Items.delete(query.with([kSecAttrAccount: "ann"])) == errSecParam)
      #expect(Items.delete(query) == errSecSuccess)
      #expect(Items.delete(query) == errSecItemNotFound)
    }
  }

  // MARK: 2.12 Who is asked

  @Test(
    arguments: [
      .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode,
    ] as [SecAccessControlCreateFlags]
  )
  func nobodyIsAskedToDelete(flags: SecAccessControlCreateFlags) {
    device.use {
      let silent: Attributes = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
      let item = Attributes.generic("g").guarded(by: flags)
      #expect(Items.add(item) == errSecSuccess)
      #expect(Items.delete(.generic("g").with(silent)) == errSecSuccess)
      #expect(device.prompts.isEmpty)
      #expect(Items.exists(.generic("g")) == errSecItemNotFound)
    }
  }

  @Test func whatIsLockedCanBeDeleted() throws {
    try device.use {
      try device.lockForGood()
      #expect(Items.delete(.generic()) == errSecSuccess)
      try device.unlock()
      #expect(Items.exists(.generic()) == errSecItemNotFound)
    }
  }

  // MARK: 2.12 Traces

  @Test func aSynchronizableItemLeavesATraceThatNobodySees() {
    device.use {
      let twin = Attributes.generic().with([kSecAttrSynchronizable: true])
      let any = Attributes.generic().with([kSecAttrSynchronizable: kSecAttrSynchronizableAny])
      #expect(Items.add(twin.holding("y")) == errSecSuccess)
      #expect(Items.delete(any) == errSecSuccess)
      #expect(Items.exists(any) == errSecItemNotFound)
      #expect(Items.delete(any) == errSecItemNotFound)
      #expect(Items.count(any.with(["tomb": true])) == 1)
      #expect(Items.attributes(any.with(["tomb": true]))?["tomb"] as? Bool == true)
      #expect(Items.copy(any.with(["tomb": true, kSecReturnData: true])).result as? Data == Data())
    }
  }

  @Test func anyOtherItemLeavesNone() {
    device.use {
      #expect(Items.delete(.generic()) == errSecSuccess)
      #expect(Items.count(.generic().with(["tomb": true])) == 0)
    }
  }
}
