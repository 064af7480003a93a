import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import Testing

@testable import LocalAuthService
@testable import LocalAuthSync

/// What a member signed is judged as a whole before anything of it is merged.
@Suite struct BodyOpenerTests {
  private let hash = PlainHash()

  private func item(account: String = "anna") -> Item {
    var item = Item(
      identifier: ItemIdentifier(high: 1, low: 2),
      itemClass: .genericPassword,
      group: "local",
      accessControl: AccessControl(.whenUnlocked),
      isSynchronizable: true,
      created: WallInstant(milliseconds: 1),
      modified: WallInstant(milliseconds: 2),
      hasData: true
    )
    item.attributes[.account] = .text(account)
    return item
  }

  private func name(of record: ItemRecord) -> RecordName {
    RecordName(hash.digest(of: RecordName.message(kind: record.kind, key: record.key)))
  }

  /// What the body of a record with these fields opens to, which a member sealed and signed.
  private func opened(
    _ name: RecordName,
    _ fields: [UInt32: [UInt8]],
    isTombstone: Bool = false,
    in zone: ZoneName = .items,
    secret: [UInt8] = [],
    members: [PeerIdentifier] = [PeerIdentifier(high: 1, low: 1)]
  ) -> (answer: OpenedRecord, version: RecordVersion, content: BodyOpener.Content?) {
    let keys = PlainZoneKeys(
      fields,
      isTombstone: isTombstone,
      zone == .items ? .whenUnlocked : .afterFirstUnlock,
      secret
    )
    var ring = ZoneKeyring()
    ring.put(keys, SealedZoneKeys(locked: [], whole: nil), of: zone)
    let body: [UInt8] = [1, 2, 3]
    let opener = BodyOpener(zone, of: hash.digest(of: []), Set(members), ring, hash) { _ in body }
    let line = ZoneManifest.Line(
      body: hash.digest(of: body),
      keyClass: keys.version.keyClass,
      epoch: keys.epoch,
      number: 1
    )
    return (opener.open(name, line), keys.version, opener.contents[name])
  }

  @Test func anItemUnderItsNameIsTaken() throws {
    let record = try ItemRecord(item())
    let opened = opened(name(of: record), record.fields)
    #expect(opened.answer == .version(opened.version))
    guard case .item(let taken)? = opened.content?.meaning else {
      Issue.record("no item was kept")
      return
    }
    #expect(taken.item.attributes[.account] == .text("anna"))
  }

  @Test func anItemUnderTheNameOfAnotherIsUnreadable() throws {
    let other = name(of: try ItemRecord(item(account: "berta")))
    let opened = opened(other, try ItemRecord(item()).fields)
    #expect(opened.answer == .unreadable)
    #expect(opened.content == nil)
  }

  @Test(arguments: [ItemRecord.Own.itemClass, ItemRecord.Own.hasData])
  func fieldsThatAreNoItemAreUnreadable(without number: UInt32) throws {
    let record = try ItemRecord(item())
    var fields = record.fields
    fields[number] = nil
    let opened = opened(name(of: record), fields)
    #expect(opened.answer == .unreadable)
    #expect(opened.content == nil)
  }

  @Test func aVersionThatNamesWhoWasNeverAMemberIsUnreadable() throws {
    let record = try ItemRecord(item())
    let strangers = [[], [PeerIdentifier(high: 1, low: 2)]]
    for members in strangers {
      #expect(opened(name(of: record), record.fields, members: members).answer == .unreadable)
    }
  }

  // MARK: Documents

  private func document(_ name: String) throws -> DocumentRecord {
    let content = try #require(
      DocumentContent(date: WallInstant(milliseconds: 1), size: 0, chunks: [])
    )
    let dot = VersionVector.Dot(PeerIdentifier(high: 1, low: 1), 1)
    let version = try #require(DocumentVersion(made: dot, content))
    let manifest = DocumentManifest(try #require(DocumentName(name)), version)
    return try #require(DocumentRecord(manifest, in: "notes"))
  }

  private func name(_ kind: [UInt8], _ key: [UInt8]) -> RecordName {
    RecordName(hash.digest(of: RecordName.message(kind: kind, key: key)))
  }

  @Test func aDocumentUnderTheNameOfAnotherIsUnreadable() throws {
    let record = try document("a")
    for (named, isTaken) in [("a", true), ("b", false)] {
      let key = DocumentRecord.key(try document(named).name, in: "notes")
      let name = name(DocumentRecord.documentKind, key)
      let opened = opened(name, record.fields, in: .documents)
      #expect((opened.content != nil) == isTaken, "\(named)")
      let inChunk = self.name(DocumentRecord.chunkKind, key)
      #expect(self.opened(inChunk, record.fields, in: .documents).answer == .unreadable)
    }
    let name = name(DocumentRecord.documentKind, DocumentRecord.key(record.name, in: "notes"))
    let secret = opened(name, record.fields, in: .documents, secret: [1])
    #expect(secret.answer == .unreadable, "a document has no bytes of its own")
  }

  @Test func aChunkHasTheBytesThatItsNameSays() throws {
    let record = try #require(DocumentRecord(chunkOf: try document("a").name, in: "notes"))
    let bytes: [UInt8] = [1, 2, 3]
    let key = DocumentRecord.key(hash.digest(of: bytes), of: record.name, in: "notes")
    let name = name(DocumentRecord.chunkKind, key)
    let whole = opened(name, record.fields, in: .documents, secret: bytes)
    guard case .document(_, let chunk)? = whole.content?.meaning else {
      Issue.record("no chunk was kept")
      return
    }
    #expect(chunk == hash.digest(of: bytes))
    let long = [UInt8](repeating: 1, count: DocumentChunk.size + 1)
    for other in [[1, 2, 4], [], long] {
      #expect(opened(name, record.fields, in: .documents, secret: other).answer == .unreadable)
    }
  }

  @Test func aTombstoneHasNoFields() throws {
    let record = try ItemRecord(item())
    let plain = opened(name(of: record), [:], isTombstone: true)
    #expect(plain.answer == .version(plain.version))
    #expect(opened(name(of: record), record.fields, isTombstone: true).answer == .unreadable)
  }

  @Test func aRecordOfAnotherZoneNeedNotBeAnItem() throws {
    let documents = try #require(ZoneName("kv.notes"))
    let opened = opened(RecordName(hash.digest(of: [7])), [9: [1]], in: documents)
    #expect(opened.answer == .version(opened.version))
  }
}

/// Keys that open every body to the same record.
private final class PlainZoneKeys: ZoneKeys {
  let epoch: UInt32 = 1
  private let fields: [UInt32: [UInt8]]
  private let isTombstone: Bool
  private let keyClass: ZoneKeyClass
  private let secret: [UInt8]
  private let hash = PlainHash()

  init(
    _ fields: [UInt32: [UInt8]],
    isTombstone: Bool,
    _ keyClass: ZoneKeyClass,
    _ secret: [UInt8]
  ) {
    self.fields = fields
    self.keyClass = keyClass
    self.secret = secret
    self.isTombstone = isTombstone
  }

  var version: RecordVersion {
    let made = VersionVector.Dot(PeerIdentifier(high: 1, low: 1), 1)
    var vector = VersionVector()
    vector.add(made)
    return RecordVersion(
      identifier: ItemIdentifier(high: 1, low: 2),
      isTombstone: isTombstone,
      modified: WallInstant(milliseconds: 2),
      keyClass: keyClass,
      content: content(RecordHead.content(of: fields), Secret(capacity: 0)),
      made: made,
      vector: vector
    )
  }

  func name(kind: [UInt8], key: [UInt8]) -> RecordName {
    RecordName(hash.digest(of: RecordName.message(kind: kind, key: key)))
  }

  func content(_ fields: [UInt8], _ secret: borrowing Secret) -> SyncDigest {
    hash.digest(of: fields)
  }

  func open(_ body: [UInt8], at place: RecordPlace) -> OpenedBody {
    .record(RecordHead(version, fields: fields), Secret(copying: secret))
  }

  func seal(_ head: RecordHead, _ secret: borrowing Secret, at place: RecordPlace) -> [UInt8]? {
    nil
  }

  func next(after epoch: UInt32) -> (any ZoneKeys)? { nil }

  func wrap(_ older: any ZoneKeys, circle: SyncDigest, _ zone: ZoneName) -> [UInt8]? { nil }

  func unwrap(
    _ wrapped: [UInt8],
    epoch: UInt32,
    circle: SyncDigest,
    _ zone: ZoneName
  ) -> (any ZoneKeys)? { nil }
}
