import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import Testing

/// Backups of some access groups and classes, and restores of them.
@Suite struct BackupScopeTests {
  private func scope(_ groups: [String]? = nil, _ classes: ProtectionClassSet = .all) -> BackupScope
  {
    var scope = BackupScope()
    scope.groups = groups.map { AccessGroups($0) }
    scope.classes = classes
    return scope
  }

  private func newRig() throws -> KeychainRig {
    let rig = try KeychainRig()
    rig.groups = AccessGroups(["local", "more"])
    return rig
  }

  /// A rig with items, a document, values and a row of two groups.
  private func made() throws -> KeychainRig {
    let rig = try newRig()
    for group in ["local", "more"] {
      let agrp: QueryDictionary = ["agrp": .text(group)]
      #expect(rig.add("unlocked", group, accessible: .whenUnlocked, more: agrp).error == nil)
      #expect(rig.add("first", group, accessible: .afterFirstUnlock, more: agrp).error == nil)
      try rig.put("letter", text: group, in: group)
      try rig.set("theme", group, rig.request(group))
    }
    return rig
  }

  private func get(_ account: String, _ group: String, of rig: KeychainRig) -> String? {
    let query = KeychainRig.query(account, ["r_Data": .boolean(true), "agrp": .text(group)])
    return rig.call(.copy(query, after: nil)).items.first?.data?.text
  }

  private func accounts(of rig: KeychainRig) -> [String] {
    var found: [String] = []
    for group in ["local", "more"] {
      for account in ["unlocked", "first"] where get(account, group, of: rig) != nil {
        found.append("\(group) \(account)")
      }
    }
    return found
  }

  private func counts(_ backup: [UInt8]) throws -> BackupCounts {
    try BackupHeader(unverified: Array(backup.prefix(BackupFormat.headerSize))).counts
  }

  @Test func aBackupOfOneGroupHasNothingOfAnother() throws {
    let rig = try made()
    let backup = try rig.backup(of: scope(["more"]))
    #expect(try counts(backup).total == 4 && counts(backup).totalLeftOut == 0)
    let other = try newRig()
    #expect(try other.merge(backup).fates == [.restored: 4])
    #expect(accounts(of: other) == ["more unlocked", "more first"])
    #expect(try other.text("letter", in: "more") == "more")
    #expect(try other.values(other.request("more")).count == 1)
    #expect(try other.values(other.request("local")).isEmpty)
    #expect(try other.documents(in: "local").isEmpty)
  }

  @Test func aBackupOfOneClassHasNothingOfAnother() throws {
    let rig = try made()
    let unlocked = try rig.backup(of: scope(nil, ProtectionClass.whenUnlocked.alone))
    #expect(try counts(unlocked).included == [.whenUnlocked: 2])
    #expect(try counts(unlocked).totalLeftOut == 0)
    let first = try rig.backup(of: scope(nil, ProtectionClass.afterFirstUnlock.alone))
    #expect(try counts(first).included == [.afterFirstUnlock: 6])
    let both = try rig.backup(of: scope(["local"], ProtectionClass.afterFirstUnlock.alone))
    #expect(try counts(both).included == [.afterFirstUnlock: 3])
  }

  @Test func aLockedDeviceMakesABackupOfWhatItKeepsOpen() throws {
    let rig = try made()
    try rig.lock()
    rig.clock.pass(.seconds(11))
    let first = scope(nil, ProtectionClass.afterFirstUnlock.alone)
    #expect(try counts(rig.backup(of: first)).total == 6)
    #expect(rig.refusal { _ = try rig.backup() } == .itemLocked)
    #expect(rig.refusal { _ = try rig.backup(of: scope(["more"])) } == .itemLocked)
  }

  @Test(arguments: [RestorePurpose.restore(.merge), .preview(.merge)])
  func aRestoreTakesNothingThatIsNotAskedFor(_ purpose: RestorePurpose) throws {
    let backup = try made().backup()
    #expect(try counts(backup).total == 8)
    let other = try newRig()
    let some = scope(["more"], ProtectionClass.afterFirstUnlock.alone)
    let brought = try other.bring(backup, for: purpose, of: some)
    #expect(brought.report.fates == [.restored: 3])
    guard purpose == .restore(.merge) else {
      return #expect(brought.items.count == 3 && accounts(of: other).isEmpty)
    }
    #expect(accounts(of: other) == ["more first"])
    #expect(try other.text("letter", in: "more") == "more" && other.documents(in: "local").isEmpty)
    #expect(try other.values(other.request("local")).isEmpty)
    let rest = try other.bring(
      backup,
      for: purpose,
      of: scope(nil, ProtectionClassSet.whenUnlocked)
    )
    #expect(rest.report.fates == [.restored: 2])
    #expect(accounts(of: other) == ["local unlocked", "more unlocked", "more first"])
  }

  @Test func replacingDeletesNothingElse() throws {
    let backup = try made().backup()
    let other = try newRig()
    for group in ["local", "more"] {
      #expect(other.add("late", more: ["agrp": .text(group)]).error == nil)
    }
    let brought = try other.bring(
      backup,
      for: .restore(.replace),
      of: scope(["more"]),
      passcode: "1234",
      deaths: 1
    )
    #expect(brought.report.deaths == 1)
    #expect(get("late", "local", of: other) != nil && get("late", "more", of: other) == nil)
    #expect(accounts(of: other) == ["more unlocked", "more first"])
  }

  /// Its item goes, and what has its place in the backup has an identifier that is somebody else's by now.
  @Test func whatIsDeletedAndNotReplacedIsADeath() throws {
    let rig = try newRig()
    #expect(rig.add("moved").error == nil)
    let backup = try rig.backup()
    let query: QueryDictionary = [
      "class": .text("genp"), "acct": .text("moved"), "agrp": .text("local"),
    ]
    let moved = rig.call(.update(query, changes: ["agrp": .text("more")], data: nil))
    #expect(moved.error == nil)
    #expect(rig.add("moved", "new").error == nil)
    let preview = try rig.bring(backup, for: .preview(.replace), of: scope(["local"]))
    #expect(preview.report.fates == [.skipped: 1] && preview.report.deaths == 1)
    let before = try rig.rows()
    #expect(throws: EngineError.self) {
      try rig.bring(
        backup,
        for: .restore(.replace),
        of: scope(["local"]),
        passcode: "1234",
        deaths: 0
      )
    }
    #expect(try rig.rows() == before)
    let brought = try rig.bring(
      backup,
      for: .restore(.replace),
      of: scope(["local"]),
      passcode: "1234",
      deaths: 1
    )
    #expect(brought.report == preview.report)
    #expect(get("moved", "local", of: rig) == nil && get("moved", "more", of: rig) != nil)
  }

  @Test func aVerificationReadsAll() throws {
    let backup = try made().backup()
    let other = try newRig()
    let all = try other.bring(backup, for: .verify)
    let some = try other.bring(backup, for: .verify, of: scope(["more"]))
    #expect(all.report == some.report && all.report.fates == [.restored: 8])
  }

  @Test func whatOpensFilesGoesByItsClassAndWithAllGroups() throws {
    let (rig, other) = (try newRig(), try newRig())
    let always = scope(nil, ProtectionClassSet.always)
    #expect(try counts(rig.backup(of: always, openingFiles: "1234")).fileKeys == 1)
    let backup = try rig.backup(openingFiles: "1234")
    let files = FileProtection.allCases.count
    #expect(try counts(backup).fileKeys == UInt64(files))
    for (scope, restored) in [(always, 1), (scope(["local"]), 0), (scope(), files - 1)] {
      let brought = try other.bring(backup, for: .restore(.merge), of: scope)
      #expect(brought.report.fates[.restored] ?? 0 == restored)
    }
    try rig.lock()
    rig.clock.pass(.seconds(11))
    #expect(try counts(rig.backup(of: always, openingFiles: "1234")).fileKeys == 1)
  }

  @Test(arguments: [["other"], ["more", "*"], ["\u{0}localauth"]])
  func groupsThatAreNotTheCallersAreRefused(_ groups: [String]) throws {
    let rig = try made()
    #expect(throws: EngineError.self) { try rig.backup(of: scope(groups)) }
    let backup = try rig.backup()
    let before = try rig.rows()
    #expect(throws: EngineError.self) {
      try rig.bring(backup, for: .restore(.merge), of: scope(groups))
    }
    #expect(try rig.rows() == before)
  }
}
