public import LocalAuthCore

/// Which bodies a zone has, by the entries that were verified.
public struct ZoneManifest: Hashable, Sendable {
  /// The most records of a zone.
  public static let recordsMax = 1_000_000
  /// How many buckets the names are divided into.
  public static let buckets = 256

  /// What it says of a record.
  public struct Line: Hashable, Sendable {
    /// The digest of its sealed body.
    public let body: SyncDigest
    /// Which key seals it.
    public let keyClass: ZoneKeyClass
    /// The epoch that it is sealed in.
    public let epoch: UInt32
    /// The entry that put it there.
    public let number: UInt64
  }

  /// The records.
  public private(set) var lines: BucketedTable<RecordName, Line> = [:]
  /// How many records are sealed in each epoch.
  private var epochCounts: [UInt32: Int] = [:]

  /// A manifest without records.
  public init() {}

  /// The manifest of lines that were verified before.
  init(_ lines: [RecordName: Line]) {
    for (name, line) in lines { put(line, as: name) }
  }

  /// The least epoch that a record is sealed in; nil without records.
  public var oldestEpoch: UInt32? { epochCounts.keys.min() }

  /// The epochs that records are sealed in, those of the most records first.
  var epochs: [UInt32] {
    epochCounts.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map(\.key)
  }

  mutating func apply(_ entry: ZoneEntry) {
    for change in entry.changes {
      let line = change.body.map {
        Line(body: $0, keyClass: change.keyClass, epoch: entry.epoch, number: entry.number)
      }
      put(line, as: change.name)
    }
  }

  private mutating func put(_ line: Line?, as name: RecordName) {
    if let old = lines[name] {
      epochCounts[old.epoch, default: 0] -= 1
      if epochCounts[old.epoch] == 0 { epochCounts[old.epoch] = nil }
    }
    if let line { epochCounts[line.epoch, default: 0] += 1 }
    lines[name] = line
  }

  /// The digest over all buckets, each over its names and bodies in their order.
  public func digest(_ hash: any MessageHashing) -> SyncDigest { Self.digest(of: lines, hash) }

  static func digest(
    of lines: some Sequence<(key: RecordName, value: Line)>,
    _ hash: any MessageHashing
  ) -> SyncDigest {
    var filled = [[(key: RecordName, value: Line)]](repeating: [], count: Self.buckets)
    for line in lines { filled[line.key.digest.bucket].append(line) }
    let empty = bucketDigest([], hash)
    var all = FramedBytes("LocalAuth sync manifest 1")
    for lines in filled { all.add(lines.isEmpty ? empty : bucketDigest(lines, hash)) }
    return hash.digest(of: all.bytes)
  }

  private static func bucketDigest(
    _ lines: [(key: RecordName, value: Line)],
    _ hash: any MessageHashing
  ) -> SyncDigest {
    var bucket = FramedBytes("LocalAuth sync bucket 1")
    for (name, line) in lines.sorted(by: { $0.key < $1.key }) {
      bucket.add(name.digest)
      bucket.add(line.body)
      bucket.add(line.keyClass.rawValue)
      bucket.add(line.epoch)
      bucket.add(line.number)
    }
    return hash.digest(of: bucket.bytes)
  }

  /// The manifest of these lines, if it is the one that `digest` was made over; nil otherwise.
  public init?(
    _ lines: [RecordName: Line],
    confirmedBy digest: SyncDigest,
    _ hash: any MessageHashing
  ) {
    self.init(lines)
    // Entries are counted from 1, and what was opened is up to the one before.
    guard lines.count <= Self.recordsMax, lines.values.allSatisfy({ $0.number > 0 }),
      self.digest(hash) == digest
    else { return nil }
  }
}

/// A member's word on the manifest at a place of the chain, so that nobody needs all entries before it.
public struct ZoneCheckpoint: Hashable, Sendable {
  /// One is due so many entries behind the last one.
  public static let interval: UInt64 = 256

  /// The circle.
  public let circle: SyncDigest
  /// The zone.
  public let zone: ZoneName
  /// The place.
  public let place: ChainPlace
  /// The circle as the entry there knew it.
  public let circleHead: ChainPlace
  /// The digest of the manifest there.
  public let manifest: SyncDigest
  /// Who signed it.
  public let author: PeerIdentifier
  /// The author's signature over ``signed``.
  public var signature: [UInt8]

  /// The checkpoint with these parts.
  public init(
    circle: SyncDigest,
    zone: ZoneName,
    place: ChainPlace,
    circleHead: ChainPlace,
    manifest: SyncDigest,
    author: PeerIdentifier,
    signature: [UInt8] = []
  ) {
    self.circle = circle
    self.zone = zone
    self.place = place
    self.circleHead = circleHead
    self.manifest = manifest
    self.author = author
    self.signature = signature
  }

  /// Whether the head of a zone is far enough from the last checkpoint for another one; 0 for none.
  public static func isDue(
    at head: UInt64,
    behind last: UInt64,
    every interval: UInt64 = interval
  ) -> Bool { head > last && head - last >= interval }

  /// Whether a device that is a member now signed it; false for one that was removed since, or did not know of a removal.
  ///
  /// The hub shows honestly what a device left before it was removed. Nobody takes its word any more, and it is no lie.
  ///
  /// - Throws: `HubAlarm.hubTampered` for what no device of the circle signed.
  public func isWordOfMember(in circle: CircleLog, _ ports: SyncPorts) throws(HubAlarm) -> Bool {
    guard self.circle == circle.circle else { throw .hubTampered(.otherPlace) }
    guard circle.contains(circleHead) else { throw .hubTampered(.circle) }
    guard let member = circle.peers[author], member.keys.kind == .device,
      ports.signatures.isSignature(signature, of: signed, by: member.keys.signing)
    else { throw .hubTampered(.author) }
    // Who did not know of a removal may have taken what the removed device wrote behind it.
    let isDeceived = circle.peers.values.contains { peer in
      (peer.until ?? 0) > circleHead.number && (peer.cuts[zone]?.number ?? 0) < place.number
    }
    return member.until == nil && !isDeceived
  }

  /// What is signed.
  public var signed: [UInt8] {
    var framed = FramedBytes("LocalAuth sync checkpoint 1")
    framed.add(circle)
    framed.add(zone)
    framed.add(place)
    framed.add(circleHead)
    framed.add(manifest)
    framed.add(author)
    return framed.bytes
  }
}
