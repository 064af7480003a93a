/// What a record of the zone of documents is, and of which document.
///
/// | field | what                                            |
/// |-------|-------------------------------------------------|
/// | 1     | 1 for a document, 2 for a chunk                 |
/// | 2     | its name                                        |
/// | 3     | of a document: its versions                     |
/// | 4     | its container, which is named as an access group |
///
/// The bytes of a chunk are its record's secret. All containers are one zone: their names are those of access groups, and
/// a zone's name is no secret to the hub.
public struct DocumentRecord: Hashable, Sendable {
  /// The longest name of a container that leaves its device, in bytes.
  public static let containerBytesMax = 1024
  private static let purpose: StaticString = "LocalAuth sync document 1"

  /// What it is.
  public enum Subject: Hashable, Sendable {
    /// The document itself.
    case document(DocumentManifest)
    /// One of its chunks.
    case chunk
  }

  /// Why a record is neither.
  public enum Refusal: Error, Hashable, Sendable {
    /// It was deleted: a tombstone has no fields.
    case tombstone
    /// The field with this number is malformed or missing.
    case field(UInt32)
    /// It has a version that its own vector does not know.
    case vector
  }

  private enum Own {
    static let kind: UInt32 = 1
    static let name: UInt32 = 2
    static let versions: UInt32 = 3
    static let container: UInt32 = 4
    static let known: Set<UInt32> = [kind, name, versions, container]
  }

  /// The container.
  public let container: String
  /// The document.
  public let name: DocumentName
  /// What it is of the document.
  public let subject: Subject
  /// Fields of a document that this version does not know, which are sent again; a chunk has none, so that there are
  /// no two of one content.
  public let unknown: [UInt32: [UInt8]]

  /// The record of a document; nil for what stays on its device, because its container is empty or too long.
  public init?(
    _ manifest: DocumentManifest,
    in container: String,
    keeping unknown: [UInt32: [UInt8]] = [:]
  ) {
    guard Self.isContainer(container) else { return nil }
    self.container = container
    name = manifest.name
    subject = .document(manifest)
    self.unknown = unknown.filter { !Own.known.contains($0.key) }
  }

  /// The record of a chunk of a document; nil as for the document.
  public init?(chunkOf name: DocumentName, in container: String) {
    guard Self.isContainer(container) else { return nil }
    self.container = container
    self.name = name
    subject = .chunk
    unknown = [:]
  }

  private static func isContainer(_ text: String) -> Bool {
    (1...containerBytesMax).contains(text.utf8.count) && text.utf8.first != 0
  }

  // MARK: Names

  /// The kind of a document's record, for ``RecordName/message(kind:key:)``.
  public static let documentKind = Array("document".utf8)
  /// The kind of a chunk's record.
  public static let chunkKind = Array("chunk".utf8)

  /// What distinguishes a document from others.
  public static func key(_ name: DocumentName, in container: String) -> [UInt8] {
    var framed = FramedBytes("LocalAuth sync document name 1")
    framed.add(container)
    framed.add(name.text)
    return framed.bytes
  }

  /// What distinguishes a chunk from others: its document and the SHA-256 of its bytes.
  ///
  /// So whoever opens one sees whether it has the bytes that its name says. To the hub the name says nothing.
  public static func key(
    _ chunk: SyncDigest,
    of name: DocumentName,
    in container: String
  ) -> [UInt8] {
    var framed = FramedBytes("LocalAuth sync chunk name 1")
    framed.add(container)
    framed.add(name.text)
    framed.add(chunk)
    return framed.bytes
  }

  // MARK: Fields

  /// What is sealed of it, besides its version.
  public var fields: [UInt32: [UInt8]] {
    var values: [UInt32: [UInt8]] = [
      Own.name: Array(name.text.utf8), Own.container: Array(container.utf8),
    ]
    switch subject {
    case .chunk: values[Own.kind] = [2]
    case .document(let manifest):
      values[Own.kind] = [1]
      values[Own.versions] = Self.bytes(manifest)
    }
    return RecordHead.fields(values, known: Own.known, over: unknown)
  }

  /// What stands for its content, beside a chunk's bytes.
  public var content: [UInt8] { RecordHead.content(of: fields) }

  /// Reads a record.
  ///
  /// Whether it is the one that its name says, its kind and key tell.
  ///
  /// - Throws: ``Refusal``.
  public init(_ head: RecordHead) throws(Refusal) {
    if head.version.isTombstone {
      throw head.fields.keys.min().map { .field($0) } ?? .tombstone
    }
    guard let container = Self.text(head.fields[Own.container]), Self.isContainer(container) else {
      throw .field(Own.container)
    }
    guard let name = Self.text(head.fields[Own.name]).flatMap({ DocumentName($0) }) else {
      throw .field(Own.name)
    }
    self.container = container
    self.name = name
    switch head.fields[Own.kind] {
    case [1]:
      let bytes = head.fields[Own.versions] ?? []
      guard let manifest = Self.manifest(name, bytes) else { throw .field(Own.versions) }
      guard manifest.versions.allSatisfy({ head.version.vector.knows($0.made) }) else {
        throw .vector
      }
      subject = .document(manifest)
      unknown = head.fields.filter { !Own.known.contains($0.key) }
    case [2]:
      let others = Set(head.fields.keys).subtracting([Own.kind, Own.name, Own.container])
      if let other = others.min() { throw .field(other) }
      subject = .chunk
      unknown = [:]
    default: throw .field(Own.kind)
    }
  }

  private static func text(_ bytes: [UInt8]?) -> String? {
    bytes.flatMap { String(validating: $0, as: UTF8.self) }
  }

  // MARK: Versions

  static func bytes(_ manifest: DocumentManifest) -> [UInt8] {
    var framed = FramedBytes(purpose)
    framed.add(manifest.current)
    framed.add(UInt32(truncatingIfNeeded: manifest.others.count))
    for other in manifest.others { framed.add(other) }
    return framed.bytes
  }

  static func manifest(_ name: DocumentName, _ bytes: [UInt8]) -> DocumentManifest? {
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
    add(version.isResolved)
    add(version.content)
  }
}

extension FramedReader {
  fileprivate mutating func documentVersion() -> DocumentVersion? {
    guard let made = dot(), let isResolved = flag(), let content = documentContent() else {
      return nil
    }
    return DocumentVersion(made: made, content, isResolved: isResolved)
  }
}
