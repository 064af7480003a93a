/// The circle's log as rows: its entries as they were signed, and how far it goes.
extension CircleLog {
  private static let purpose: StaticString = "LocalAuth sync row circle 1"

  /// What is written when the log grew by these entries, which are its last ones.
  public func changes(appended entries: [CircleEntry]) -> [SyncRow.Change] {
    guard !entries.isEmpty else { return [] }
    var framed = FramedBytes(Self.purpose)
    framed.add(head)
    let rows = entries.map { entry in
      SyncRow(SyncRow.Key(.circleEntry, nil, .number(entry.previous.number &+ 1)), entry.bytes)
    }
    return (rows + [SyncRow(SyncRow.Key(.circle), framed.bytes)]).map { .put($0) }
  }

  /// Reads the log, and verifies each entry as if it had just come.
  ///
  /// Nil if an entry is malformed, missing, there twice or does not count.
  ///
  /// - Parameters:
  ///   - rows: All rows of the circle's log, in any order.
  ///   - ports: Digests and signatures.
  public init?(rows: some Sequence<SyncRow>, _ ports: SyncPorts) {
    var entries: [UInt64: CircleEntry] = [:]
    var end: ChainPlace?
    for row in rows {
      switch (row.key.kind, row.key.place) {
      case (.circle, .one):
        guard end == nil, let place = Self.end(row.value) else { return nil }
        end = place
      case (.circleEntry, .number(let number)):
        guard entries[number] == nil, let entry = CircleEntry(row.value) else { return nil }
        entries[number] = entry
      default: return nil
      }
    }
    self.init()
    for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard number == head.number + 1 else { return nil }
      do throws(CircleRefusal) { try append(entry, ports) } catch { return nil }
    }
    guard end ?? .beginning == head else { return nil }
  }

  private static func end(_ value: [UInt8]) -> ChainPlace? {
    guard var reader = FramedReader(value, for: Self.purpose), let place = reader.place(),
      place.number > 0, reader.isAtEnd
    else { return nil }
    return place
  }
}

/// What was heard of each device, as rows.
extension HeartbeatBook {
  private static let purpose: StaticString = "LocalAuth sync row heartbeats 1"

  /// Everything that is kept of it, in the order of the keys.
  public var rows: [SyncRow] {
    [countRow] + last.sorted { $0.key < $1.key }.map { Self.row($0.key, $0.value) }
  }

  /// The rows that differ.
  public func changes(from old: HeartbeatBook) -> [SyncRow.Change] {
    let news = last.filter { old.last[$0.key] != $0.value }.sorted { $0.key < $1.key }
    let count = last.count == old.last.count ? [] : [countRow]
    return (count + news.map { Self.row($0.key, $0.value) }).map { .put($0) }
  }

  private var countRow: SyncRow {
    var framed = FramedBytes(Self.purpose)
    framed.add(UInt32(truncatingIfNeeded: last.count))
    return SyncRow(SyncRow.Key(.heartbeats), framed.bytes)
  }

  private static func row(_ peer: PeerIdentifier, _ heartbeat: Heartbeat) -> SyncRow {
    SyncRow(SyncRow.Key(.heartbeat, nil, .peer(peer)), heartbeat.bytes)
  }

  /// Reads the book, and verifies each signature; whoever left the circle since was heard all the same.
  ///
  /// Nil if a heartbeat is malformed, missing, there twice, or of nobody who ever was in the circle.
  ///
  /// - Parameters:
  ///   - rows: All rows of heartbeats, in any order.
  ///   - circle: The circle, which is read before.
  ///   - ports: Digests and signatures.
  public init?(rows: some Sequence<SyncRow>, in circle: CircleLog, _ ports: SyncPorts) {
    var last: [PeerIdentifier: Heartbeat] = [:]
    var count: UInt32?
    for row in rows {
      switch (row.key.kind, row.key.place) {
      case (.heartbeats, .one):
        guard count == nil, var reader = FramedReader(row.value, for: Self.purpose) else {
          return nil
        }
        count = reader.number()
        guard count != nil, reader.isAtEnd else { return nil }
      case (.heartbeat, .peer(let peer)):
        guard last[peer] == nil, let heartbeat = Heartbeat(row.value), heartbeat.author == peer,
          heartbeat.circle == circle.circle, let keys = circle.peers[peer]?.keys,
          ports.signatures.isSignature(heartbeat.signature, of: heartbeat.signed, by: keys.signing)
        else { return nil }
        last[peer] = heartbeat
      default: return nil
      }
    }
    guard Int(count ?? 0) == last.count else { return nil }
    self.init(last)
  }
}
