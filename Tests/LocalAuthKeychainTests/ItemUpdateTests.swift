import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct ItemUpdateTests {
  private static let base: QueryDictionary = ["class": .text("genp")]

  private func update(
    _ items: [Item],
    _ changes: QueryDictionary,
    access: ClassAccess = .available,
    occupied: [PrimaryKey: Occupant] = [:]
  ) throws(KeychainError) -> (changed: [Item], replaced: [ItemIdentifier]) {
    try ItemUpdate(Self.base, changes: changes, groups: ownGroups).applied(
      to: items,
      at: wall(9000),
      access: { _ in access },
      enrolment: .full,
      occupant: { occupied[$0] ?? .none }
    )
  }

  private func two() throws -> [Item] {
    [
      try item(Self.base.with("acct", .text("a")), id: 1),
      try item(Self.base.with("acct", .text("b")), id: 2),
    ]
  }

  @Test(arguments: ["m_Limit", "m_CaseInsensitive", "m_Whatever"])
  func anyMatchKeyInTheQueryIsAParameterFault(key: String) {
    #expect(updateStatus(Self.base.with(key, .text("m_LimitAll")), [:]) == .param)
  }

  @Test(arguments: ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"])
  func anyReturnThatIsTrueIsAParameterFault(key: String) {
    #expect(updateStatus(Self.base.with(key, .boolean(true)), [:]) == .param)
    #expect(updateStatus(Self.base.with(key, .boolean(false)), [:]) == .success)
  }

  @Test func allMatchesAreUpdated() throws {
    let changed = try update(two(), ["labl": .text("x")]).changed
    #expect(changed.map { $0.value(of: .label) } == [.text("x"), .text("x")])
  }

  @Test func noMatchIsItemNotFound() {
    let none = status { () throws(KeychainError) in try update([], ["labl": .text("x")]) }
    #expect(none == .itemNotFound)
  }

  @Test func emptyChangesSucceedAndMoveTheTimeOfChange() throws {
    let old = try item(Self.base)
    let changed = try update([old], [:]).changed
    #expect(changed[0].modified > old.modified)
    #expect(changed[0].attributes == old.attributes)
  }

  @Test func aCollisionWithALiveItemIsADuplicateAndNothingChanges() throws {
    let items = try two()
    let target = try item(Self.base.with("acct", .text("c")), id: 3)
    let occupied = [PrimaryKey(of: target): Occupant.live(target.identifier)]
    let result = status { () throws(KeychainError) in
      try update([items[0]], ["acct": .text("c")], occupied: occupied)
    }
    #expect(result == .duplicateItem)
  }

  @Test func aCollisionWithRemainsReplacesThem() throws {
    let target = try item(Self.base.with("acct", .text("c")), id: 3)
    let occupied = [PrimaryKey(of: target): Occupant.remains(target.identifier)]
    let result = try update([try two()[0]], ["acct": .text("c")], occupied: occupied)
    #expect(result.replaced == [target.identifier])
  }

  @Test func twoMatchesThatWouldBecomeOneAreADuplicate() throws {
    let items = try two()
    let result = status { () throws(KeychainError) in try update(items, ["acct": .text("c")]) }
    #expect(result == .duplicateItem)
  }

  @Test func anItemDoesNotCollideWithItself() throws {
    let old = try two()[0]
    let occupied = [PrimaryKey(of: old): Occupant.live(old.identifier)]
    #expect(try update([old], ["acct": .text("a")], occupied: occupied).changed.count == 1)
  }

  @Test func aLockedClassIsInteractionNotAllowed() throws {
    let items = try two()
    let result = status { () throws(KeychainError) in
      try update(items, ["labl": .text("x")], access: .locked)
    }
    #expect(result == .interactionNotAllowed)
  }

  @Test func movingToWhenPasscodeSetWithoutAPasscodeIsAuthFailed() throws {
    let items = try two()
    let result = status { () throws(KeychainError) in
      try update(items, ["pdmn": .text("akpu")], access: .absent)
    }
    #expect(result == .authFailed)
  }

  @Test func theQueryIgnoresTheTermsOfTheChanges() throws {
    let update = try ItemUpdate(
      Self.base.with("acct", .text("a")),
      changes: ["acct": .text("b")],
      groups: ownGroups
    )
    #expect(update.selection.matches(try two()[0]))
    #expect(!update.selection.matches(try two()[1]))
  }
}
