import LocalAuthCore

/// What became of a record between two places of a chain.
public struct ManifestChange: Hashable, Sendable {
  /// The last change.
  public var change: ZoneChange
  /// Who made it.
  public var author: PeerIdentifier
  /// Whether an old tombstone was dropped before it, so that the record began anew.
  public var isAfterPurge: Bool
}

/// A zone's chain as far as this device verified it.
///
/// It takes an answer of the hub's whole or not at all: ``admit(_:bodies:head:in:_:)`` verifies every entry
/// and every body before anything changes.
public struct ZoneChain: Hashable, Sendable {
  /// How many digests behind the head are remembered, to compare with what others say.
  public static let rememberedMax = 1024
  /// The numbers that an entry can have: a hub counts in 64 bits with a sign.
  static let numbers = 1...UInt64(Int64.max)

  /// The zone.
  public let zone: ZoneName
  /// How far it was verified.
  public private(set) var watermark: SyncWatermark
  /// The circle as the last entry knew it.
  public private(set) var circleNumber: UInt64 = 0
  /// Which bodies there are.
  public private(set) var manifest = ZoneManifest()
  /// The digests of the last entries, the newest last.
  private(set) var remembered: [SyncDigest] = []
  /// The last entry of each author.
  private(set) var lastNumbers: [PeerIdentifier: UInt64] = [:]
  /// What others say of places that this device has not reached.
  private(set) var claims = PlaceClaims()
  /// How far the chain was verified before it began anew; 0 once it is there again.
  private(set) var reached: UInt64 = 0
  /// The last places of a history that a person let go, of which others speak until they let it go too.
  private(set) var abandoned: [UInt64: SyncDigest] = [:]

  /// The chain of `zone` in `circle`, of which nothing was verified.
  public init(_ zone: ZoneName, circle: SyncDigest) {
    self.zone = zone
    watermark = SyncWatermark(.zone(zone, circle: circle))
  }

  /// The chain with these parts; nil if they do not fit together.
  init?(
    _ watermark: SyncWatermark,
    circleNumber: UInt64,
    _ manifest: ZoneManifest,
    remembered: [SyncDigest],
    lastNumbers: [PeerIdentifier: UInt64],
    claims: PlaceClaims,
    reached: UInt64 = 0,
    abandoned: [UInt64: SyncDigest] = [:]
  ) {
    let head = watermark.place
    guard case .zone(let zone, _) = watermark.subject,
      remembered.last ?? .none == head.digest, remembered.isEmpty == (head.number == 0),
      remembered.count <= min(UInt64(Self.rememberedMax), head.number),
      claims.places.keys.allSatisfy({ $0 > head.number }),
      lastNumbers.values.allSatisfy({ $0 <= head.number }),
      reached == 0 || reached > head.number, abandoned.count <= Self.rememberedMax
    else { return nil }
    self.zone = zone
    self.watermark = watermark
    self.circleNumber = circleNumber
    self.manifest = manifest
    self.remembered = remembered
    self.lastNumbers = lastNumbers
    self.claims = claims
    self.reached = reached
    self.abandoned = abandoned
  }

  /// The last place that was verified.
  public var head: ChainPlace { watermark.place }

  // MARK: Entries

  /// Verifies what the hub sent and moves to its end.
  ///
  /// - Parameters:
  ///   - entries: The entries behind ``head``, as far as the hub sent them.
  ///   - bodies: The digests of the bodies that came, by record.
  ///   - offered: The end of the hub's chain, as it says.
  ///   - mayLack: Whether a person accepted that bodies are lost.
  ///   - circle: The circle as this device knows it, which was asked for first.
  ///   - ports: Digests and signatures.
  /// - Returns: the last change of each record.
  /// - Throws: ``HubAlarm``; then nothing has changed.
  public mutating func admit(
    _ entries: [ZoneEntry],
    bodies: [RecordName: SyncDigest],
    head offered: ChainPlace,
    mayLack: Bool = false,
    in circle: CircleLog,
    _ ports: SyncPorts
  ) throws(HubAlarm) -> [RecordName: ManifestChange] {
    try checkEnd(offered)
    var next = self
    var changes: [RecordName: ManifestChange] = [:]
    for entry in entries {
      try next.follow(entry, in: circle, ports)
      for change in entry.changes {
        let last = changes[change.name]
        let wasPurged = last.map { $0.isAfterPurge || $0.change.body == nil } ?? false
        changes[change.name] = ManifestChange(
          change: change,
          author: entry.author,
          isAfterPurge: wasPurged
        )
      }
    }
    // What ends early is asked for again; what ends elsewhere never fits.
    guard next.head.number <= offered.number else { throw .hubTampered(.order) }
    if next.head.number == offered.number, next.head != offered {
      throw .hubForked(zone, at: offered.number)
    }
    if next.head == offered, !mayLack { try Self.compare(bodies, with: changes) }
    // What is further behind is compared with nothing any more.
    if let last = next.abandoned.keys.max(), next.head.number > last,
      next.head.number - last > UInt64(Self.rememberedMax)
    {
      next.abandoned = [:]
    }
    self = next
    return changes
  }

  /// Whether the bodies are those that were signed.
  ///
  /// One that a later page changes once more cannot come any more, so only the last page must have all.
  private static func compare(
    _ bodies: [RecordName: SyncDigest],
    with changes: [RecordName: ManifestChange]
  ) throws(HubAlarm) {
    for (name, change) in changes {
      guard let body = change.change.body else { continue }
      guard let came = bodies[name] else { throw .hubTampered(.missingBody) }
      guard came == body else { throw .hubTampered(.body) }
    }
  }

  /// Whether the hub's chain can lead through the place that was verified.
  private func checkEnd(_ offered: ChainPlace) throws(HubAlarm) {
    guard offered.number >= head.number else {
      throw .hubRolledBack(verified: head, offered: offered)
    }
    if offered.number == head.number, offered != head {
      throw .hubForked(zone, at: offered.number)
    }
  }

  private mutating func follow(
    _ entry: ZoneEntry,
    in circle: CircleLog,
    _ ports: SyncPorts
  ) throws(HubAlarm) {
    guard entry.circle == circle.circle, entry.zone == zone else {
      throw .hubTampered(.otherPlace)
    }
    guard entry.previous.number == head.number else { throw .hubTampered(.order) }
    guard entry.previous == head else { throw .hubForked(zone, at: head.number) }
    let keys = try author(of: entry, in: circle)
    guard ports.signatures.isSignature(entry.signature, of: entry.signed, by: keys.signing) else {
      throw .hubTampered(.author)
    }
    guard
      entry.changes.isEmpty || entry.epoch == circle.epoch(of: zone, at: entry.circleHead.number)
    else { throw .hubTampered(.epoch) }
    let place = entry.place(ports.hash)
    guard claims.admits(place) else { throw .hubForked(zone, at: place.number) }
    claims.reach(place)
    guard watermark.advance(to: place) else { throw .hubTampered(.order) }
    if place.number >= reached { reached = 0 }
    circleNumber = entry.circleHead.number
    lastNumbers[entry.author] = entry.number
    manifest.apply(entry)
    remembered.append(place.digest)
    if remembered.count > Self.rememberedMax { remembered.removeFirst() }
  }

  /// The keys of an entry's author, who was a member where the entry says and had not been removed before.
  private func author(
    of entry: ZoneEntry,
    in circle: CircleLog
  ) throws(HubAlarm) -> PeerKeys {
    guard entry.circleHead.number >= circleNumber, circle.contains(entry.circleHead) else {
      throw .hubTampered(.circle)
    }
    guard let keys = circle.member(entry.author, at: entry.circleHead.number),
      keys.kind == .device
    else { throw .hubTampered(.author) }
    if let member = circle.peers[entry.author], member.until != nil,
      entry.number > member.cuts[zone]?.number ?? 0
    {
      throw .hubTampered(.removedAuthor)
    }
    return keys
  }

  // MARK: What others say

  /// Compares what another device signed about this zone with what was verified here.
  ///
  /// A place that this device has not reached is remembered and compared when it does. So a hub that shows two
  /// histories is found at the first thing that crosses from one to the other.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - author: Who signed it.
  /// - Throws: `HubAlarm.hubForked`.
  public mutating func hear(
    _ place: ChainPlace,
    from author: PeerIdentifier
  ) throws(HubAlarm) {
    guard place.number > 0, abandoned[place.number] != place.digest else { return }
    if place.number > head.number {
      guard claims.hear(place, from: author) else { throw .hubForked(zone, at: place.number) }
      return
    }
    let age = head.number - place.number
    guard age < remembered.count else { return }
    if remembered[remembered.count - 1 - Int(age)] != place.digest {
      throw .hubForked(zone, at: place.number)
    }
  }

  /// Whether a place is of a history that a person let go.
  public func hasLetGo(_ place: ChainPlace) -> Bool { abandoned[place.number] == place.digest }

  /// Forgets what a device said of places, because it says something newer.
  mutating func forgetWords(of author: PeerIdentifier) { claims.forget([author]) }

  /// The highest place that another device said the zone has, and this one has not been shown.
  public var claimedNumber: UInt64 { claims.places.keys.max() ?? 0 }

  /// Who says that the zone has ``claimedNumber``; nobody if this device saw it itself.
  public var claimants: [PeerIdentifier] { claims.places[claimedNumber]?.authors.sorted() ?? [] }

  /// Looks at the cuts of a removal: what a removed device wrote behind them and was taken here never counted.
  ///
  /// - Throws: `HubAlarm.hubTampered`, if the hub showed such an entry before it showed the removal;
  ///   `hubForked`, if the remover saw another history.
  public mutating func heed(_ circle: CircleLog) throws(HubAlarm) {
    let removed = circle.peers.filter { $0.value.until != nil }
    claims.forget(Set(removed.keys))
    for (peer, member) in removed {
      if let cut = member.cuts[zone], let remover = member.remover,
        removed[remover] == nil || cut.number <= head.number
      {
        try hear(cut, from: remover)
      }
      if let last = lastNumbers[peer], last > member.cuts[zone]?.number ?? 0 {
        throw .hubTampered(.removedAuthor)
      }
    }
  }

  // MARK: Checkpoints and repair

  /// Whether nothing was verified yet, so that a member's word may stand for what is before it.
  ///
  /// A chain that begins anew has to lead through what was verified, and no word says that it does.
  public var mayBegin: Bool { head.number == 0 && reached == 0 }

  /// Whether what was verified before is verified once more.
  var isBeginningAnew: Bool { reached > 0 }

  /// Goes on from a checkpoint, for a device that has verified nothing yet.
  ///
  /// - Parameters:
  ///   - checkpoint: A member's word.
  ///   - manifest: What the hub says was there.
  ///   - circle: The circle.
  ///   - ports: Digests and signatures.
  /// - Throws: `HubAlarm`; then nothing has changed.
  public mutating func begin(
    at checkpoint: ZoneCheckpoint,
    _ manifest: [RecordName: ZoneManifest.Line],
    in circle: CircleLog,
    _ ports: SyncPorts
  ) throws(HubAlarm) {
    guard checkpoint.zone == zone else { throw .hubTampered(.otherPlace) }
    guard try checkpoint.isWordOfMember(in: circle, ports) else { throw .hubTampered(.author) }
    let place = checkpoint.place
    guard checkpoint.circleHead.number >= circleNumber else { throw .hubTampered(.circle) }
    guard claims.admits(place) else { throw .hubForked(zone, at: place.number) }
    guard Self.numbers.contains(place.number),
      let known = ZoneManifest(manifest, confirmedBy: checkpoint.manifest, ports.hash),
      manifest.values.allSatisfy({ $0.number <= place.number }), reached == 0,
      watermark.advance(to: place)
    else { throw .hubTampered(.checkpoint) }
    self.manifest = known
    circleNumber = checkpoint.circleHead.number
    remembered = [place.digest]
    claims.reach(place)
  }

  /// Compares a checkpoint with what was verified here.
  ///
  /// - Throws: `HubAlarm.hubTampered`, if a member signed another manifest for this place;
  ///   `hubForked`, if it signed another place.
  public mutating func heed(
    _ checkpoint: ZoneCheckpoint,
    _ ports: SyncPorts
  ) throws(HubAlarm) {
    try hear(checkpoint.place, from: checkpoint.author)
    try compare(checkpoint, ports)
  }

  /// Compares a checkpoint at the head with the manifest here.
  ///
  /// - Throws: `HubAlarm.hubTampered`, if a member signed another manifest for this place.
  public func compare(_ checkpoint: ZoneCheckpoint, _ ports: SyncPorts) throws(HubAlarm) {
    guard checkpoint.place == head else { return }
    guard manifest.digest(ports.hash) == checkpoint.manifest else {
      throw .hubTampered(.checkpoint)
    }
  }

  /// Verifies the chain from its beginning once more.
  ///
  /// It has to lead through the place that was reached, and is not whole before.
  mutating func beginAnew() {
    let old = head
    watermark = SyncWatermark(watermark.subject)
    forget()
    guard old.number > 0 else { return }
    claims.leave(old)
    reached = max(reached, old.number)
  }

  /// Forgets what was verified, because a person accepted that the hub begins elsewhere.
  ///
  /// - Returns: false for a decision that is not about exactly this.
  public mutating func accept(_ acceptance: SyncWatermark.Acceptance) -> Bool {
    var moved = watermark
    guard acceptance.to == .beginning, moved.accept(acceptance) else { return false }
    abandoned = places
    watermark = moved
    forget()
    claims = PlaceClaims()
    reached = 0
    return true
  }

  private mutating func forget() {
    circleNumber = 0
    manifest = ZoneManifest()
    remembered = []
    lastNumbers = [:]
  }
}
