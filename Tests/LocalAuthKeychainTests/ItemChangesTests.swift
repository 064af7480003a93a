import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct ItemChangesTests {
  private static let base: QueryDictionary = ["class": .text("genp")]

  private func change(
    _ item: Item,
    _ changes: QueryDictionary,
    at now: Int64 = 9000,
    enrolment: AccessControl.Enrolment = .full
  ) throws(KeychainError) -> Item {
    let query: QueryDictionary = ["class": .text(item.itemClass.rawValue)]
    return try ItemUpdate(query, changes: changes, groups: ownGroups).changes
      .applied(to: item, at: wall(now), enrolment: enrolment)
  }

  @Test(arguments: [
    "class", "u_AuthCtx", "u_CredRef", "r_Data", "m_Limit", "v_Ref", "nonsense", "",
  ])
  func anythingButDataAndAttributesIsNoSuchAttribute(key: String) {
    #expect(updateStatus(Self.base, [key: .boolean(true)]) == .noSuchAttribute)
  }

  @Test func nullOrAnyOtherTypeOfDataIsAParameterFault() {
    for value: QueryValue in [.null, .text("x"), .data([1]), .number(1)] {
      #expect(updateStatus(Self.base, ["v_Data": value]) == .param)
    }
    #expect(updateStatus(Self.base, ["v_Data": .secret]) == .success)
  }

  @Test func theUserIsSilentlyIgnored() throws {
    let old = try item(Self.base)
    #expect(try change(old, ["musr": .data([1, 2])]).attributes == old.attributes)
  }

  @Test func aSharingGroupIsAParameterFault() {
    #expect(updateStatus(Self.base, ["ggrp": .text("g")]) == .param)
  }

  @Test func synchronizableTogetherWithAnAccessControlIsAParameterFault() throws {
    let control = QueryValue.accessControl(try AccessControl(.whenUnlocked, flags: .biometryAny))
    #expect(updateStatus(Self.base, ["sync": .boolean(true), "accc": control]) == .param)
    #expect(updateStatus(Self.base, ["sync": .boolean(false), "accc": control]) == .success)
  }

  @Test func noUpdateMakesWhatIsGuardedSynchronizable() throws {
    let bound = try item(Self.base.with("pdmn", .text("aku")))
    let synchronizable = try item(Self.base.with("sync", .boolean(true)))
    #expect(
      status { () throws(KeychainError) in try change(bound, ["sync": .boolean(true)]) } == .param
    )
    #expect(
      status { () throws(KeychainError) in
        try change(synchronizable, ["pdmn": .text("dku")])
      } == .param
    )
    let moved = try change(bound, ["sync": .boolean(true), "pdmn": .text("ak")])
    #expect(moved.isSynchronizable && moved.leavesDevice)
    let control = QueryValue.accessControl(try AccessControl(.whenUnlocked, flags: .biometryAny))
    let guarded = try item(Self.base.with("accc", control))
    #expect(
      status { () throws(KeychainError) in try change(guarded, ["sync": .boolean(true)]) } == .param
    )
  }

  @Test func theTimeOfChangeIsNowAndStrictlyLater() throws {
    let old = try item(Self.base, at: 5000)
    #expect(try change(old, [:], at: 9000).modified == wall(9000))
    #expect(try change(old, [:], at: 5000).modified == wall(5001))
    #expect(try change(old, [:], at: 10).modified == wall(5001))
  }

  @Test func theTimeOfChangeStopsAtTheEndOfTheClock() throws {
    let old = try item(Self.base, at: .max)
    #expect(try change(old, [:], at: 0).modified == wall(.max))
  }

  @Test func aSuppliedTimeOfChangeIsIgnoredAndOfCreationHonoured() throws {
    let new = try change(try item(Self.base), ["mdat": .date(1), "cdat": .date(2)], at: 9000)
    #expect(new.modified == wall(9000))
    #expect(new.created == wall(2))
  }

  @Test func anotherProtectionKeepsWhatMustBeProven() throws {
    let control = QueryValue.accessControl(try AccessControl(.whenUnlocked, flags: .biometryAny))
    let new = try change(item(Self.base.with("accc", control)), ["pdmn": .text("aku")])
    #expect(new.accessControl.protection == .whenUnlockedThisDeviceOnly)
    #expect(new.accessControl.flags == .biometryAny)
  }

  @Test func aNewAccessControlIsBoundToTheSetOfTheMoment() throws {
    let control = try AccessControl(.whenUnlocked, flags: .biometryCurrentSet)
    let changes: QueryDictionary = ["accc": .accessControl(control)]
    let old = try item(Self.base)
    #expect(try change(old, changes).accessControl.binding == .bound(generation: 7))
    let refused = status { () throws(KeychainError) in
      try change(old, changes, enrolment: .noFingers)
    }
    #expect(refused == .authFailed)
  }

  @Test func dataStaysUnlessItIsReplaced() throws {
    let empty = try item(Self.base)
    #expect(try !change(empty, ["labl": .text("x")]).hasData)
    #expect(try change(empty, ["v_Data": .secret]).hasData)
    let full = try item(Self.base.with("v_Data", .secret))
    #expect(try change(full, ["labl": .text("x")]).hasData)
  }

  @Test func identityAndClassNeverChange() throws {
    let old = try item(Self.base, id: 8)
    let new = try change(old, ["acct": .text("b"), "agrp": .text("team.shared")])
    #expect(new.identifier == old.identifier)
    #expect(new.itemClass == old.itemClass)
    #expect(new.group == "team.shared")
  }
}
