import LocalAuthCore
public import LocalAuthKeychain

/// A document as a device keeps it: what its devices agreed on, what was written here since, and where the bytes are.
///
/// | what is there          | what programs see                                            |
/// |------------------------|--------------------------------------------------------------|
/// | a draft with a content | the draft                                                    |
/// | a draft without        | no document: it was removed here                             |
/// | a manifest alone       | its current version                                          |
/// | neither                | no document; chunks of it may be left over, or came before it |
///
/// Without a circle every document is a draft. A draft becomes a version of the manifest once the hub has all of its chunks.
public struct StoredDocument: Hashable, Sendable {
  private static let purpose: StaticString = "LocalAuth document 1"
  /// The most chunks of all that it holds: those of the manifest, of a draft, and left-over ones.
  private static let chunksMax = 1 << 20

  /// The most versions that a draft replaces: of each that was written over it a hundred in conflict.
  fileprivate static let replacedMax = 1 << 16

  /// What was written here and is no version yet.
  public struct Draft: Hashable, Sendable {
    /// The content; nil for a removal.
    public let content: DocumentContent?
    /// The versions that it replaces, or that were removed: those that a person saw.
    public let replaced: Set<VersionVector.Dot>

    init(_ content: DocumentContent?, instead replaced: Set<VersionVector.Dot>) {
      self.content = content
      self.replaced = replaced
    }
  }

  /// Where a chunk is.
  public struct Chunk: Hashable, Sendable {
    /// The item that has its bytes.
    public let item: ItemIdentifier
    /// Whether it is a record of the zone, which is kept until that goes.
    public internal(set) var isShared: Bool

    init(_ item: ItemIdentifier, isShared: Bool = false) {
      self.item = item
      self.isShared = isShared
    }
  }

  /// The document.
  public let name: DocumentName
  /// What the devices of a circle agreed on.
  public private(set) var manifest: DocumentManifest?
  /// What was written here since.
  public private(set) var draft: Draft?
  /// The chunks that are here.
  public private(set) var chunks: [SyncDigest: Chunk] = [:]

  /// The document `name`, of which there is nothing.
  public init(_ name: DocumentName) { self.name = name }

  /// What programs see; nil for no document.
  public var content: DocumentContent? { draft != nil ? draft?.content : manifest?.current.content }

  /// The versions in conflict.
  public var others: [DocumentVersion] {
    draft?.content == nil && draft != nil ? [] : manifest?.others ?? []
  }

  /// Whether programs see the same of both.
  public func looksLike(_ other: Self) -> Bool {
    content == other.content && others == other.others
      && content.map { isComplete($0) } == other.content.map { other.isComplete($0) }
  }

  /// Whether nothing of it has to be kept.
  public var isEmpty: Bool { manifest == nil && draft == nil && chunks.isEmpty }

  /// Whether all bytes of a content are here.
  public func isComplete(_ content: DocumentContent) -> Bool {
    content.chunks.allSatisfy { chunks[$0] != nil }
  }

  // MARK: Programs

  /// Takes a new content, whose chunks are here or in `added`.
  ///
  /// - Returns: the items of chunks that nothing needs any more.
  public mutating func write(
    _ content: DocumentContent,
    adding added: [SyncDigest: ItemIdentifier]
  ) -> [ItemIdentifier] {
    for (chunk, item) in added {
      chunks[chunk] = Chunk(item, isShared: chunks[chunk]?.isShared ?? false)
    }
    draft = Draft(content, instead: replaced)
    return prune()
  }

  /// Removes it.
  ///
  /// - Returns: the items of chunks that nothing needs any more.
  public mutating func remove() -> [ItemIdentifier] {
    let seen = replaced.union(others.map(\.made))
    draft = manifest == nil ? nil : Draft(nil, instead: seen)
    return prune()
  }

  /// What a write replaces: the current version, or what the draft did that it replaces itself.
  private var replaced: Set<VersionVector.Dot> {
    if let draft { return draft.replaced }
    return manifest.map { [$0.current.made] } ?? []
  }

  // MARK: Devices

  /// Has what devices agreed on; nil for a document that was removed.
  ///
  /// - Parameters:
  ///   - manifest: What they agreed on.
  ///   - isSent: Whether the draft is part of it.
  /// - Returns: the items of chunks that nothing needs any more.
  public mutating func agree(
    on manifest: DocumentManifest?,
    sending isSent: Bool = false
  ) -> [ItemIdentifier] {
    self.manifest = manifest
    if isSent { draft = nil }
    return prune()
  }

  /// Makes a draft of what programs see, because there is no circle whose devices agreed on it.
  ///
  /// - Parameter isShared: Which chunks are records of the zone all the same.
  /// - Returns: the items of chunks that nothing needs any more.
  public mutating func disagree(
    sharing isShared: (SyncDigest) -> Bool = { _ in false }
  ) -> [ItemIdentifier] {
    draft = content.map { Draft($0, instead: []) }
    manifest = nil
    for chunk in chunks.keys { chunks[chunk]?.isShared = isShared(chunk) }
    return prune()
  }

  /// A chunk became a record of the zone, or came as one.
  public mutating func share(_ chunk: SyncDigest, _ item: ItemIdentifier) {
    chunks[chunk] = Chunk(chunks[chunk]?.item ?? item, isShared: true)
  }

  /// The record of a chunk is gone.
  ///
  /// - Returns: the items of chunks that nothing needs any more.
  public mutating func unshare(_ chunk: SyncDigest) -> [ItemIdentifier] {
    chunks[chunk]?.isShared = false
    return prune()
  }

  /// The chunks that it needs, whether they are here or not.
  public var needed: Set<SyncDigest> {
    (manifest?.chunks ?? []).union(draft?.content?.chunks ?? [])
  }

  /// Whether a chunk of what devices agreed on is no record of the zone any more, and the bytes are here.
  public var hasUnsharedChunks: Bool {
    manifest?.chunks.contains { chunks[$0]?.isShared == false } ?? false
  }

  private mutating func prune() -> [ItemIdentifier] {
    let needed = needed
    let gone = chunks.filter { !$0.value.isShared && !needed.contains($0.key) }
    for chunk in gone.keys { chunks[chunk] = nil }
    return gone.values.map(\.item)
  }

  // MARK: Bytes

  /// The document in bytes.
  public var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(name.text)
    framed.add(manifest) { $0.add(counted: DocumentRecord.bytes($1)) }
    framed.add(draft) { framed, draft in
      framed.add(draft.content) { $0.add($1) }
      framed.add(UInt32(truncatingIfNeeded: draft.replaced.count))
      for dot in draft.replaced.sorted() { framed.add(dot) }
    }
    framed.add(UInt32(truncatingIfNeeded: chunks.count))
    for (chunk, place) in chunks.sorted(by: { $0.key < $1.key }) {
      framed.add(chunk)
      framed.add(place.item.high)
      framed.add(place.item.low)
      framed.add(place.isShared)
    }
    return framed.bytes
  }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard var reader = FramedReader(bytes, for: Self.purpose),
      let text = reader.counted(most: DocumentName.bytesMax)
        .flatMap({ String(validating: $0, as: UTF8.self) }),
      let name = DocumentName(text),
      let manifest = reader.optional({ reader in
        reader.counted(most: RecordFormat.bodyMax).flatMap { DocumentRecord.manifest(name, $0) }
      }),
      let draft = reader.optional({ $0.draft() }),
      let chunks = reader.pairs(most: Self.chunksMax, { $0.digest() }, { $0.chunk() }),
      reader.isAtEnd
    else { return nil }
    self.init(name)
    self.manifest = manifest
    self.draft = draft
    self.chunks = chunks
  }
}

extension FramedReader {
  fileprivate mutating func draft() -> StoredDocument.Draft? {
    guard let content = optional({ $0.documentContent() }), let count: UInt32 = number(),
      count <= StoredDocument.replacedMax
    else { return nil }
    var replaced: [VersionVector.Dot] = []
    for _ in 0..<count {
      guard let dot = dot(), replaced.last.map({ $0 < dot }) ?? true else { return nil }
      replaced.append(dot)
    }
    return StoredDocument.Draft(content, instead: Set(replaced))
  }

  fileprivate mutating func chunk() -> StoredDocument.Chunk? {
    guard let high: UInt64 = number(), let low: UInt64 = number(), let isShared = flag() else {
      return nil
    }
    return StoredDocument.Chunk(ItemIdentifier(high: high, low: low), isShared: isShared)
  }
}
