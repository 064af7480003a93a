/// Which document a record of the zone of documents is about, and which of its chunks.
public struct DocumentKey: Hashable, Sendable {
  private static let purpose: StaticString = "LocalAuth sync row document 1"

  /// The container.
  public let container: String
  /// The document.
  public let name: DocumentName
  /// The chunk; nil for the document itself.
  public let chunk: SyncDigest?
  /// Fields of its record that this version does not know.
  public let unknown: [UInt32: [UInt8]]

  /// The key of a document, or of one of its chunks.
  public init(
    _ container: String,
    _ name: DocumentName,
    chunk: SyncDigest? = nil,
    keeping unknown: [UInt32: [UInt8]] = [:]
  ) {
    self.container = container
    self.name = name
    self.chunk = chunk
    self.unknown = unknown
  }

  /// The document that it is about.
  public var document: DocumentKey { DocumentKey(container, name) }

  /// Compares bytes: two spellings of a container are two.
  public static func == (left: Self, right: Self) -> Bool {
    left.container.utf8.elementsEqual(right.container.utf8) && left.name == right.name
      && left.chunk == right.chunk && left.unknown == right.unknown
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    for byte in container.utf8 { hasher.combine(byte) }
    hasher.combine(name)
    hasher.combine(chunk)
  }

  // MARK: Rows

  /// What becomes of the row when a record is about this now; nil if it is none.
  public static func change(of record: RecordName, to key: Self?) -> SyncRow.Change {
    let place = SyncRow.Key(.document, .documents, .name(record))
    guard let key else { return .remove(place) }
    var framed = FramedBytes(purpose)
    framed.add(key.container)
    framed.add(key.name.text)
    framed.add(key.chunk) { $0.add($1) }
    framed.add(key.unknown)
    return .put(SyncRow(place, framed.bytes))
  }

  /// Reads a row; nil for anything that ``change(of:to:)`` does not write.
  public static func read(_ row: SyncRow) -> (record: RecordName, key: Self)? {
    guard row.key.kind == .document, row.key.zone == .documents,
      case .name(let record) = row.key.place,
      var reader = FramedReader(row.value, for: purpose),
      let container = reader.counted(most: DocumentRecord.containerBytesMax)
        .flatMap({ String(validating: $0, as: UTF8.self) }),
      let name = reader.counted(most: DocumentName.bytesMax)
        .flatMap({ String(validating: $0, as: UTF8.self) }).flatMap({ DocumentName($0) }),
      let chunk = reader.optional({ $0.digest() }), let unknown = reader.fields(), reader.isAtEnd
    else { return nil }
    return (record, Self(container, name, chunk: chunk, keeping: unknown))
  }
}
