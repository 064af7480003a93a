import LocalAuthTestKit
import Security
import Testing

// What AccessGroupClaimTests runs, each suite in a process of its own.

/// The four calls about an item of a group.
private func statuses(_ group: Any, _ account: String = "ann") -> [OSStatus] {
  let item = Attributes.generic(account).with([kSecAttrAccessGroup: group])
  return [
    Items.add(item), Items.exists(item), Items.update(item, [kSecAttrLabel: "x"]),
    Items.delete(item),
  ]
}

private let refused = Array(repeating: errSecMissingEntitlement, count: 4)
private let taken = Array(repeating: errSecSuccess, count: 4)

@Suite(.enabled(if: EntitledProcess.name == "listed"))
struct ListedGroupTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  private func group(of query: Attributes) -> String? {
    Items.attributes(query)?[kSecAttrAccessGroup] as? String
  }

  @Test func theFirstIsTheDefaultAndIsStoredAndReturned() {
    device.use {
      let answer = Items.adding(.generic().with([kSecReturnAttributes: true]))
      let added = answer.result as? [String: Any]
      #expect(added?[kSecAttrAccessGroup] as? String == "TEAM.first")
      #expect(group(of: .generic()) == "TEAM.first")
    }
  }

  @Test(arguments: ["TEAM.first", "TEAM.shared", "TEAM.app", "group.TEAM"])
  func everyListedGroupIsOpen(group: String) {
    device.use { #expect(statuses(group) == taken) }
  }

  @Test(arguments: ["TEAM.other", "", "*", "local", "team.first", "TEAM.first ", "com.apple.token"])
  func anUnlistedGroupIsAMissingEntitlementInAllFourCalls(group: String) {
    device.use {
      #expect(statuses(group) == refused)
      #expect(Items.add(.generic()) == errSecSuccess)
      #expect(
        Items.update(.generic(), [kSecAttrAccessGroup: group]) == errSecMissingEntitlement
      )
      #expect(self.group(of: .generic()) == "TEAM.first")
    }
  }

  @Test func aGroupThatIsNoTextIsAMissingEntitlement() {
    device.use {
      for group: Any in [7, true, Data("TEAM.first".utf8), NSNull(), UUID(), ["TEAM.first"]] {
        #expect(statuses(group) == refused, "\(group)")
      }
    }
  }

  @Test func withoutAGroupAllOfTheProgramsAreSearched() {
    device.use {
      for group in ["TEAM.first", "TEAM.shared", "group.TEAM"] {
        let item = Attributes.generic().with([kSecAttrAccessGroup: group])
        #expect(Items.add(item) == errSecSuccess, "a group tells items apart")
      }
      #expect(Items.count(.generic()) == 3)
      #expect(Items.count(.generic().with([kSecAttrAccessGroup: "TEAM.shared"])) == 1)
      #expect(Items.delete(.generic()) == errSecSuccess)
      #expect(Items.count(.generic()) == 0)
    }
  }

  @Test func anItemMovesToAnotherGroup() {
    device.use {
      #expect(Items.add(Attributes.generic().holding("x")) == errSecSuccess)
      #expect(Items.update(.generic(), [kSecAttrAccessGroup: "TEAM.shared"]) == errSecSuccess)
      #expect(group(of: .generic()) == "TEAM.shared")
      let first = Attributes.generic().with([kSecAttrAccessGroup: "TEAM.first"])
      #expect(Items.exists(first) == errSecItemNotFound)
      #expect(Items.data(.generic()) == Data("x".utf8))
    }
  }

  /// The listing of two apps that share a password.
  @Test func twoStoresShareAGroup() throws {
    try device.use {
      var shared = PasswordStore(service: "accounts")
      shared.accessGroup = "TEAM.shared"
      let own = PasswordStore(service: "accounts")
      try shared.set("hunter2", for: "ann")
      #expect(try own.password(for: "ann") == "hunter2", "it searches every group")
      try own.set("private", for: "bob")
      #expect(throws: PasswordStore.Failure.notThere) { try shared.password(for: "bob") }
      var theirs = own
      theirs.accessGroup = "TEAM.theirs"
      let failure = PasswordStore.Failure.status(errSecMissingEntitlement)
      #expect(throws: failure) { try theirs.set("x", for: "ann") }
      #expect(throws: failure) { try theirs.password(for: "ann") }
      #expect(throws: failure) { try theirs.remove("ann") }
    }
  }
}

@Suite(.enabled(if: EntitledProcess.name == "none"))
struct NoGroupTests {
  @Test func everyCallIsAMissingEntitlement() throws {
    let device = try TestDevice.phone()
    device.use {
      #expect(statuses("TEAM.other") == refused)
      let calls = [
        Items.add(.generic()), Items.exists(.generic()), Items.delete(.generic()),
        Items.update(.generic(), [kSecAttrLabel: "x"]),
      ]
      #expect(calls == refused)
    }
  }
}

@Suite(.enabled(if: EntitledProcess.name == "any"))
struct AnyGroupTests {
  @Test func everyGroupIsOpen() throws {
    let device = try TestDevice.phone()
    device.use {
      for group in ["TEAM.other", "local", "x"] {
        #expect(statuses(group) == taken)
        let item = Attributes.generic().with([kSecAttrAccessGroup: group])
        #expect(Items.add(item) == errSecSuccess)
      }
      #expect(Items.count(.generic()) == 3)
      #expect(statuses("*") == refused, "which is no group")
    }
  }
}

@Suite(.enabled(if: EntitledProcess.name == "token"))
struct TokenGroupTests {
  @Test func itCanBeSearchedAndNotWritten() throws {
    let device = try TestDevice.phone()
    device.use {
      let no = errSecMissingEntitlement
      #expect(statuses("com.apple.token") == [no, errSecItemNotFound, no, no])
      #expect(Items.add(.generic()) == errSecSuccess)
      #expect(Items.update(.generic(), [kSecAttrAccessGroup: "com.apple.token"]) == no)
    }
  }
}
