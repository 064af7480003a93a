public import LocalAuthCore

/// What a record's body says, once its keys were tried.
public enum OpenedRecord: Hashable, Sendable {
  /// It is this version.
  case version(RecordVersion)
  /// The device is locked.
  case locked
  /// The epoch's keys have not come.
  case noKeys
  /// A newer version of LocalAuth wrote it.
  case newerFormat
  /// Its author signed what nobody can read, or what no honest device says.
  case unreadable
  /// It is not here, or is not the one that was signed.
  case missing
}

/// The port to the keys of a zone.
public protocol RecordOpening {
  /// Opens the body that `line` names.
  func open(_ name: RecordName, _ line: ZoneManifest.Line) -> OpenedRecord
}

/// What the hub answers to a pull.
public struct ZoneAnswer: Hashable, Sendable {
  /// The entries behind the device's head.
  public var entries: [ZoneEntry]
  /// The digests of the bodies that came with them, computed by this device.
  public var bodies: [RecordName: SyncDigest]
  /// The end of the chain, as the hub says.
  public var head: ChainPlace
  /// Whether what follows the entries is no entry.
  public var isCutShort: Bool

  /// The answer with these parts.
  public init(
    entries: [ZoneEntry],
    bodies: [RecordName: SyncDigest],
    head: ChainPlace,
    isCutShort: Bool = false
  ) {
    self.entries = entries
    self.bodies = bodies
    self.head = head
    self.isCutShort = isCutShort
  }
}

/// One record on this device.
public struct ReplicaRecord: Hashable, Sendable {
  /// What the device shows, or a tombstone.
  public internal(set) var current: RecordVersion
  /// What the hub has, as far as it was opened; nil for a record that the hub was never told of.
  public internal(set) var mirrored: RecordVersion?
  /// When the tombstone was mirrored, by the horizon; nil for one that lives.
  public internal(set) var buried: WallInstant?
}

/// A zone on one device: what it shows, what it knows of the hub, and what is on its way.
///
/// Everything in it is durable: an event and what it changes in the keychain are one commit. It holds no content
/// and no key; versions stand for contents, and digests for sealed bodies.
public struct ZoneReplica: Hashable, Sendable {
  /// The device.
  public let me: PeerIdentifier
  /// The chain, as far as it was verified.
  public internal(set) var chain: ZoneChain
  /// The records.
  public internal(set) var records: BucketedTable<RecordName, ReplicaRecord> = [:]
  /// What is on its way to the hub.
  public internal(set) var outbox = Outbox()
  /// What came and is not opened.
  public internal(set) var inbox = Inbox()
  /// What merges overruled.
  public var shelf = ConflictShelf()
  /// The time that others vouch for.
  public var horizon: TimeHorizon
  /// What the hub did, which stays until it is repaired; nil if nothing.
  public internal(set) var alarm: HubAlarm?
  /// How many changes this device made in the zone, ever.
  public internal(set) var changesMade: UInt64 = 0
  /// When this device heard of the newest keys, by the horizon.
  var keysHeard: WallInstant
  /// Whether a person accepted what the hub lost, and not all that it has was fetched since.
  public internal(set) var isRepairing = false

  /// The empty replica of a device.
  public init(
    _ zone: ZoneName,
    circle: SyncDigest,
    of me: PeerIdentifier,
    horizon: TimeHorizon
  ) {
    self.me = me
    self.horizon = horizon
    keysHeard = horizon.latest
    chain = ZoneChain(zone, circle: circle)
  }

  /// Forgets what the hub has, because all of it is fetched once more; changes go on being counted where they were.
  ///
  /// Only for a zone whose contents are merged anew when all of it was fetched.
  ///
  /// - Parameter isUnsentKept: Whether what waits to be sent stays; otherwise it is forgotten too.
  public mutating func beginAnew(keepingUnsent isUnsentKept: Bool = false) {
    let unsent = isUnsentKept ? outbox.waiting.sorted() : []
    let before = records
    chain.beginAnew()
    records = [:]
    outbox = Outbox()
    inbox = Inbox()
    for name in unsent {
      records[name] = before[name].map { ReplicaRecord(current: $0.current) }
      outbox.add(name)
    }
  }

  // MARK: What it says

  /// The version of a record that lives; nil for a tombstone, and for none.
  public func shown(_ name: RecordName) -> RecordVersion? {
    guard let current = records[name]?.current, !current.isTombstone else { return nil }
    return current
  }

  /// The entry up to which everything was opened and merged that this device can ever open.
  ///
  /// What the hub lost and this device sends anew is yet to be merged.
  public var acknowledged: UInt64 {
    let due = inbox.waiting.filter { name, reason in
      !reason.isSettled || reason == .lost && records[name] != nil
    }
    let first = due.keys.compactMap { chain.manifest.lines[$0]?.number }.min()
    return first.map { $0 - 1 } ?? chain.head.number
  }

  /// Whether nothing may be written: the hub lied, or a newer version of a member's wrote here.
  public func isReadOnly(in circle: CircleLog) -> Bool {
    alarm != nil
      || inbox.waiting.contains { name, reason in
        reason.isNewer && inbox.authors[name].flatMap { circle.peers[$0]?.until } == nil
      }
  }

  // MARK: What the hub has

  /// Takes an answer of the hub's: all of it, or nothing and an alarm.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - circle: The circle, which was asked for first.
  ///   - keys: What opens bodies.
  ///   - now: This device's clock.
  ///   - ports: Digests and signatures.
  /// - Throws: ``HubAlarm``, which ``alarm`` keeps.
  public mutating func pull(
    _ answer: ZoneAnswer,
    in circle: CircleLog,
    _ keys: any RecordOpening,
    at now: WallInstant,
    _ ports: SyncPorts
  ) throws(HubAlarm) {
    try takeWhole { (next) throws(HubAlarm) in
      try next.apply(answer, in: circle, keys, at: now, ports)
    }
  }

  /// Changes the replica by all of what the hub said, or by nothing and an alarm, which stays.
  mutating func takeWhole(
    _ change: (inout ZoneReplica) throws(HubAlarm) -> Void
  ) throws(HubAlarm) {
    if let alarm { throw alarm }
    do throws(HubAlarm) {
      var next = self
      try change(&next)
      self = next
    } catch {
      alarm = error
      throw error
    }
  }

  private mutating func apply(
    _ answer: ZoneAnswer,
    in circle: CircleLog,
    _ keys: any RecordOpening,
    at now: WallInstant,
    _ ports: SyncPorts
  ) throws(HubAlarm) {
    let before = chain.head
    let changes = try chain.admit(
      answer.entries,
      bodies: answer.bodies,
      head: answer.head,
      mayLack: isRepairing,
      in: circle,
      ports
    )
    // Nobody signed what is no entry. What comes before it counts, and was taken with the answer before.
    guard !answer.isCutShort || !answer.entries.isEmpty else { throw .hubTampered(.author) }
    try chain.heed(circle)
    let isComplete = chain.head == answer.head
    let own = settleBatch(answer.entries, hasMoved: chain.head != before, isComplete)
    for (name, change) in changes.sorted(by: { $0.key < $1.key }) {
      if change.isAfterPurge { purge(name, at: now) }
      guard let body = change.change.body else {
        purge(name, at: now)
        continue
      }
      // What this device sealed itself it need not open.
      if own.contains(change.change) { continue }
      // What a later page changes once more has no body here.
      guard answer.bodies[name] == body else {
        inbox.put(name, .body, by: change.author)
        continue
      }
      try open(name, by: change.author, keys, at: now)
    }
    // Bodies that a page left to a later one have come by the last.
    if isComplete {
      for (name, reason) in inbox.waiting where reason == .body {
        let (body, author) = (chain.manifest.lines[name]?.body, inbox.authors[name])
        guard body == nil || answer.bodies[name] == body else {
          guard isRepairing else { throw .hubTampered(.missingBody) }
          // What is here of it waits to be sent, as all does behind a repair.
          inbox.put(name, .lost, by: author)
          continue
        }
        try open(name, by: author, keys, at: now)
      }
      isRepairing = false
    }
  }

  /// Finds out what became of the batch that was sent; returns its changes if the hub took it.
  private mutating func settleBatch(
    _ entries: [ZoneEntry],
    hasMoved: Bool,
    _ isComplete: Bool
  ) -> Set<ZoneChange> {
    if let batch = outbox.batch {
      if entries.contains(batch.entry) {
        accept(batch)
        return Set(batch.entry.changes)
      }
      if hasMoved { outbox.pulled() }
    } else if outbox.isBehind, isComplete {
      outbox.pulled()
    }
    return []
  }

  /// Tries again what could not be opened: after an unlock, and when the keys of an epoch came.
  ///
  /// - Throws: ``HubAlarm``, which ``alarm`` keeps.
  public mutating func openInbox(
    _ keys: any RecordOpening,
    at now: WallInstant
  ) throws(HubAlarm) {
    let inbox = inbox
    try takeWhole { (next) throws(HubAlarm) in
      for (name, reason) in inbox.waiting.sorted(by: { $0.key < $1.key }) where reason.hasBody {
        try next.open(name, by: inbox.authors[name], keys, at: now)
      }
    }
  }

  /// Opens a body; `author` wrote the entry that it came with, nil if only its manifest was seen.
  mutating func open(
    _ name: RecordName,
    by author: PeerIdentifier?,
    _ keys: any RecordOpening,
    at now: WallInstant
  ) throws(HubAlarm) {
    guard let line = chain.manifest.lines[name] else { return inbox.take(name) }
    switch keys.open(name, line) {
    case .version(let version):
      guard version.keyClass == line.keyClass, recall(version.vector[me]) else {
        return inbox.put(name, .unreadable, by: author)
      }
      inbox.take(name)
      mirror(name, version, at: now)
    case .locked: inbox.put(name, .locked, by: author)
    case .noKeys: inbox.put(name, .epoch(line.epoch), by: author)
    case .newerFormat: inbox.put(name, .newerFormat, by: author)
    case .unreadable: inbox.put(name, .unreadable, by: author)
    case .missing: throw .hubTampered(.missingBody)
    }
  }

  /// Merges what the hub has with what is here.
  mutating func mirror(_ name: RecordName, _ version: RecordVersion, at now: WallInstant) {
    let buried = version.isTombstone ? horizon.latest : nil
    guard let local = records[name]?.current else {
      records[name] = ReplicaRecord(current: version, mirrored: version, buried: buried)
      return outbox.drop(name)
    }
    let dot = VersionVector.Dot(me, changesMade + 1)
    let merged = ZoneMerge.merge(local, with: version, horizon, resolving: dot)
    if merged.winner.vector[me] == dot.count { changesMade = dot.count }
    records[name] = ReplicaRecord(current: merged.winner, mirrored: version, buried: buried)
    if let loser = merged.loser { shelve(loser, of: name, at: now) }
    merged.mustPush ? outbox.add(name) : outbox.drop(name)
  }

  /// The hub dropped an old tombstone.
  ///
  /// Whoever saw the tombstone loses nothing. For whoever was away too long the hub wins, as when it synchronizes
  /// anew: what the mirror knew is deleted, and what it never knew stays and is sent. A record that nobody could read
  /// was no tombstone: what is here of it is sent again.
  mutating func purge(_ name: RecordName, at now: WallInstant) {
    let reason = inbox.waiting[name]
    let wasOpened = reason == nil
    inbox.take(name)
    guard let record = records[name] else { return }
    if reason == .unreadable, !record.current.isTombstone {
      records[name] = ReplicaRecord(current: record.current)
      return outbox.add(name)
    }
    guard let mirrored = record.mirrored else { return }
    let hasSeenTombstone = wasOpened && mirrored.isTombstone
    if hasSeenTombstone, !record.current.isTombstone {
      records[name]?.mirrored = nil
      records[name]?.buried = nil
      return
    }
    if !record.current.isTombstone, outbox.waiting.contains(name) {
      shelve(record.current, of: name, at: now)
    }
    records[name] = nil
    outbox.drop(name)
  }
}
