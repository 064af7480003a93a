import LocalAuthCore

/// What is kept of a zone as a whole.
///
/// It counts the other rows, so that one that is missing is noticed.
struct ZoneStateRow: Hashable {
  private static let purpose: StaticString = "LocalAuth sync row zone 1"

  let circle: SyncDigest
  let me: PeerIdentifier
  let changesMade: UInt64
  let horizon: TimeHorizon
  let alarm: HubAlarm?
  let counts: [UInt32]
  let keysHeard: WallInstant
  let isRepairing: Bool
  private static let countsCount = 8

  init(_ replica: ZoneReplica) {
    circle = replica.chain.circle
    me = replica.me
    changesMade = replica.changesMade
    horizon = replica.horizon
    alarm = replica.alarm
    counts = Self.counts(replica)
    keysHeard = replica.keysHeard
    isRepairing = replica.isRepairing
  }

  /// How much there is of each kind of row, and in those of records.
  static func counts(_ replica: ZoneReplica) -> [UInt32] {
    [
      replica.records.count, replica.chain.manifest.lines.count, replica.inbox.waiting.count,
      replica.outbox.waiting.count, replica.chain.remembered.count,
      replica.chain.claims.places.count,
      replica.shelf.entries.count, replica.chain.abandoned.count,
    ].map { UInt32(truncatingIfNeeded: $0) }
  }

  var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(circle)
    framed.add(me)
    framed.add(changesMade)
    framed.add(horizon)
    framed.add(alarm) { $0.add($1) }
    for count in counts { framed.add(count) }
    framed.add(keysHeard)
    // Earlier versions knew no such state, which ends by itself.
    if isRepairing { framed.add(true) }
    return framed.bytes
  }

  init?(_ bytes: [UInt8]) {
    guard var reader = FramedReader(bytes, for: Self.purpose), let circle = reader.digest(),
      let me = reader.peer(), let changesMade: UInt64 = reader.number(), changesMade < .max,
      let horizon = reader.horizon(), let alarm = reader.optional({ $0.alarm() })
    else { return nil }
    var counts: [UInt32] = []
    for _ in 1...Self.countsCount {
      guard let count: UInt32 = reader.number() else { return nil }
      counts.append(count)
    }
    guard let keysHeard = reader.time() else { return nil }
    isRepairing = !reader.isAtEnd
    if isRepairing, reader.flag() != true { return nil }
    guard reader.isAtEnd else { return nil }
    self.keysHeard = keysHeard
    self.circle = circle
    self.me = me
    self.changesMade = changesMade
    self.horizon = horizon
    self.alarm = alarm
    self.counts = counts
  }
}

/// What is kept of how far a chain was verified, besides the digests.
struct ChainRow: Hashable {
  private static let purpose: StaticString = "LocalAuth sync row chain 1"

  let place: ChainPlace
  let circleNumber: UInt64
  let lastNumbers: [PeerIdentifier: UInt64]
  let reached: UInt64

  init(_ chain: ZoneChain) {
    place = chain.head
    circleNumber = chain.circleNumber
    lastNumbers = chain.lastNumbers
    reached = chain.reached
  }

  var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(place)
    framed.add(circleNumber)
    framed.add(UInt32(truncatingIfNeeded: lastNumbers.count))
    for (peer, number) in lastNumbers.sorted(by: { $0.key < $1.key }) {
      framed.add(peer)
      framed.add(number)
    }
    // Chains that did not begin anew have no such number.
    if reached > 0 { framed.add(reached) }
    return framed.bytes
  }

  init?(_ bytes: [UInt8]) {
    guard var reader = FramedReader(bytes, for: Self.purpose), let place = reader.place(),
      let circleNumber: UInt64 = reader.number(),
      let lastNumbers = reader.pairs(
        most: CircleLog.peersMax,
        { $0.peer() },
        { $0.number() as UInt64? }
      ),
      let reached = reader.isAtEnd ? 0 as UInt64 : reader.number(), reader.isAtEnd
    else { return nil }
    self.reached = reached
    self.place = place
    self.circleNumber = circleNumber
    self.lastNumbers = lastNumbers
  }
}

/// What is kept of the outbox, besides what waits in it.
struct OutboxRow: Hashable {
  private static let purpose: StaticString = "LocalAuth sync row outbox 1"

  let batch: Outbox.Batch?
  let isBehind: Bool

  init(_ outbox: Outbox) {
    batch = outbox.batch
    isBehind = outbox.isBehind
  }

  var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(isBehind)
    framed.add(batch) { framed, batch in
      framed.add(counted: batch.entry.bytes)
      // The entry says which records these are.
      for change in batch.entry.changes {
        if let version = batch.versions[change.name] { framed.add(version) }
      }
    }
    return framed.bytes
  }

  init?(_ bytes: [UInt8]) {
    guard var reader = FramedReader(bytes, for: Self.purpose), let isBehind = reader.flag(),
      let batch = reader.optional({ $0.batch() }), reader.isAtEnd,
      batch == nil || !isBehind
    else { return nil }
    self.batch = batch
    self.isBehind = isBehind
  }
}

extension ZoneChain {
  /// The circle.
  var circle: SyncDigest {
    switch watermark.subject {
    case .zone(_, let circle), .circle(let circle): circle
    }
  }
}

extension FramedBytes {
  fileprivate mutating func add(_ horizon: TimeHorizon) {
    add(horizon.latest)
    add(horizon.heard[.hub]) { $0.add($1) }
    let peers = horizon.heard.compactMap { source, time -> (PeerIdentifier, WallInstant)? in
      switch source {
      case .hub: nil
      case .peer(let peer): (peer, time)
      }
    }
    add(UInt32(truncatingIfNeeded: peers.count))
    for (peer, time) in peers.sorted(by: { $0.0 < $1.0 }) {
      add(peer)
      add(time)
    }
  }

  fileprivate mutating func add(_ alarm: HubAlarm) {
    switch alarm {
    case .hubTampered(let what):
      add(UInt8(1))
      add(what.rawValue)
    case .hubRolledBack(let verified, let offered):
      add(UInt8(2))
      add(verified)
      add(offered)
    case .hubForked(let zone, let number):
      add(UInt8(3))
      add(zone) { $0.add($1) }
      add(number)
    }
  }
}

extension FramedReader {
  fileprivate mutating func horizon() -> TimeHorizon? {
    guard let latest = time(), let hub = optional({ $0.time() }),
      let peers = pairs(most: CircleLog.peersMax, { $0.peer() }, { $0.time() })
    else { return nil }
    var heard: [TimeHorizon.Source: WallInstant] = [:]
    heard[.hub] = hub
    for (peer, time) in peers { heard[.peer(peer)] = time }
    return heard.isEmpty ? nil : TimeHorizon(latest: latest, heard: heard)
  }

  fileprivate mutating func alarm() -> HubAlarm? {
    guard let code: UInt8 = number() else { return nil }
    switch code {
    case 1:
      guard let what: UInt8 = number() else { return nil }
      return HubAlarm.Tampering(rawValue: what).map { .hubTampered($0) }
    case 2:
      guard let verified = place(), let offered = place() else { return nil }
      return .hubRolledBack(verified: verified, offered: offered)
    case 3:
      guard let zone = optional({ $0.zone() }), let number: UInt64 = number() else { return nil }
      return .hubForked(zone, at: number)
    default: return nil
    }
  }

  fileprivate mutating func batch() -> Outbox.Batch? {
    guard let bytes = counted(most: ZoneEntry.bytesMax), let entry = ZoneEntry(bytes) else {
      return nil
    }
    var versions: [RecordName: RecordVersion] = [:]
    for change in entry.changes where change.body != nil {
      guard let version = version(), version.keyClass == change.keyClass else { return nil }
      versions[change.name] = version
    }
    return Outbox.Batch(entry: entry, versions: versions)
  }
}
