/// What of a document's version is still to be sent, by what its zone says at the moment.
///
/// It is made anew whenever it is needed, so a kill costs the batch that was under way. The document's own record is
/// put when all chunks are on the hub: so nobody sees a document whose chunks are not there.
public struct DocumentUpload: Hashable, Sendable {
  /// Chunks to put into the zone, in the order of the document, each once.
  public let missing: [RecordName]
  /// Chunks that were put there and the hub does not have yet.
  public let waiting: [RecordName]
  /// How many different chunks there are.
  public let count: Int

  /// Whether the hub has all of them.
  public var isComplete: Bool { missing.isEmpty && waiting.isEmpty }

  /// What `replica` says of the chunks of `version`.
  ///
  /// A chunk that was deleted meanwhile, because nothing seemed to need it, is missing, and is put there again.
  public init(_ version: DocumentVersion, in replica: ZoneReplica) {
    var (missing, waiting): ([RecordName], [RecordName]) = ([], [])
    let chunks = version.distinctChunks
    for chunk in chunks {
      switch replica.state(of: chunk) {
      case .onHub: continue
      case .underWay, .unopened: waiting.append(chunk)
      case .absent: missing.append(chunk)
      }
    }
    self.missing = missing
    self.waiting = waiting
    count = chunks.count
  }

  /// What is put next, so that a push has no more than 8 MiB of chunks; empty while there is something under way.
  public var next: [RecordName] {
    waiting.isEmpty ? Array(missing.prefix(DocumentChunk.perPush)) : []
  }
}

/// What of a document's version is still to be fetched.
public struct DocumentDownload: Hashable, Sendable {
  /// Chunks that the hub has and this device has not, in the order of the document, each once.
  public let missing: [RecordName]
  /// Chunks that neither has: whoever wrote the version has to send them again.
  public let lost: [RecordName]
  /// How many different chunks there are.
  public let count: Int

  /// Whether this device can put the document together.
  public var isComplete: Bool { missing.isEmpty && lost.isEmpty }

  /// What `replica` says of the chunks of `version`, of which the device holds the bytes of `held`.
  public init(_ version: DocumentVersion, in replica: ZoneReplica, held: Set<RecordName>) {
    let chunks = version.distinctChunks
    let wanted = chunks.filter { !held.contains($0) }
    missing = wanted.filter { replica.state(of: $0).isOnHub }
    lost = wanted.filter { !replica.state(of: $0).isOnHub }
    count = chunks.count
  }
}

extension DocumentVersion {
  /// Its chunks in their order, each once.
  fileprivate var distinctChunks: [RecordName] {
    var seen: Set<RecordName> = []
    return chunks.filter { seen.insert($0).inserted }
  }
}

/// Where a chunk is, as far as a replica knows.
private enum ChunkState {
  case onHub
  /// It was put here, and the hub was not told.
  case underWay
  /// The hub has a record that was not opened here yet.
  case unopened
  case absent

  var isOnHub: Bool {
    switch self {
    case .onHub, .unopened: true
    case .underWay, .absent: false
    }
  }
}

extension ZoneReplica {
  fileprivate func state(of chunk: RecordName) -> ChunkState {
    if inbox.waiting[chunk] != nil { return .unopened }
    guard shown(chunk) != nil else { return .absent }
    return records[chunk]?.mirrored?.isTombstone == false ? .onHub : .underWay
  }
}
