public import LocalAuthCore

/// Which chunks of a zone nothing needs any more, and since when.
///
/// A sweep marks what the documents need; a chunk that was left over in each sweep for seven days is free, by the time
/// that two vouch for. So whoever writes a document of chunks that are there already has that long to send it, and after
/// that sends the chunks again.
public struct ChunkSweep: Hashable, Sendable {
  /// How long a chunk is left over before it is free: seven days.
  public static let keptFor: Int64 = 7 * 24 * 3_600_000
  private static let purpose: StaticString = "LocalAuth sync row sweep 1"

  /// The chunks that were left over, with the time of the first sweep that said so.
  public private(set) var since: [RecordName: WallInstant] = [:]

  /// Nothing was swept yet.
  public init() {}

  /// Sweeps once, such as behind each checkpoint.
  ///
  /// - Parameters:
  ///   - chunks: The records of the zone that are chunks and live.
  ///   - needed: The chunks of all documents here, also of versions on the shelf and of documents that were not put into
  ///     the zone yet.
  ///   - replica: The zone. Nothing is swept while there is a record that was not opened, which could be a document, or
  ///     while the hub is not believed.
  /// - Returns: the free chunks in the order of their names, to be deleted like any record.
  public mutating func sweep(
    _ chunks: Set<RecordName>,
    needed: Set<RecordName>,
    in replica: ZoneReplica
  ) -> [RecordName] {
    guard replica.inbox.isEmpty, replica.alarm == nil else { return [] }
    let now = replica.horizon.latest
    var since: [RecordName: WallInstant] = [:]
    for chunk in chunks.subtracting(needed) { since[chunk] = self.since[chunk] ?? now }
    self.since = since
    return since.filter { now.isLater(than: $0.value, by: Self.keptFor) }.keys.sorted()
  }
}

// MARK: What is kept

extension ChunkSweep {
  /// The one row that is kept of it.
  public func row(in zone: ZoneName) -> SyncRow {
    var framed = FramedBytes(Self.purpose)
    framed.add(UInt32(truncatingIfNeeded: since.count))
    for (chunk, time) in since.sorted(by: { $0.key < $1.key }) {
      framed.add(chunk.digest)
      framed.add(time)
    }
    return SyncRow(SyncRow.Key(.sweep, zone), framed.bytes)
  }

  /// Reads what ``row(in:)`` wrote; nil for anything else.
  public init?(_ row: SyncRow) {
    guard row.key.kind == .sweep, var reader = FramedReader(row.value, for: Self.purpose),
      let since = reader.pairs(
        most: ZoneManifest.recordsMax,
        { $0.digest().map { RecordName($0) } },
        { $0.time() }
      ),
      reader.isAtEnd
    else { return nil }
    self.since = since
  }
}
