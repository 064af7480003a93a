import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct RestorePlanTests {
  private static let groups = AccessGroups(["local", "shared"])
  private static let mine = ItemIdentifier(high: 9, low: 9)
  private static let theirs = ItemIdentifier(high: 7, low: 1)

  /// A record, and what is known of it before the keychain is looked at.
  private static let records: [(ReadRecord, ProtectionClass?, RestoreFate?)] = [
    (.item(BackupRig.item("a")), .whenUnlocked, nil),
    (.item(BackupRig.item("a", group: "shared")), .whenUnlocked, nil),
    (.item(BackupRig.item("a", isSynchronizable: true)), .whenUnlocked, nil),
    (.otherDevice, .alwaysThisDeviceOnly, .otherDevice),
    (.damaged, .always, .damaged),
    (.unknownClass, nil, .unknownClass),
    // None of these is written, so whoever made them up gets nothing for it.
    (.item(BackupRig.item("a", .whenPasscodeSetThisDeviceOnly)), .whenUnlocked, .skipped),
    (.item(BackupRig.item("a", flags: .biometryAny)), .whenUnlocked, .skipped),
    (.item(BackupRig.item("a", group: AccessGroups.token)), .whenUnlocked, .skipped),
    (.item(BackupRig.item("a", attributes: [.tokenID: .text("t")])), .whenUnlocked, .skipped),
    (.item(BackupRig.item("a", group: AccessGroups.internalGroup)), .whenUnlocked, .skipped),
    (.item(BackupRig.item("a", group: "other")), .whenUnlocked, .skipped),
    (.item(tombstone), .whenUnlocked, .skipped),
    // Sealed under another class than it says: a weaker one would lie about it.
    (.item(BackupRig.item("a")), .always, .skipped),
    (.item(BackupRig.item("a", .alwaysThisDeviceOnly)), .always, .skipped),
    (
      .item(BackupRig.item("a", attributes: [.isExtractable: .number(0)])), .whenUnlocked, .skipped
    ),
    (
      .item(BackupRig.item("a", attributes: [.isExtractable: .number(0)])),
      .whenUnlockedThisDeviceOnly, nil
    ),
  ]

  private static var tombstone: Item {
    var item = BackupRig.item("a")
    item.isTombstone = true
    return item
  }

  @Test(arguments: records.indices) func everyRecordHasItsFate(_ row: Int) {
    let (record, protection, fate) = Self.records[row]
    let plan = RestorePlan(.merge, groups: Self.groups)
    #expect(plan.decide(record, sealedUnder: protection) == fate)
  }

  /// What the backup's item, changed at 2000 and with the digest 5, meets.
  private static let meetings: [(RestoreOccupant, Bool, RestoreFate, RestoreStep)] = [
    (.none, true, .restored, .add),
    (.none, false, .skipped, .nothing),
    (.remains(mine), true, .restored, .replace(mine)),
    (.remains(mine), false, .skipped, .nothing),
    (.guarded(mine), true, .skipped, .nothing),
    (
      .item(mine, modified: .init(milliseconds: 1999), digest: [1]), true, .restored, .replace(mine)
    ),
    (
      .item(mine, modified: .init(milliseconds: 2000), digest: [6]), true, .restored, .replace(mine)
    ),
    (.item(mine, modified: .init(milliseconds: 2000), digest: [5]), true, .older, .rename(mine)),
    (.item(mine, modified: .init(milliseconds: 2000), digest: [4]), true, .older, .rename(mine)),
    (.item(mine, modified: .init(milliseconds: 2001), digest: [6]), true, .older, .rename(mine)),
    (.item(theirs, modified: .init(milliseconds: 2001), digest: [6]), true, .older, .nothing),
    (.item(mine, modified: .init(milliseconds: 2001), digest: [6]), false, .older, .nothing),
    (.item(mine, modified: .init(milliseconds: 1999), digest: [6]), false, .skipped, .nothing),
  ]

  @Test(arguments: meetings.indices) func theLaterChangeWinsThenTheSmallerDigest(_ row: Int) {
    let (occupant, isFree, fate, step) = Self.meetings[row]
    let met = RestorePlan(.merge, groups: Self.groups).decide(
      (Self.theirs, WallInstant(milliseconds: 2000)),
      digest: [5],
      meeting: occupant,
      isIdentifierFree: isFree
    )
    #expect(met.fate == fate)
    #expect(met.step == step)
  }

  private func header(
    _ protection: ProtectionClass = .whenUnlocked,
    isSynchronizable: Bool = false,
    isTombstone: Bool = false
  ) throws -> ItemHeader {
    ItemHeader(
      device: DeviceIdentity(owner: 1000, name: "desk"),
      identifier: Self.mine,
      itemClass: .genericPassword,
      key: try #require(ItemHash(bytes: [UInt8](repeating: 0, count: 32))),
      protection: protection,
      classKey: 1,
      isSynchronizable: isSynchronizable,
      isTombstone: isTombstone,
      modified: WallInstant(milliseconds: 0)
    )
  }

  @Test func replacingDeletesNothingThatIsNotToBeRestored() throws {
    var scope = BackupScope()
    scope.groups = AccessGroups(["local"])
    scope.classes = ProtectionClassSet.whenUnlocked
    let replace = RestorePlan(.replace, groups: Self.groups, scope)
    #expect(replace.deletes(try header(), BackupRig.item("a")))
    #expect(!replace.deletes(try header(), BackupRig.item("a", group: "shared")))
    #expect(!replace.deletes(try header(.always), BackupRig.item("a", .always)))
    #expect(replace.covers(.damaged, sealedUnder: .whenUnlocked))
    #expect(replace.covers(.unknownClass, sealedUnder: nil))
    // One of a class that is meant, whose data may not leave its keychain.
    #expect(replace.covers(.otherDevice, sealedUnder: .whenUnlockedThisDeviceOnly))
    #expect(!replace.covers(.otherDevice, sealedUnder: .afterFirstUnlockThisDeviceOnly))
    #expect(!replace.covers(.otherDevice, sealedUnder: .always))
    #expect(!replace.covers(.item(BackupRig.item("a", .always)), sealedUnder: .always))
  }

  @Test func replacingDeletesWhatIsTheCallersAndStaysHere() throws {
    let replace = RestorePlan(.replace, groups: Self.groups)
    let item = BackupRig.item("a")
    #expect(replace.deletes(try header(), item))
    #expect(replace.deletes(try header(), BackupRig.item("a", flags: .biometryAny)))
    #expect(replace.deletes(try header(), BackupRig.item("a", .whenPasscodeSetThisDeviceOnly)))
    #expect(!replace.deletes(try header(isSynchronizable: true), item))
    #expect(!replace.deletes(try header(isTombstone: true), item))
    #expect(!replace.deletes(try header(), nil))
    #expect(!replace.deletes(try header(), BackupRig.item("a", group: "other")))
    #expect(!replace.deletes(try header(), BackupRig.item("a", group: AccessGroups.internalGroup)))
    let shared = BackupRig.item("a", attributes: [.sharingGroup: .text("family")])
    #expect(!replace.deletes(try header(), shared))
    #expect(!RestorePlan(.merge, groups: Self.groups).deletes(try header(), item))
  }
}
