/// What of a document's version is still to be sent, by what its zone says at the moment.
///
/// It is made anew whenever it is needed, so a kill costs the batch that was under way. The document's own record is
/// put when all chunks are on the hub: so nobody sees a document whose chunks are not there.
public struct DocumentUpload: Hashable, Sendable {
  /// Chunks to put into the zone, in the order of the document, each once.
  public let missing: [SyncDigest]
  /// Chunks that were put there and the hub does not have yet.
  public let waiting: [SyncDigest]
  /// How many different chunks there are.
  public let count: Int

  /// Whether the hub has all of them.
  public var isComplete: Bool { missing.isEmpty && waiting.isEmpty }

  /// What `replica` says of the chunks of `content`, whose records `name` finds.
  ///
  /// A chunk that was deleted meanwhile, because nothing seemed to need it, is missing, and is put there again.
  public init(
    _ content: DocumentContent,
    in replica: ZoneReplica,
    named name: (SyncDigest) -> RecordName
  ) {
    var (missing, waiting): ([SyncDigest], [SyncDigest]) = ([], [])
    var seen: Set<SyncDigest> = []
    for chunk in content.chunks where seen.insert(chunk).inserted {
      switch replica.state(of: name(chunk)) {
      case .onHub: continue
      case .underWay: waiting.append(chunk)
      case .absent: missing.append(chunk)
      }
    }
    self.missing = missing
    self.waiting = waiting
    count = seen.count
  }

  /// What is put next, so that a push has no more than 8 MiB of chunks; empty while there is something under way.
  public var next: [SyncDigest] {
    waiting.isEmpty ? Array(missing.prefix(DocumentChunk.perPush)) : []
  }
}

/// Where a chunk is, as far as a replica knows.
private enum ChunkState {
  case onHub
  /// It was put here and the hub was not told, or the hub has one that was not opened here yet.
  case underWay
  case absent
}

extension ZoneReplica {
  fileprivate func state(of chunk: RecordName) -> ChunkState {
    if let reason = inbox.waiting[chunk] { return reason.isWrittenOver ? .absent : .underWay }
    guard shown(chunk) != nil else { return .absent }
    return records[chunk]?.mirrored?.isTombstone == false ? .onHub : .underWay
  }
}
