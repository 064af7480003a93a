/// What a record of a zone of documents is.
public enum DocumentRecord: Hashable, Sendable {
  /// A document, with the fields that this version does not know.
  case document(DocumentManifest, unknown: [UInt32: [UInt8]])
  /// A chunk, whose bytes are the record's secret.
  case chunk

  /// Why a record is neither.
  public enum Refusal: Error, Hashable, Sendable {
    /// It was deleted: a tombstone has no fields.
    case tombstone
    /// The field with this number is malformed or missing.
    case field(UInt32)
    /// It has a version that its own vector does not know.
    case vector
  }

  /// The zone of a container; nil for an empty or too long name.
  public static func zone(_ container: String) -> ZoneName? {
    container.isEmpty ? nil : ZoneName("doc:" + container)
  }

  // MARK: Names

  /// The kind of a document's record, for ``RecordName/message(kind:key:)``; its key is the document's name.
  public static let documentKind = Array("document".utf8)
  /// The kind of a chunk's record; its key is the digest of its bytes.
  ///
  /// So a chunk that two documents have is one record, and whoever opens one sees whether it has the bytes that its
  /// name says. To the hub the name says nothing.
  public static let chunkKind = Array("chunk".utf8)

  // MARK: Fields

  enum Field {
    static let kind: UInt32 = 1
    static let name: UInt32 = 2
    static let versions: UInt32 = 3
    static let known: Set<UInt32> = [kind, name, versions]
  }

  private static let purpose: StaticString = "LocalAuth sync document 1"

  /// What is sealed of it, besides its version.
  public var fields: [UInt32: [UInt8]] {
    switch self {
    case .chunk: [Field.kind: [2]]
    case .document(let manifest, let unknown):
      RecordHead.fields(
        [
          Field.kind: [1], Field.name: Array(manifest.name.text.utf8),
          Field.versions: Self.bytes(manifest),
        ],
        known: Field.known,
        over: unknown
      )
    }
  }

  /// Reads a record.
  ///
  /// Whether it is the one that its name says, its kind and key tell.
  ///
  /// - Throws: ``Refusal``.
  public init(_ head: RecordHead) throws(Refusal) {
    if head.version.isTombstone {
      throw head.fields.keys.min().map { .field($0) } ?? .tombstone
    }
    switch head.fields[Field.kind] {
    case [1]: self = try Self.document(head)
    case [2]:
      // A chunk says nothing that could make two of one content.
      if let other = head.fields.keys.filter({ $0 != Field.kind }).min() { throw .field(other) }
      self = .chunk
    default: throw .field(Field.kind)
    }
  }

  private static func document(_ head: RecordHead) throws(Refusal) -> DocumentRecord {
    guard
      let name = head.fields[Field.name].flatMap({ String(validating: $0, as: UTF8.self) })
        .flatMap({ DocumentName($0) })
    else { throw .field(Field.name) }
    guard let bytes = head.fields[Field.versions], let manifest = manifest(name, bytes) else {
      throw .field(Field.versions)
    }
    guard manifest.versions.allSatisfy({ head.version.vector.knows($0.made) }) else {
      throw .vector
    }
    return .document(manifest, unknown: head.fields.filter { !Field.known.contains($0.key) })
  }

  private static func bytes(_ manifest: DocumentManifest) -> [UInt8] {
    var framed = FramedBytes(purpose)
    framed.add(manifest.current)
    framed.add(UInt32(truncatingIfNeeded: manifest.others.count))
    for other in manifest.others { framed.add(other) }
    return framed.bytes
  }

  private static func manifest(_ name: DocumentName, _ bytes: [UInt8]) -> DocumentManifest? {
    guard var reader = FramedReader(bytes, for: purpose), let current = reader.documentVersion(),
      let count: UInt32 = reader.number(), count <= DocumentManifest.othersMax
    else { return nil }
    var others: [DocumentVersion] = []
    for _ in 0..<count {
      guard let other = reader.documentVersion() else { return nil }
      if let last = others.last, last.made >= other.made { return nil }
      others.append(other)
    }
    return reader.isAtEnd ? DocumentManifest(name, current, others: others) : nil
  }
}

extension FramedBytes {
  fileprivate mutating func add(_ version: DocumentVersion) {
    add(version.made)
    add(version.date)
    add(version.isResolved)
    add(version.size)
    for chunk in version.chunks { add(chunk.digest) }
  }
}

extension FramedReader {
  fileprivate mutating func documentVersion() -> DocumentVersion? {
    guard let made = dot(), let date = time(), let isResolved = flag(),
      let size: UInt64 = number()
    else { return nil }
    let count = DocumentChunk.count(of: size)
    guard count <= UInt64(DocumentChunk.countMax) else { return nil }
    var chunks: [RecordName] = []
    for _ in 0..<count {
      guard let chunk = digest() else { return nil }
      chunks.append(RecordName(chunk))
    }
    return DocumentVersion(
      made: made,
      date: date,
      size: size,
      chunks: chunks,
      isResolved: isResolved
    )
  }
}
