/// Puts a replica together from its rows.
private struct ZoneRowsReader {
  private var zone: ZoneName?
  private var state: ZoneStateRow?
  private var chain: ChainRow?
  private var outbox: OutboxRow?
  private var records: [RecordName: ReplicaRecord] = [:]
  private var lines: [RecordName: ZoneManifest.Line] = [:]
  private var reasons: [RecordName: Inbox.Reason] = [:]
  private var authors: [RecordName: PeerIdentifier] = [:]
  private var waiting: Set<RecordName> = []
  private var places: [UInt64: SyncDigest] = [:]
  private var claims: [UInt64: PlaceClaims.Claim] = [:]
  private var lost: [UInt64: ConflictShelf.Entry] = [:]
  private var abandoned: [UInt64: SyncDigest] = [:]

  init() {}

  /// Takes a row; false if it is malformed, of another zone, or there was one with its key.
  mutating func take(_ row: SyncRow) -> Bool {
    guard zone == nil || zone == row.key.zone else { return false }
    zone = row.key.zone
    switch (row.key.kind, row.key.place) {
    case (.zone, .one): return Self.put(ZoneStateRow(row.value), into: &state)
    case (.chain, .one): return Self.put(ChainRow(row.value), into: &chain)
    case (.outbox, .one): return Self.put(OutboxRow(row.value), into: &outbox)
    case (.record, .name(let name)): return take(name, RecordRow(row.value))
    case (.place, .number(let number)):
      return Self.put(PlaceRow(row.value)?.digest, into: &places[number])
    case (.claim, .number(let number)):
      return Self.put(ClaimRow(row.value)?.claim, into: &claims[number])
    case (.abandoned, .number(let number)):
      return Self.put(PlaceRow(row.value)?.digest, into: &abandoned[number])
    case (.lost, .number(let number)):
      return Self.put(ConflictShelf.Entry(row.value, number: number), into: &lost[number])
    default: return false
    }
  }

  private static func put<Value>(_ value: Value?, into place: inout Value?) -> Bool {
    guard let value, place == nil else { return false }
    place = value
    return true
  }

  private mutating func take(_ name: RecordName, _ row: RecordRow?) -> Bool {
    guard let row, records[name] == nil, lines[name] == nil else { return false }
    records[name] = row.record
    lines[name] = row.line
    reasons[name] = row.reason
    authors[name] = row.author
    if row.isWaiting { waiting.insert(name) }
    return true
  }

  /// The replica; nil if a row is missing, or two contradict each other.
  func replica() -> ZoneReplica? {
    guard let zone, let state, let outbox, let chain = restoredChain(zone, state),
      let shelf = ConflictShelf(lost.values.sorted { $0.number < $1.number }),
      outbox.batch.map({ fits($0, chain, state) }) ?? true
    else { return nil }
    var replica = ZoneReplica(zone, circle: state.circle, of: state.me, horizon: state.horizon)
    replica.chain = chain
    replica.records = BucketedTable(records)
    replica.outbox = Outbox(waiting, sending: outbox.batch, isBehind: outbox.isBehind)
    replica.inbox = Inbox(reasons, by: authors)
    replica.shelf = shelf
    replica.alarm = state.alarm
    replica.changesMade = state.changesMade
    replica.keysHeard = state.keysHeard
    replica.isRepairing = state.isRepairing
    return state.counts == ZoneStateRow.counts(replica) ? replica : nil
  }

  private func restoredChain(_ zone: ZoneName, _ state: ZoneStateRow) -> ZoneChain? {
    guard let chain, let claims = PlaceClaims(claims), lines.count <= ZoneManifest.recordsMax,
      UInt64(places.count) <= chain.place.number
    else { return nil }
    let first = chain.place.number - UInt64(places.count)
    // They are the last ones, without a gap.
    let remembered = (0..<UInt64(places.count)).compactMap { places[first + 1 + $0] }
    guard remembered.count == places.count else { return nil }
    return ZoneChain(
      SyncWatermark(.zone(zone, circle: state.circle), at: chain.place),
      circleNumber: chain.circleNumber,
      ZoneManifest(lines),
      remembered: remembered,
      lastNumbers: chain.lastNumbers,
      claims: claims,
      reached: chain.reached,
      abandoned: abandoned
    )
  }

  /// Whether a batch is this device's and goes on where the chain ends.
  private func fits(_ batch: Outbox.Batch, _ chain: ZoneChain, _ state: ZoneStateRow) -> Bool {
    batch.entry.zone == chain.zone && batch.entry.circle == state.circle
      && batch.entry.author == state.me && batch.entry.previous == chain.head
  }
}

extension ZoneReplica {
  /// Reads the rows of one zone, in any order.
  ///
  /// Nil if one is malformed, missing, there twice or of another zone, or if they contradict each other. Whoever keeps
  /// them seals each with its key, so a row of another key or of somebody else does not get here.
  public init?(rows: some Sequence<SyncRow>) {
    var reader = ZoneRowsReader()
    for row in rows { guard reader.take(row) else { return nil } }
    guard let replica = reader.replica() else { return nil }
    self = replica
  }
}
