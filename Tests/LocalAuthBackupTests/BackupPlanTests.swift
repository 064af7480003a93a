import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct BackupPlanTests {
  private let plan = BackupPlan(groups: AccessGroups(["local", "shared"]))

  private func header(
    _ protection: ProtectionClass,
    isTombstone: Bool = false
  ) throws -> ItemHeader {
    ItemHeader(
      device: DeviceIdentity(owner: 1000, name: "desk"),
      identifier: ItemIdentifier(high: 1, low: 1),
      itemClass: .genericPassword,
      key: try #require(ItemHash(bytes: [UInt8](repeating: 0, count: 32))),
      protection: protection,
      classKey: 1,
      isTombstone: isTombstone,
      modified: WallInstant(milliseconds: 0)
    )
  }

  @Test(arguments: ProtectionClass.allCases)
  func theRowDecidesAboutWhatCannotBeOpened(_ protection: ProtectionClass) throws {
    let never = BackupDecision.leftOut(.passcodeSet)
    let isNever = protection == .whenPasscodeSetThisDeviceOnly
    #expect(try plan.decide(header(protection), .available) == (isNever ? never : nil))
    let locked = BackupDecision.leftOut(.locked)
    #expect(try plan.decide(header(protection), .locked) == (isNever ? never : locked))
    #expect(try plan.decide(header(protection, isTombstone: true), .locked) == .passedOver)
  }

  /// An item, and what becomes of it.
  private static let table: [(Item?, BackupDecision)] = [
    (BackupRig.item("a"), .included(under: .whenUnlocked)),
    (BackupRig.item("a", .always), .included(under: .always)),
    (
      BackupRig.item("a", .afterFirstUnlockThisDeviceOnly),
      .included(under: .afterFirstUnlockThisDeviceOnly)
    ),
    (BackupRig.item("a", group: "shared"), .included(under: .whenUnlocked)),
    (BackupRig.item("a", isSynchronizable: true), .included(under: .whenUnlocked)),
    (nil, .leftOut(.otherDevice)),
    (BackupRig.item("a", group: "other"), .leftOut(.otherGroup)),
    (BackupRig.item("a", group: AccessGroups.internalGroup), .passedOver),
    (BackupRig.item("a", group: AccessGroups.token), .leftOut(.token)),
    (BackupRig.item("a", attributes: [.tokenID: .text("com.apple.setoken")]), .leftOut(.token)),
    (BackupRig.item("a", attributes: [.tokenID: .text("")]), .included(under: .whenUnlocked)),
    (BackupRig.item("a", flags: .biometryAny), .leftOut(.accessControl)),
    (BackupRig.item("a", flags: .userPresence), .leftOut(.accessControl)),
    (BackupRig.item("a", flags: .applicationPassword), .leftOut(.accessControl)),
    (
      BackupRig.item("a", attributes: [.isExtractable: .number(0)]),
      .included(under: .whenUnlockedThisDeviceOnly)
    ),
    (
      BackupRig.item("a", .afterFirstUnlock, attributes: [.isExtractable: .number(0)]),
      .included(under: .afterFirstUnlockThisDeviceOnly)
    ),
  ]

  @Test(arguments: table.indices) func everyKindOfItemHasItsPlace(_ row: Int) {
    let (item, decision) = Self.table[row]
    #expect(plan.decide(item) == decision)
  }

  @Test func whatWasNotAskedForIsPassedOver() throws {
    var scope = BackupScope()
    scope.groups = AccessGroups(["shared"])
    scope.classes = ProtectionClassSet.always
    let plan = BackupPlan(groups: AccessGroups(["local", "shared"]), scope)
    #expect(try plan.decide(header(.whenUnlocked), .locked) == .passedOver)
    #expect(try plan.decide(header(.always), .available) == nil)
    #expect(plan.decide(BackupRig.item("a", .always)) == .passedOver)
    let shared = BackupRig.item("a", .always, group: "shared")
    #expect(plan.decide(shared) == .included(under: .always))
    #expect(plan.decide(BackupRig.item("a", .always, group: "other")) == .passedOver)
    #expect(plan.allows("shared") && !plan.allows("local"))
  }

  @Test func theServicesOwnItemsAreInNobodysBackup() {
    let all = BackupPlan(groups: AccessGroups([AccessGroups.wildcard, AccessGroups.internalGroup]))
    #expect(all.decide(BackupRig.item("a", group: AccessGroups.internalGroup)) == .passedOver)
    #expect(all.decide(BackupRig.item("a", group: "any")) == .included(under: .whenUnlocked))
  }
}
