import LocalAuthCore
import LocalAuthSecret
import LocalAuthSync

/// Opens the bodies of a zone's records while a change is made, and keeps what it opened until that is done.
///
/// A body that is not the one that was signed opens nothing, wherever it came from.
final class BodyOpener: RecordOpening {
  /// What a body said.
  struct Content {
    /// What it is about.
    enum Meaning {
      case item(ItemRecord)
      case value(ValueRecord)
      /// A document, or a chunk of one with its digest.
      case document(DocumentRecord, chunk: SyncDigest?)
      case row(TableRecord, TableRow)
      /// The record was deleted.
      case deleted
      /// A record of a zone without items.
      case other
    }

    let version: RecordVersion
    let meaning: Meaning
    let secret: SecretBox
  }

  private(set) var contents: [RecordName: Content] = [:]
  private let zone: ZoneName
  private let circle: SyncDigest
  private let members: Set<PeerIdentifier>
  private let keys: ZoneKeyring
  private let hash: any MessageHashing
  private let body: (RecordName) -> [UInt8]?

  /// Opens bodies of `zone` of `circle` that `body` finds; only who is or was a member has made changes.
  init(
    _ zone: ZoneName,
    of circle: SyncDigest,
    _ members: Set<PeerIdentifier>,
    _ keys: ZoneKeyring,
    _ hash: any MessageHashing,
    _ body: @escaping (RecordName) -> [UInt8]?
  ) {
    self.zone = zone
    self.circle = circle
    self.members = members
    self.keys = keys
    self.hash = hash
    self.body = body
  }

  func open(_ name: RecordName, _ line: ZoneManifest.Line) -> OpenedRecord {
    guard let bytes = body(name), hash.digest(of: bytes) == line.body else { return .missing }
    guard let keys = keys[zone, line.epoch] else { return .noKeys }
    let place = RecordPlace(
      circle: circle,
      zone: zone,
      name: name,
      epoch: line.epoch,
      keyClass: line.keyClass
    )
    switch keys.open(bytes, at: place) {
    case .locked: return .locked
    case .newer: return .newerFormat
    case .damaged: return .unreadable
    case .record(let head, let secret):
      // The digest stands for the content in every comparison, so it must be that of this content.
      guard keys.content(RecordHead.content(of: head.fields), secret) == head.version.content else {
        return .unreadable
      }
      // Vectors only grow, and have room for as many peers as a circle may ever have.
      guard head.version.vector.dots.allSatisfy({ members.contains($0.peer) }) else {
        return .unreadable
      }
      guard let meaning = meaning(of: head, secret, named: name, keys) else { return .unreadable }
      contents[name] = Content(
        version: head.version,
        meaning: meaning,
        secret: SecretBox(secret)
      )
      return .version(head.version)
    }
  }

  /// What a body says; nil for what no honest member signs: no item or value, or one with another name.
  private func meaning(
    of head: RecordHead,
    _ secret: borrowing Secret,
    named name: RecordName,
    _ keys: any ZoneKeys
  ) -> Content.Meaning? {
    if head.version.isTombstone { return head.fields.isEmpty ? .deleted : nil }
    switch zone {
    case .items:
      guard let record = try? ItemRecord(head),
        keys.name(kind: record.kind, key: record.key) == name
      else { return nil }
      return .item(record)
    case .keyValues:
      guard let record = ValueRecord(head), StoredKeyValues.isValue(secret),
        keys.name(kind: ValueRecord.kind, key: record.nameKey) == name
      else { return nil }
      return .value(record)
    case .documents: return document(of: head, secret, named: name, keys)
    case .tables:
      guard let record = TableRecord(head), let row = TableRow(StoredKeyValues.bytes(of: secret)),
        row.isMade(by: head.version.vector),
        keys.name(kind: TableRecord.kind, key: record.nameKey) == name
      else { return nil }
      return .row(record, row)
    default: return .other
    }
  }

  private func document(
    of head: RecordHead,
    _ secret: borrowing Secret,
    named name: RecordName,
    _ keys: any ZoneKeys
  ) -> Content.Meaning? {
    guard head.version.keyClass == .afterFirstUnlock, let record = try? DocumentRecord(head) else {
      return nil
    }
    guard record.subject == .chunk else {
      let key = DocumentRecord.key(record.name, in: record.container)
      guard secret.count == 0, keys.name(kind: DocumentRecord.documentKind, key: key) == name else {
        return nil
      }
      return .document(record, chunk: nil)
    }
    guard (1...DocumentChunk.size).contains(secret.count) else { return nil }
    let chunk = hash.digest(of: StoredKeyValues.bytes(of: secret))
    let key = DocumentRecord.key(chunk, of: record.name, in: record.container)
    guard keys.name(kind: DocumentRecord.chunkKind, key: key) == name else { return nil }
    return .document(record, chunk: chunk)
  }
}
