import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthService

/// Documents and key-value stores in backups.
@Suite struct DocumentBackupTests {
  private static let long = DocumentTests.bytes(3 * DocumentChunk.size + 9)

  private func made() throws -> (rig: KeychainRig, backup: [UInt8]) {
    let rig = try newRig()
    try fill(rig)
    return (rig, try rig.backup())
  }

  private func newRig() throws -> KeychainRig {
    let rig = try KeychainRig()
    rig.groups = AccessGroups(["local", "more"])
    return rig
  }

  private func fill(_ rig: some DocumentCalls & KeyValueCalls) throws {
    try rig.put("notes/today.txt", text: "milk")
    try rig.put("film", Self.long)
    try rig.put("more", text: "of another group", in: "more")
    try rig.put("empty", [])
    try rig.set("theme", "dark")
  }

  @Test func anotherDeviceHasWhatTheBackupHas() throws {
    let (old, backup) = try made()
    let new = try newRig()
    let report = try new.merge(backup)
    #expect(report.fates == [.restored: 5])
    #expect(try new.documentNames() == ["empty", "film", "notes/today.txt"])
    #expect(try new.text("notes/today.txt") == "milk" && new.document("film") == Self.long)
    #expect(try new.document("empty").isEmpty)
    #expect(try new.text("more", in: "more") == "of another group")
    #expect(try new.values() == old.values())
    #expect(try new.documents().map(\.isComplete) == [true, true, true])
    let again = try new.merge(backup)
    #expect(again.fates == [.older: 5])
    try new.removeDocument("film")
    try new.removeDocument("notes/today.txt")
    try new.removeDocument("empty")
    try new.removeDocument("more", in: "more")
    #expect(try new.itemCount == 1, "the store is left, and no chunk")
  }

  @Test func theBackupsHeaderCountsADocumentOnce() throws {
    let (_, backup) = try made()
    let header = try BackupHeader(unverified: Array(backup.prefix(BackupFormat.headerSize)))
    #expect(header.counts.total == 5 && header.counts.totalLeftOut == 0)
  }

  @Test func whoMayNotUseAGroupNeitherBacksItUpNorRestoresIt() throws {
    let (rig, backup) = try made()
    rig.groups = AccessGroups(["local"])
    let few = try rig.backup()
    rig.groups = AccessGroups(["local", "more"])
    let other = try newRig()
    #expect(try other.merge(few).fates == [.restored: 4])
    #expect(try other.documentNames(in: "more").isEmpty)
    let third = try newRig()
    third.groups = AccessGroups(["local"])
    #expect(try third.merge(backup).fates == [.restored: 4, .skipped: 1])
    third.groups = AccessGroups(["local", "more"])
    #expect(try third.documentNames(in: "more").isEmpty)
    #expect(
      try third.itemCount == 9,
      "three documents, five chunks and a store: nothing is left over"
    )
  }

  @Test func ofTwoContentsTheLaterOneStands() throws {
    let (rig, backup) = try made()
    rig.clock.pass(.seconds(5))
    try rig.put("notes/today.txt", text: "later")
    try rig.put("film", text: "cut")
    #expect(try rig.merge(backup).fates == [.older: 5])
    #expect(try rig.text("notes/today.txt") == "later" && rig.text("film") == "cut")
    let before = try rig.itemCount
    let other = try newRig()
    try other.put("notes/today.txt", text: "an older one of another device")
    other.clock.pass(.seconds(9))
    try other.put("film", Array(Self.long.prefix(DocumentChunk.size)))
    let newer = try other.backup()
    #expect(try rig.merge(newer).fates == [.restored: 1, .older: 1])
    #expect(try rig.document("film") == Array(Self.long.prefix(DocumentChunk.size)))
    #expect(try rig.itemCount == before, "a chunk for another")
  }

  /// Fills a device and closes it; its backup, and how many items it has.
  private func keep(in scratch: StateScratch) throws -> (backup: [UInt8], items: Int) {
    try StateRig.found(scratch.path)
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.create("sim", passcode: "1234"))
    try fill(rig)
    defer { rig.close() }
    return (try rig.backup(), try rig.itemCount)
  }

  @Test func whatWasDamagedComesBack() throws {
    for sql: StaticString in [
      "UPDATE item SET secret = zeroblob(length(secret))",
      "UPDATE item SET secret = zeroblob(length(secret)) WHERE length(secret) > 200000",
      "UPDATE item SET attributes = zeroblob(length(attributes))",
    ] {
      let scratch = StateScratch()
      let (backup, count) = try keep(in: scratch)
      try ItemRows(scratch.path + "/" + StateFiles.database).execute(sql)
      let rig = try #require(try StateRig(opening: scratch.path))
      rig.unlock("sim", "1234")
      rig.clock.pass(.seconds(1))
      #expect(throws: EngineError.self) { try rig.document("film") }
      let report = try rig.merge(backup)
      #expect(report.fates.values.reduce(0, +) == 5, "\(report)")
      #expect(try rig.document("film") == Self.long && rig.text("notes/today.txt") == "milk")
      #expect(try rig.values().count == 1)
      #expect(try rig.itemCount == count)
    }
  }

  @Test func valuesThatAreHereStay() throws {
    let (rig, backup) = try made()
    try rig.set("theme", "light")
    try rig.set("size", "9")
    #expect(try rig.merge(backup).fates[.older] == 5)
    let other = try newRig()
    try other.set("size", "9")
    #expect(try other.merge(backup).fates == [.restored: 5])
    #expect(try Set(other.values().keys) == ["theme", "size"])
  }

  @Test func valuesComeBackBeyondAQuotaOrAreSaidToBeSkipped() throws {
    let rig = try newRig()
    let (many, few) = (600, 425)
    func fill(_ rig: KeychainRig, _ prefix: String, _ count: Int) throws {
      let values = (0..<count).map { KeyValueChange("\(prefix)\($0)", KeyValueText.list("1")) }
      #expect(try rig.write(values).refused.isEmpty)
    }
    try fill(rig, "a", many)
    let backup = try rig.backup()
    let other = try newRig()
    try fill(other, "b", few)
    #expect(try other.bring(backup, for: .preview(.merge)).report.fates == [.restored: 1])
    #expect(try other.merge(backup).fates == [.restored: 1])
    #expect(try other.values().count == many + few, "none is dropped without a word")
    let third = try newRig()
    try fill(third, "c", few)
    let more = try third.backup()
    #expect(try other.bring(more, for: .preview(.merge)).report.fates == [.skipped: 1])
    #expect(try other.merge(more).fates == [.skipped: 1])
    #expect(try other.values().count == many + few)
  }

  @Test func aPreviewAndAVerificationSayTheSameAndChangeNothing() throws {
    let (_, backup) = try made()
    let new = try newRig()
    try new.put("notes/today.txt", text: "milk")
    let before = try new.rows()
    let preview = try new.bring(backup, for: .preview(.merge))
    #expect(preview.report.fates == [.restored: 4, .older: 1])
    #expect(Set(preview.items.map(\.name)).isSuperset(of: ["film", "notes/today.txt"]))
    #expect(try new.bring(backup, for: .verify).report.fates == [.restored: 5])
    #expect(try new.rows() == before)
  }

  @Test func aDocumentThatIsWrittenWhileItIsReadIsWhole() throws {
    for pieces in 0..<12 {
      let rig = try newRig()
      try rig.put("film", Self.long)
      let edited = Array(Self.long.reversed())
      let backup = try rig.backup { if $0 == pieces { try rig.put("film", edited) } }
      let new = try newRig()
      #expect(try new.merge(backup).fates == [.restored: 1])
      let restored = try new.document("film")
      #expect(restored == edited || restored == Self.long)
      #expect(try new.itemCount == 5, "no chunk of the other content is left over")
    }
  }

  @Test func aDocumentThatIsRemovedWhileItIsReadIsThereOrNot() throws {
    for pieces in 0..<12 {
      let rig = try newRig()
      try rig.put("film", Self.long)
      let backup = try rig.backup { if $0 == pieces { try rig.removeDocument("film") } }
      let new = try newRig()
      let report = try new.merge(backup)
      guard !report.fates.isEmpty else {
        #expect(try new.itemCount == 0, "no chunk is left over")
        continue
      }
      #expect(report.fates == [.restored: 1])
      #expect(try new.document("film") == Self.long)
    }
  }

  @Test func aBackupOfALockedDeviceThatRestartedLeavesThemOutAndSaysSo() throws {
    let rig = try newRig()
    try rig.put("film", text: "x")
    try rig.reboot()
    let backup = try rig.backup(isPartial: true)
    let header = try BackupHeader(unverified: Array(backup.prefix(BackupFormat.headerSize)))
    #expect(header.counts.total == 0 && Set(header.counts.leftOut.keys) == [.locked])
  }

  @Test func aReplacingRestoreKeepsDocumentsThatTheBackupHasNot() throws {
    let (_, backup) = try made()
    let new = try newRig()
    try new.put("mine", text: "stays")
    let report = try new.bring(backup, for: .restore(.replace), passcode: "1234", deaths: 0).report
    #expect(report.fates == [.restored: 5])
    #expect(try new.documentNames() == ["empty", "film", "mine", "notes/today.txt"])
  }

  // MARK: Made up

  private func document(
    _ rig: KeychainRig,
    _ name: String,
    size: UInt64,
    _ chunks: [[UInt8]]
  ) throws -> (service: String, account: String, data: [UInt8]) {
    let digests = chunks.map { rig.engine.hash.digest(of: $0) }
    var document = StoredDocument(try #require(DocumentName(name)))
    let content = try #require(
      DocumentContent(
        date: WallInstant(milliseconds: 9_000_000_000_000),
        size: size,
        chunks: digests
      )
    )
    let none = ItemIdentifier(high: 0, low: 0)
    _ = document.write(content, adding: Dictionary(digests.map { ($0, none) }) { $1 })
    return ("document:local", name, document.bytes)
  }

  private func chunk(
    _ rig: KeychainRig,
    _ name: String,
    _ bytes: [UInt8],
    calling digest: SyncDigest? = nil
  ) -> (service: String, account: String, data: [UInt8]) {
    let digest = digest ?? rig.engine.hash.digest(of: bytes)
    return ("chunk:local\0" + name, String(hexadecimal: digest.bytes), bytes)
  }

  private static let purposes: [RestorePurpose] = [
    .verify, .preview(.merge), .preview(.replace), .restore(.merge),
  ]

  @Test(arguments: purposes)
  func aBackupIsReadNoFurtherThanAUsersShareHolds(purpose: RestorePurpose) throws {
    let names = ["local", "more", "third"]
    let groups = AccessGroups(names)
    let kinds: [(KeychainRig) throws -> Void] = [
      { rig in for name in names { try rig.put(name, []) } },
      { rig in try rig.put("film", Self.long) },
      { rig in for name in names { try rig.set("a", "b", rig.request(name, groups: names)) } },
    ]
    for fill in kinds {
      let rig = try newRig()
      rig.groups = groups
      try fill(rig)
      let backup = try rig.backup()
      let few = try KeychainRig { $0.spooledItemsMax = 2 }
      few.groups = groups
      #expect(throws: EngineError.limitReached("A restore may bring 2 items; this has more.")) {
        _ = try few.bring(backup, for: purpose)
      }
      #expect(try few.itemCount == 0)
      let small = try KeychainRig { $0.spooledBytesMax = 1 }
      small.groups = groups
      #expect(throws: EngineError.self) { _ = try small.bring(backup, for: purpose) }
    }
  }

  @Test func whatSomebodyMadeUpIsNoDocument() throws {
    let rig = try newRig()
    let (short, long) = (Array("milk".utf8), DocumentTests.bytes(DocumentChunk.size + 1))
    let other = rig.engine.hash.digest(of: Array("other".utf8))
    let cases = try [
      // Not the bytes that its name says.
      [chunk(rig, "a", short, calling: other), document(rig, "a", size: 5, [Array("other".utf8)])],
      // Bytes of another size than the document's.
      [chunk(rig, "a", short), document(rig, "a", size: 5, [short])],
      [chunk(rig, "a", long), document(rig, "a", size: UInt64(DocumentChunk.size), [long])],
      // Chunks of another document, and none.
      [chunk(rig, "b", short), document(rig, "a", size: 4, [short])],
      [document(rig, "a", size: 4, [short])],
      // Another name than its place says.
      [chunk(rig, "a", short), ("document:local", "a", document(rig, "b", size: 4, [short]).data)],
      [("document:local", "a", [1, 2, 3])],
      [("key-value store", "local", [1, 2, 3])],
      // A value that is no property list.
      [("key-value store", "local", Self.store(["theme": [1, 2, 3]]))],
      [
        (
          "key-value store", "local",
          Self.store([String(repeating: "k", count: 65): KeyValueText.list("x")])
        )
      ],
    ]
    for (number, items) in cases.enumerated() {
      let before = try rig.rows()
      let report = try rig.merge(try rig.crafted(items))
      #expect(report.fates == [.damaged: 1], "case \(number): \(report)")
      #expect(try rig.rows() == before, "case \(number)")
    }
  }

  private static func store(_ values: [String: [UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = [StoredKeyValues.version, 0] + [UInt8](repeating: 0, count: 8 + 32)
    func add(_ count: Int) { bytes += (0..<4).reversed().map { UInt8(count >> ($0 * 8) & 255) } }
    add(values.count)
    for (key, value) in values {
      bytes += [UInt8(key.utf8.count)] + Array(key.utf8) + [1]
      add(value.count)
      bytes += value
    }
    return bytes
  }

  @Test(arguments: [(KeyValueLimits.keysMax * 5, 50), (3, KeyValueLimits.bytesMax)])
  func aStoreOverItsQuotaIsBackedUpAndRestoredWhole(_ count: Int, _ size: Int) throws {
    let list = size > 1 << 16 ? KeyValueText.data(size: size) : KeyValueText.list("1")
    let values = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", list) })
    let rig = try newRig()
    // Devices of a circle fill a store beyond its quota together.
    let store = ("key-value store", "local", Self.store(values))
    #expect(try rig.merge(try rig.crafted([store])).fates == [.restored: 1])
    #expect(try rig.values() == values)
    let new = try newRig()
    #expect(try new.merge(try rig.backup()).fates == [.restored: 1])
    #expect(try new.values() == values)
  }

  @Test func whatIsOfAnotherGroupOrClassOrNothingKnownIsSkipped() throws {
    let rig = try newRig()
    let bytes = Array("milk".utf8)
    let before = try rig.rows()
    for items in [
      [("document:com.example.other", "a", bytes)],
      [("key-value store", "com.example.other", bytes)],
      [("document:", "a", bytes)], [("key", "a", bytes)], [("document:local", "../a", bytes)],
    ] {
      #expect(try rig.merge(try rig.crafted(items)).fates == [.skipped: 1], "\(items)")
    }
    let whole = try [chunk(rig, "a", bytes), document(rig, "a", size: 4, [bytes])]
    #expect(try rig.merge(try rig.crafted(whole, under: .always)).fates == [.skipped: 2])
    #expect(try rig.rows() == before)
    #expect(
      try rig.merge(try rig.crafted(whole)).fates == [.restored: 1],
      "an honest one is worth something"
    )
    #expect(try rig.text("a") == "milk")
  }
}
