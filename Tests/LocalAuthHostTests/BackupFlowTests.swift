import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthStore
import Testing

/// Backups of real keychains, and what comes back of them.
@Suite struct BackupFlowTests {
  private static let classes = ProtectionClass.allCases

  private func rig(with accounts: [String] = ["ann", "bob"]) throws -> KeychainRig {
    let rig = try KeychainRig()
    for account in accounts { #expect(rig.add(account, "of \(account)").error == nil) }
    return rig
  }

  private func sheet() throws -> KeychainRig {
    let rig = try KeychainRig()
    for protection in Self.classes {
      #expect(rig.add(protection.rawValue, protection.name, accessible: protection).error == nil)
    }
    return rig
  }

  // MARK: Which classes come back where

  /// The seven classes, by what opens the backup, where it is restored and how.
  @Test(arguments: [true, false], [true, false])
  func everyClassComesBackWhereItMay(_ isDeviceOnly: Bool, _ isReplaced: Bool) throws {
    let password = isDeviceOnly ? nil : backupPassword
    let source = try sheet()
    let backup = try source.backup(password: password)
    let header = try BackupHeader(unverified: Array(backup.prefix(BackupFormat.headerSize)))
    #expect(header.counts.total == 6)
    #expect(header.counts.leftOut == [.passcodeSet: 1])
    for account in Self.classes.map(\.rawValue) { #expect(source.delete(account) == nil) }
    try restore(backup, on: source, password, isReplaced)
    for protection in Self.classes {
      let isBack = protection != .whenPasscodeSetThisDeviceOnly
      #expect(
        source.get(protection.rawValue)
          == (isBack ? .secret(protection.name) : .failed(.itemNotFound)),
        "\(protection)"
      )
    }
    let other = try KeychainRig()
    guard !isDeviceOnly else {
      #expect(
        other.refusal { try restore(backup, on: other, password, isReplaced) } == .keychainError
      )
      #expect(try other.rows().isEmpty)
      return
    }
    try restore(backup, on: other, password, isReplaced)
    for protection in Self.classes {
      #expect(
        other.get(protection.rawValue)
          == (protection.isThisDeviceOnly ? .failed(.itemNotFound) : .secret(protection.name)),
        "\(protection)"
      )
    }
  }

  private func restore(
    _ backup: [UInt8],
    on rig: KeychainRig,
    _ password: String?,
    _ isReplaced: Bool
  ) throws {
    guard isReplaced else {
      _ = try rig.merge(backup, password: password)
      return
    }
    _ = try rig.bring(
      backup,
      for: .restore(.replace),
      password: password,
      passcode: "1234",
      deaths: 0
    )
  }

  // MARK: What stays behind

  @Test func itemsThatAskForSomethingAreLeftOut() throws {
    let rig = try rig()
    let touch = try AccessControl(.whenUnlocked, flags: .biometryAny)
    #expect(rig.add("guarded", accessControl: touch).error == nil)
    let header = try BackupHeader(
      unverified: Array(try rig.backup().prefix(BackupFormat.headerSize))
    )
    #expect(header.counts.total == 2)
    #expect(header.counts.leftOut == [.accessControl: 1])
  }

  @Test func itemsOfOtherGroupsAreLeftOutAndAreNotPutThere() throws {
    let rig = try rig()
    rig.groups = AccessGroups(["local", "other"])
    #expect(rig.add("foreign", more: ["agrp": .text("other")]).error == nil)
    let all = try rig.backup()
    rig.groups = AccessGroups(["local"])
    let header = try BackupHeader(
      unverified: Array(try rig.backup().prefix(BackupFormat.headerSize))
    )
    #expect(header.counts.leftOut == [.otherGroup: 1])
    let other = try KeychainRig()
    let report = try other.merge(all)
    #expect(report.fates == [.restored: 2, .skipped: 1])
    #expect(try other.rows().count == 2)
  }

  @Test func aKeyThatMayNotLeaveComesBackOnItsDeviceAlone() throws {
    let rig = try KeychainRig()
    #expect(rig.call(.generateKey(["labl": .text("signer")])).error == nil)
    let backup = try rig.backup()
    let other = try KeychainRig()
    #expect(try other.merge(backup).fates == [.otherDevice: 1])
    #expect(rig.call(.delete(["class": .text("keys")])).error == nil)
    #expect(try rig.merge(backup).fates == [.restored: 1])
    let use = KeyUse.sign([1], .ecdsaSignatureMessageX962SHA256)
    #expect(rig.call(.useKey(["class": .text("keys")], use)).error == nil)
  }

  @Test func nothingButItemsComesBack() throws {
    let rig = try rig()
    let backup = try rig.backup()
    let other = try KeychainRig(fingers: [], passcode: "9876")
    _ = try other.merge(backup)
    let status = try other.engine.status(of: "sim", caller: other.caller)
    #expect(status.record.enrolment.fingers.isEmpty)
    try other.lock()
    #expect(throws: EngineError.self) { try other.unlock("1234") }
    try other.unlock("9876")
  }

  // MARK: Meeting what is there

  @Test func theLaterChangeWinsAndTakesTheBackupsReference() throws {
    let rig = try rig()
    let first = try #require(rig.identifier(of: "ann"))
    let backup = try rig.backup()
    #expect(rig.delete("ann") == nil)
    rig.clock.moment.wall = WallInstant(milliseconds: rig.clock.moment.wall.milliseconds + 5000)
    #expect(rig.add("ann", "newer").error == nil)
    #expect(rig.identifier(of: "ann") != first)
    #expect(try rig.merge(backup).fates == [.older: 2])
    #expect(rig.get("ann") == .secret("newer"))
    #expect(rig.identifier(of: "ann") == first)
    // Where the backup's is newer it comes back.
    let newer = try rig.backup()
    let other = try KeychainRig()
    other.clock.moment.wall = WallInstant(milliseconds: 1_700_000_000_000)
    #expect(other.add("ann", "older").error == nil)
    #expect(try other.merge(newer).fates == [.restored: 2])
    #expect(other.get("ann") == .secret("newer"))
    #expect(other.identifier(of: "ann") == first)
  }

  @Test func restoringTwiceChangesNothing() throws {
    let rig = try rig()
    let backup = try rig.backup()
    let rows = try rig.rows()
    #expect(try rig.merge(backup).fates == [.older: 2])
    #expect(try rig.rows() == rows)
    let other = try KeychainRig()
    #expect(try other.merge(backup).fates == [.restored: 2])
    #expect(try other.merge(backup).fates == [.older: 2])
    #expect(try other.rows().count == 2)
  }

  @Test func anItemThatAPersonGuardsIsNotReplaced() throws {
    let rig = try rig()
    let backup = try rig.backup()
    let other = try KeychainRig()
    other.clock.moment.wall = WallInstant(milliseconds: 1_700_000_000_000)
    let touch = try AccessControl(.whenUnlocked, flags: .biometryAny)
    #expect(other.add("ann", "guarded", accessControl: touch).error == nil)
    #expect(try other.merge(backup).fates == [.restored: 1, .skipped: 1])
    #expect(other.get("ann", script: "match:right-index") == .secret("guarded"))
  }

  @Test func synchronizableTwinsComeBackAsTwo() throws {
    let rig = try rig(with: ["ann"])
    #expect(rig.add("ann", "synced", more: ["sync": .boolean(true)]).error == nil)
    let backup = try rig.backup()
    let other = try KeychainRig()
    #expect(try other.merge(backup).fates == [.restored: 2])
    #expect(try other.rows().map(\.header.isSynchronizable).sorted { !$0 && $1 } == [false, true])
  }

  @Test func whatRemainsOfADeletedItemGivesWay() throws {
    let rig = try rig()
    let backup = try rig.backup()
    #expect(rig.add("gone", accessible: .whenPasscodeSetThisDeviceOnly).error == nil)
    try rig.removePasscode()
    #expect(try rig.merge(backup).fates == [.older: 2])
    let other = try KeychainRig()
    #expect(other.add("ann", accessible: .whenPasscodeSetThisDeviceOnly).error == nil)
    try other.removePasscode()
    #expect(try other.merge(backup).fates == [.restored: 2])
    #expect(other.get("ann") == .secret("of ann"))
  }

  @Test func aTombstoneIsInNoBackupAndGivesWay() throws {
    let rig = try rig(with: [])
    let synced: QueryDictionary = ["sync": .boolean(true)]
    #expect(rig.add("ann", "synced", more: synced).error == nil)
    let backup = try rig.backup()
    #expect(rig.delete("ann", more: synced) == nil)
    #expect(try rig.rows().map(\.header.isTombstone) == [true])
    let empty = try rig.backup()
    let header = try BackupHeader(unverified: Array(empty.prefix(BackupFormat.headerSize)))
    #expect(header.counts == BackupCounts())
    #expect(try rig.merge(backup).fates == [.restored: 1])
    #expect(try rig.rows().map(\.header.isTombstone) == [false])
  }

  // MARK: Replacing

  @Test func replacingDeletesWhatStaysOnThisDeviceAndSparesTheRest() throws {
    let rig = try rig()
    let backup = try rig.backup()
    let other = try KeychainRig()
    let touch = try AccessControl(.whenUnlocked, flags: .biometryAny)
    #expect(other.add("guarded", accessControl: touch).error == nil)
    #expect(other.add("last", accessible: .whenPasscodeSetThisDeviceOnly).error == nil)
    #expect(other.add("ann", "another").error == nil)
    #expect(other.add("synced", more: ["sync": .boolean(true)]).error == nil)
    other.groups = AccessGroups(["local", "other"])
    #expect(other.add("foreign", more: ["agrp": .text("other")]).error == nil)
    other.groups = AccessGroups(["local"])
    let brought = try other.bring(backup, for: .preview(.replace))
    let preview = brought.report
    #expect(preview.deaths == 2)
    #expect(brought.deletions.map(\.name).sorted() == ["guarded", "last"].map(Self.name).sorted())
    #expect(preview.fates == [.restored: 2])
    let done = try other.bring(
      backup,
      for: .restore(.replace),
      passcode: "1234",
      deaths: 2
    ).report
    #expect(done == preview)
    #expect(other.get("ann") == .secret("of ann"))
    #expect(other.get("guarded", script: "match:right-index") == .failed(.itemNotFound))
    #expect(try other.rows().count == 4)
  }

  /// The backup's item cannot be put there, because another item that stays has its identifier.
  @Test func whatDiesForAnItemThatIsNotPutThereIsNamed() throws {
    let rig = try rig(with: ["ann"])
    let backup = try rig.backup()
    // It keeps its identifier, and is none of the caller's any more.
    rig.groups = AccessGroups(["local", "other"])
    let changes: QueryDictionary = ["agrp": .text("other")]
    let query: QueryDictionary = ["class": .text("genp"), "acct": .text("ann")]
    #expect(rig.call(.update(query, changes: changes, data: nil)).error == nil)
    rig.groups = AccessGroups(["local"])
    #expect(rig.add("ann", "another").error == nil)
    let brought = try rig.bring(backup, for: .preview(.replace))
    #expect(brought.report.deaths == 1 && brought.report.fates == [.skipped: 1])
    #expect(brought.deletions.map(\.name) == [Self.name("ann")])
  }

  @Test func moreDeletionsThanOnePageAreAllNamed() throws {
    let rig = try rig(with: [])
    let backup = try rig.backup()
    let accounts = (0..<300).map { "account \($0)" }
    for account in accounts { #expect(rig.add(account).error == nil) }
    let brought = try rig.bring(backup, for: .preview(.replace))
    #expect(brought.report.deaths == 300)
    #expect(brought.deletions.map(\.name).sorted() == accounts.map(Self.name).sorted())
    #expect(try rig.bring(backup, for: .preview(.merge)).deletions.isEmpty)
  }

  /// What a preview calls the item of this account.
  private static func name(_ account: String) -> String {
    ItemName(.genericPassword, service: nil, account: account).text
  }

  @Test func replacingTakesThePasscodeAndTheNumberOfItemsThatDie() throws {
    let rig = try rig()
    let backup = try rig.backup()
    #expect(rig.add("new").error == nil)
    let rows = try rig.rows()
    func replace(_ passcode: String?, _ deaths: Int?) throws {
      _ = try rig.bring(backup, for: .restore(.replace), passcode: passcode, deaths: deaths)
    }
    #expect(throws: EngineError.passcodeRequired) { try replace(nil, 1) }
    #expect(rig.refusal { try replace("4321", 1) } == .authenticationFailed)
    for deaths in [nil, 0, 2, 3] {
      #expect(throws: EngineError.self) { try replace("1234", deaths) }
    }
    #expect(try rig.rows() == rows)
    try replace("1234", 1)
    #expect(rig.get("new") == .failed(.itemNotFound))
  }

  @Test func aReplacementThatIsRefusedSaysBothNumbersAndEndsInTheAudit() throws {
    let rig = try rig()
    let backup = try rig.backup()
    func replace(_ deaths: Int?) throws {
      _ = try rig.bring(backup, for: .restore(.replace), passcode: "1234", deaths: deaths)
    }
    let other =
      "The number of items that would be deleted for good is 0, not 7: nothing was changed."
    #expect(throws: EngineError.invalidArgument(other)) { try replace(7) }
    #expect(throws: EngineError.self) { try replace(nil) }
    _ = rig.disk.failing { changes in
      changes.contains { change in
        guard case .audit(let line) = change else { return false }
        return line.action == "backup replace" && line.outcome == .success
      }
    }
    #expect(throws: EngineError.self) { try replace(0) }
    rig.disk.heal()
    let lines = try rig.store.audit(owner: 1000, device: "sim", before: nil, limit: 100)
      .filter { $0.action == "backup replace" }
    #expect(lines.map(\.outcome) == [.usage, .usage, .internalError])
    #expect(lines.first?.detail == other)
  }

  @Test func wrongPasscodesForReplacingAreThrottledAndWrongPasswordsAreNot() throws {
    let rig = try rig()
    let backup = try rig.backup()
    func wrong() throws -> UInt32 {
      try rig.engine.status(of: "sim", caller: rig.caller).wrongPasscodes
    }
    for _ in 0..<5 {
      #expect(
        rig.refusal { _ = try rig.merge(backup, password: "wrong horse battery") }
          == .authenticationFailed
      )
    }
    #expect(try wrong() == 0)
    for guess in ["4321", "5432"] {
      #expect(throws: EngineError.self) {
        try rig.bring(backup, for: .restore(.replace), passcode: guess, deaths: 0)
      }
    }
    #expect(try wrong() == 2)
  }

  // MARK: Refusals

  @Test func aLockedDeviceIsNotBackedUpUnlessInPart() throws {
    let rig = try rig()
    #expect(rig.add("always", accessible: .always).error == nil)
    try rig.lock()
    rig.clock.pass(.seconds(11))
    #expect(rig.refusal { _ = try rig.backup() } == .itemLocked)
    let partial = try rig.backup(isPartial: true)
    let header = try BackupHeader(unverified: Array(partial.prefix(BackupFormat.headerSize)))
    #expect(header.counts.total == 1)
    #expect(header.counts.leftOut == [.locked: 2])
    #expect(rig.refusal { _ = try rig.merge(partial) } == .itemLocked)
    // It can be verified all the same.
    #expect(try rig.bring(partial, for: .verify).report.fates == [.restored: 1])
  }

  @Test func aDeviceThatIsLockedMeanwhileChangesNothing() throws {
    let rig = try rig()
    let backup = try rig.backup()
    let other = try KeychainRig()
    let refusal = other.refusal {
      _ = try other.bring(backup, for: .restore(.merge)) { try other.lock() }
    }
    #expect(refusal == .itemLocked)
    #expect(try other.rows().isEmpty)
  }

  @Test func aBackupOfADeviceThatIsLockedMeanwhileIsToldSo() throws {
    let rig = try rig()
    let refusal = rig.refusal {
      _ = try rig.backup { number in if number == 1 { try rig.lock() } }
    }
    #expect(refusal == .itemLocked)
    // Once it was told, nothing is under way.
    #expect(rig.refusal { _ = try rig.engine.readBackup(on: 77) } == .systemCancel)
  }

  /// What was sealed under keys that are erased is not written beside the new ones.
  @Test func aDeviceThatIsErasedMeanwhileIsEmpty() throws {
    let rig = try rig(with: [])
    for number in 0..<300 { #expect(rig.add("\(number)").error == nil) }
    let backup = try rig.backup(password: nil)
    var erased = false
    #expect(throws: EngineError.self) {
      try rig.bring(backup, for: .restore(.merge), password: nil) {
        // The end is looked at in slices, and this comes between two of them.
        _ = rig.clock.schedule(at: rig.clock.now().boot) {
          rig.engine.erase("sim", caller: rig.caller) { _ in erased = true }
        }
      }
    }
    rig.turn { erased }
    #expect(try rig.rows().isEmpty)
  }

  @Test func passwordsOfNewBackupsAreLongEnough() throws {
    let rig = try rig()
    #expect(throws: EngineError.self) { try rig.backup(password: "elevenchars") }
    // Characters count, not bytes.
    #expect(throws: EngineError.self) { try rig.backup(password: "üüüüüüüüüüü") }
    _ = try rig.backup(password: "twelve chars")
    #expect(throws: EngineError.self) {
      try rig.backup(password: String(repeating: "x", count: 1025))
    }
  }

  @Test func aUserHasOneBackupAtATimeAndAClosedConnectionEndsIt() throws {
    let rig = try rig()
    var request = BackupRequest(of: "sim", groups: rig.groups)
    request.allowsSimulated = true
    var begun = false
    rig.engine.beginBackup(request, on: 5, caller: rig.caller) { _ in begun = true }
    rig.turn { begun }
    #expect(rig.refusal { _ = try rig.backup() } == .busy)
    rig.engine.connectionEnded(5)
    #expect(rig.refusal { _ = try rig.engine.readBackup(on: 5) } == .systemCancel)
    _ = try rig.backup()
  }

  @Test func aConnectionThatClosesBeforeItsKeyIsThereLeavesNothing() throws {
    let rig = try rig()
    var request = BackupRequest(of: "sim", groups: rig.groups)
    request.allowsSimulated = true
    var refusal: OutcomeCode?
    rig.engine.beginBackup(request, on: 5, caller: rig.caller) {
      if case .failure(.refused(let outcome)) = $0 { refusal = outcome.code }
    }
    rig.engine.connectionEnded(5)
    // Connecting anew gets no second key derived at the same time.
    var second: OutcomeCode?
    rig.engine.beginBackup(request, on: 6, caller: rig.caller) {
      if case .failure(.refused(let outcome)) = $0 { second = outcome.code }
    }
    #expect(second == .busy)
    rig.turn { refusal != nil }
    #expect(refusal == .systemCancel)
    #expect(rig.refusal { _ = try rig.engine.readBackup(on: 5) } == .systemCancel)
    _ = try rig.backup()
  }

  @Test func simulatedDevicesCountOnlyWhereTheyAreNamed() throws {
    let rig = try rig()
    var refusal: OutcomeCode?
    rig.engine.beginBackup(BackupRequest(of: "sim", groups: rig.groups), on: 5, caller: rig.caller)
    {
      if case .failure(.refused(let outcome)) = $0 { refusal = outcome.code }
    }
    rig.turn { refusal != nil }
    #expect(refusal == .simulatedNotAllowed)
  }

  // MARK: All or nothing

  @Test func aBackupThatWasChangedChangesNothing() throws {
    let rig = try rig()
    var backup = try rig.backup()
    let other = try KeychainRig()
    #expect(other.add("bob", "mine").error == nil)
    let rows = try other.rows()
    for index in stride(from: 0, to: backup.count, by: 7) {
      backup[index] ^= 1
      #expect(throws: EngineError.self, "byte \(index)") { try other.merge(backup) }
      backup[index] ^= 1
    }
    for size in stride(from: 0, to: backup.count, by: 13) {
      #expect(throws: EngineError.self, "\(size) bytes") { try other.merge(Array(backup[..<size])) }
    }
    #expect(try other.rows() == rows)
    _ = try other.merge(backup)
  }

  @Test func aFullDiskChangesNothing() throws {
    let rig = try rig()
    let backup = try rig.backup()
    let other = try KeychainRig()
    let failures = other.disk.failing { _ in true }
    #expect(throws: EngineError.self) { try other.merge(backup) }
    #expect(failures.count == 1)
    other.disk.heal()
    #expect(try other.rows().isEmpty)
    #expect(try other.merge(backup).fates == [.restored: 2])
  }

  @Test func aDiskThatFillsUpWhileItemsAreSpooledChangesNothing() throws {
    let rig = try rig()
    let backup = try rig.backup()
    let other = try KeychainRig()
    #expect(other.add("mine", "mine").error == nil)
    let rows = try other.rows()
    for room in 0..<2 {
      other.disk.spoolRoom = room
      #expect(throws: EngineError.internalError(Outcome(StorageError.full).detail ?? "")) {
        try other.merge(backup)
      }
      #expect(try other.rows() == rows)
      // It is over, and the user's turn is free again.
      #expect(rig.refusal { _ = try other.engine.writeRestore([], on: 78) } == .systemCancel)
    }
    other.disk.spoolRoom = nil
    #expect(try other.merge(backup).fates == [.restored: 2])
  }

  @Test func aBackupIsInTheAuditBeforeAnyOfItIsRead() throws {
    let rig = try rig()
    let failures = rig.disk.failing { !$0.isEmpty }
    #expect(throws: EngineError.self) { try rig.backup() }
    #expect(failures.count > 0)
    rig.disk.heal()
    _ = try rig.merge(try rig.backup(password: nil), password: nil)
    let lines = try rig.store.audit(owner: 1000, device: "sim", before: nil, limit: 10)
    #expect(lines.map(\.action).contains("backup create"))
    #expect(lines.last?.action == "backup restore")
    #expect(lines.last?.detail == "0 items restored, 0 deleted")
  }

  @Test func manyLargeItemsComeBackAndNoMoreThanARestoreMayHold() throws {
    let rig = try rig(with: [])
    for number in 0..<40 {
      #expect(rig.add("\(number)", String(repeating: "x", count: 60_000)).error == nil)
    }
    let backup = try rig.backup()
    #expect(try rig.bring(backup, for: .verify).report.fates == [.restored: 40])
    let other = try KeychainRig()
    #expect(try other.merge(backup).fates == [.restored: 40])
    #expect(other.get("7") == .secret(String(repeating: "x", count: 60_000)))
    let small = try KeychainRig { $0.spooledBytesMax = 1 << 20 }
    #expect(throws: EngineError.limitReached("A restore may hold 1 MiB of items; this has more.")) {
      _ = try small.merge(backup)
    }
    #expect(try small.rows().isEmpty)
    let few = try KeychainRig { $0.spooledItemsMax = 39 }
    for purpose in [RestorePurpose.restore(.merge), .preview(.merge)] {
      #expect(throws: EngineError.limitReached("A restore may bring 39 items; this has more.")) {
        _ = try few.bring(backup, for: purpose)
      }
    }
    #expect(try few.rows().isEmpty)
    #expect(try few.bring(backup, for: .verify).report.fates == [.restored: 40])
  }

  @Test func aBackupOfItsOwnItemsTwiceOverCountsEachOnce() throws {
    let rig = try rig()
    let other = try KeychainRig()
    let backup = try rig.backup()
    for _ in 0..<2 {
      let expected: [RestoreFate: Int] = try other.rows().isEmpty ? [.restored: 2] : [.older: 2]
      #expect(try other.bring(backup, for: .preview(.merge)).report.fates == expected)
      #expect(try other.merge(backup).fates == expected)
      #expect(try other.rows().count == 2)
    }
  }

  @Test func thePreviewSaysWhatBecomesOfEachItem() throws {
    let rig = try sheet()
    let backup = try rig.backup()
    let other = try KeychainRig()
    let preview = try other.bring(backup, for: .preview(.merge))
    #expect(preview.report.fates == [.restored: 3, .otherDevice: 3])
    #expect(preview.items.count == 6)
    #expect(preview.items.allSatisfy { ($0.fate == .otherDevice) == $0.name.isEmpty })
    #expect(preview.items.first?.name.contains("ak") == true)
    #expect(try other.rows().isEmpty)
  }
}
