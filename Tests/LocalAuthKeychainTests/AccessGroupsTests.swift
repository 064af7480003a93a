import LocalAuthKeychain
import Testing

@Suite struct AccessGroupsTests {
  private static let base: QueryDictionary = ["class": .text("genp")]

  private func statuses(
    _ query: QueryDictionary,
    _ groups: AccessGroups = ownGroups
  ) -> [KeychainStatus] {
    [
      queryStatus(query, groups), addStatus(query, groups), deleteStatus(query, groups),
      updateStatus(query, [:], groups),
    ]
  }

  @Test func withoutAnyGroupEveryCallIsMissingEntitlement() {
    #expect(Set(statuses(Self.base, AccessGroups([]))) == [.missingEntitlement])
    // Even where the dictionary is wrong too.
    #expect(Set(statuses([:], AccessGroups([]))) == [.missingEntitlement])
  }

  @Test func anUnlistedGroupIsMissingEntitlementInAllFourCalls() {
    let query = Self.base.with("agrp", .text("other.app"))
    #expect(Set(statuses(query)) == [.missingEntitlement])
  }

  @Test func movingToAnUnlistedGroupIsMissingEntitlement() {
    #expect(updateStatus(Self.base, ["agrp": .text("other.app")]) == .missingEntitlement)
    #expect(updateStatus(Self.base, ["agrp": .text("team.shared")]) == .success)
  }

  @Test(arguments: [["*"], [AccessGroups.internalGroup], ["\u{0}"], ["own", "*", "\u{0}x"]])
  func groupOfTheServiceIsNobodysWhateverGroupsOneHas(_ names: [String]) throws {
    let groups = AccessGroups(names)
    let query = Self.base.with("agrp", .text(AccessGroups.internalGroup))
    #expect(Set(statuses(query, groups)) == [.missingEntitlement])
    for writing in [false, true] {
      #expect(!groups.allows(AccessGroups.internalGroup, writing: writing))
      let scope = try groups.scope(of: nil, writing: writing)
      #expect(!scope.contains(AccessGroups.internalGroup))
    }
  }

  @Test func aGroupThatIsNoTextIsMissingEntitlement() {
    for value: QueryValue in [.number(1), .data([0x61]), .null, .boolean(true)] {
      #expect(Set(statuses(Self.base.with("agrp", value))) == [.missingEntitlement])
    }
  }

  @Test func addingWithoutAGroupUsesTheFirstAndStoresIt() throws {
    let stored = try item(Self.base)
    #expect(stored.group == "team.app")
    #expect(
      ResultAttributes(of: stored, withDigest: false).values[.accessGroup] == .text("team.app")
    )
  }

  @Test func searchingWithoutAGroupSearchesAllTheClients() throws {
    for group in ownGroups.names {
      #expect(try finds(Self.base, item(Self.base.with("agrp", .text(group)))))
    }
  }

  @Test func itemsOfOtherGroupsAreSimplyNotFound() throws {
    let other = AccessGroups(["other.app"])
    let stored = try item(Self.base, groups: other)
    #expect(try !finds(Self.base, stored))
    #expect(try !ItemDelete(Self.base, groups: ownGroups).selection.matches(stored))
    let reference: QueryDictionary = ["v_PersistentRef": .data(stored.reference.bytes)]
    #expect(try !finds(reference, stored))
  }

  @Test func anExplicitGroupSearchesOnlyThat() throws {
    let stored = try item(Self.base.with("agrp", .text("team.shared")))
    #expect(try finds(Self.base.with("agrp", .text("team.shared")), stored))
    #expect(try !finds(Self.base.with("agrp", .text("team.app")), stored))
  }

  @Test func theWildcardGrantsAllGroups() throws {
    let all = AccessGroups(["home", "*"])
    let stored = try item(Self.base.with("agrp", .text("any.app")), groups: all)
    #expect(stored.group == "any.app")
    #expect(try finds(Self.base, stored, groups: all))
    #expect(try finds(Self.base, item(Self.base), groups: all))
    #expect(try item(Self.base, groups: all).group == "home")
  }

  @Test func theWildcardIsNoGroupItself() {
    #expect(addStatus(Self.base, AccessGroups(["*"])) == .missingEntitlement)
    #expect(
      addStatus(Self.base.with("agrp", .text("*")), AccessGroups(["*"])) == .missingEntitlement
    )
    #expect(queryStatus(Self.base.with("agrp", .text("*"))) == .missingEntitlement)
  }

  @Test func theTokenGroupIsReadOnly() {
    for groups in [AccessGroups(["com.apple.token"]), AccessGroups(["a", "*"])] {
      let query = Self.base.with("agrp", .text("com.apple.token"))
      #expect(queryStatus(query, groups) == .success)
      #expect(addStatus(query, groups) == .missingEntitlement)
      #expect(deleteStatus(query, groups) == .missingEntitlement)
      #expect(updateStatus(query, [:], groups) == .missingEntitlement)
    }
    #expect(addStatus(Self.base, AccessGroups(["com.apple.token"])) == .missingEntitlement)
  }

  @Test func deletingWithoutAGroupLeavesTheTokenGroupAlone() throws {
    for groups in [AccessGroups(["a", "com.apple.token"]), AccessGroups(["a", "*"])] {
      let scope = try ItemDelete(Self.base, groups: groups).selection.scope
      #expect(scope.contains("a"))
      #expect(!scope.contains("com.apple.token"))
      #expect(try ItemQuery(Self.base, groups: groups).selection.scope.contains("com.apple.token"))
    }
  }

  @Test func twoSpellingsOfOneCharacterAreTwoGroups() {
    let groups = AccessGroups(["caf\u{E9}"])
    #expect(groups.allows("caf\u{E9}", writing: true))
    #expect(!groups.allows("cafe\u{301}", writing: false))
  }
}
