import LocalAuthCore

/// Why an entry of the circle's log does not count.
public enum CircleRefusal: Error, Hashable, Sendable {
  /// It founds a circle where there is one, or does something else where there is none.
  case misplaced
  /// It is of another circle.
  case otherCircle
  /// It does not name the last entry: somebody was faster, or the hub left one out.
  case notNext
  /// Its author was no member at that point, or may not do this.
  case notMember
  /// The signature is not the author's.
  case signature
  /// The device that joins did not consent.
  case consent
  /// The peer that joins is or was in the circle.
  case alreadyKnown
  /// There is no such peer to remove.
  case noSuchPeer
  /// Nobody would be left who could do anything.
  case lastMember
  /// The epoch is not the next one.
  case epoch
  /// There are as many peers, or zones, as a circle may have.
  case full
}

/// Who is in a circle, as a chain of signed entries says.
///
/// An entry counts if and only if a member at that point signed it and it names the entry before. So what a
/// removed peer signs is void, and of two members who remove each other the first in the chain wins. The log
/// never shrinks, and an entry that was refused leaves it as it was.
public struct CircleLog: Hashable, Sendable {
  /// The most peers that a circle ever has, also those that left.
  public static let peersMax = 256

  /// The most zones that a circle ever has: each device keeps something of each.
  public static let zonesMax = 64

  /// A peer, and when it belonged to the circle.
  public struct Member: Hashable, Sendable {
    /// Its keys.
    public let keys: PeerKeys
    /// The entry that added it.
    public let since: UInt64
    /// The entry that removed it.
    public fileprivate(set) var until: UInt64?
    /// Who removed it.
    public fileprivate(set) var remover: PeerIdentifier?
    /// How far its own entries count in each zone, once it was removed.
    public fileprivate(set) var cuts: [ZoneName: ChainPlace] = [:]
  }

  /// An epoch of a zone's keys.
  public struct Epoch: Hashable, Sendable {
    /// Its number, from 1.
    public let number: UInt32
    /// The entry that began it.
    public let since: UInt64
    /// The digest over its shares.
    public let shares: SyncDigest
    /// Who began it.
    public let author: PeerIdentifier
  }

  /// The circle's identifier: the digest of its first entry.
  public private(set) var circle = SyncDigest.none
  /// The last entry.
  public private(set) var head = ChainPlace.beginning
  /// Everyone who is or was in the circle.
  public private(set) var peers: [PeerIdentifier: Member] = [:]
  /// The epochs of each zone, in their order.
  public private(set) var epochs: [ZoneName: [Epoch]] = [:]
  private var digests: [SyncDigest] = []

  /// A log without entries.
  public init() {}

  // MARK: What it says

  /// The members now, without the recovery key.
  public var devices: [PeerIdentifier] {
    peers.filter { $0.value.until == nil && $0.value.keys.kind == .device }.keys.sorted()
  }

  /// The recovery key in force.
  public var recovery: PeerIdentifier? {
    peers.first { $0.value.until == nil && $0.value.keys.kind == .recovery }?.key
  }

  /// Whether nobody can come any more: peers that left count, because what they wrote is still theirs.
  public var isFull: Bool { peers.count >= Self.peersMax }

  /// Whether `place` is in this log; false for one that it has not reached.
  public func contains(_ place: ChainPlace) -> Bool {
    if place.number == 0 { return place == .beginning }
    guard place.number <= head.number else { return false }
    return digests[Int(place.number) - 1] == place.digest
  }

  /// The place of this number; nil for one that the log has not reached.
  public func place(at number: UInt64) -> ChainPlace? {
    if number == 0 { return .beginning }
    guard number <= head.number else { return nil }
    return ChainPlace(number: number, digest: digests[Int(number) - 1])
  }

  /// The keys of a peer that was a member behind the entry `number`; nil for anybody else.
  public func member(_ peer: PeerIdentifier, at number: UInt64) -> PeerKeys? {
    guard let member = peers[peer], member.since <= number,
      member.until.map({ number < $0 }) ?? true
    else { return nil }
    return member.keys
  }

  /// The epoch of `zone` behind the entry `number`; 0 before the first.
  public func epoch(of zone: ZoneName, at number: UInt64) -> UInt32 {
    epochs[zone]?.last { $0.since <= number }?.number ?? 0
  }

  // MARK: How it grows

  /// Adds an entry that was verified.
  ///
  /// - Throws: ``CircleRefusal``; then nothing has changed.
  public mutating func append(_ entry: CircleEntry, _ ports: SyncPorts) throws(CircleRefusal) {
    guard entry.previous == head else { throw .notNext }
    let keys = try author(of: entry, ports)
    guard ports.signatures.isSignature(entry.signature, of: entry.signed, by: keys.signing) else {
      throw .signature
    }
    let place = entry.place(ports.hash)
    switch entry.act {
    case .found(let keys, _):
      circle = place.digest
      peers[entry.author] = Member(keys: keys, since: place.number)
    case .add(let joiner, let voucher):
      try add(joiner, voucher, by: keys, at: place, ports)
    case .remove(let peer, let cuts): try remove(peer, cuts, by: entry.author, at: place)
    case .recovery(let keys): try replaceRecovery(keys, at: place, ports)
    case .roll(let zone, let epoch, let shares):
      // The paper has no mirror of a zone, so it cannot know that nothing is missing.
      guard keys.kind == .device else { throw .notMember }
      try roll(zone, epoch, shares, by: entry.author, at: place)
    }
    digests.append(place.digest)
    head = place
  }

  /// The keys of an author who may sign here.
  private func author(
    of entry: CircleEntry,
    _ ports: SyncPorts
  ) throws(CircleRefusal) -> PeerKeys {
    if case .found(let keys, _) = entry.act {
      guard head.number == 0, entry.circle == .none, keys.kind == .device else { throw .misplaced }
      guard keys.identifier(ports.hash) == entry.author else { throw .notMember }
      return keys
    }
    guard head.number > 0 else { throw .misplaced }
    guard entry.circle == circle else { throw .otherCircle }
    guard let keys = member(entry.author, at: head.number) else { throw .notMember }
    return keys
  }

  private mutating func add(
    _ joiner: PeerKeys,
    _ voucher: Voucher,
    by sponsor: PeerKeys,
    at place: ChainPlace,
    _ ports: SyncPorts
  ) throws(CircleRefusal) {
    let peer = joiner.identifier(ports.hash)
    guard joiner.kind == .device, peers[peer] == nil else { throw .alreadyKnown }
    guard !isFull else { throw .full }
    let consent = Voucher.consent(
      to: circle,
      invitation: voucher.invitation,
      joiner: joiner,
      sponsor: sponsor
    )
    guard ports.signatures.isSignature(voucher.consent, of: consent, by: joiner.signing) else {
      throw .consent
    }
    peers[peer] = Member(keys: joiner, since: place.number)
  }

  private mutating func remove(
    _ peer: PeerIdentifier,
    _ cuts: [ZoneHead],
    by author: PeerIdentifier,
    at place: ChainPlace
  ) throws(CircleRefusal) {
    guard let member = peers[peer], member.until == nil else { throw .noSuchPeer }
    guard member.keys.kind == .recovery || devices.count > 1 || recovery != nil else {
      throw .lastMember
    }
    peers[peer]?.until = place.number
    peers[peer]?.remover = author
    peers[peer]?.cuts = Dictionary(uniqueKeysWithValues: cuts.map { ($0.zone, $0.place) })
  }

  private mutating func replaceRecovery(
    _ keys: PeerKeys,
    at place: ChainPlace,
    _ ports: SyncPorts
  ) throws(CircleRefusal) {
    let peer = keys.identifier(ports.hash)
    guard keys.kind == .recovery, peers[peer] == nil else { throw .alreadyKnown }
    guard !isFull else { throw .full }
    if let old = recovery { peers[old]?.until = place.number }
    peers[peer] = Member(keys: keys, since: place.number)
  }

  private mutating func roll(
    _ zone: ZoneName,
    _ epoch: UInt32,
    _ shares: SyncDigest,
    by author: PeerIdentifier,
    at place: ChainPlace
  ) throws(CircleRefusal) {
    let current = self.epoch(of: zone, at: head.number)
    guard current < .max, epoch == current + 1 else { throw .epoch }
    guard epochs[zone] != nil || epochs.count < Self.zonesMax else { throw .full }
    epochs[zone, default: []].append(
      Epoch(number: epoch, since: place.number, shares: shares, author: author)
    )
  }
}
