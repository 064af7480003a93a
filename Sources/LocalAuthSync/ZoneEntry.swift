public import LocalAuthCore

/// One change of a zone's manifest.
public struct ZoneChange: Hashable, Sendable {
  /// The record.
  public let name: RecordName
  /// The digest of its sealed body; nil where an old tombstone is dropped.
  public let body: SyncDigest?
  /// Which key seals the body.
  public let keyClass: ZoneKeyClass

  /// The change of `name` to `body`.
  public init(_ name: RecordName, _ body: SyncDigest?, _ keyClass: ZoneKeyClass) {
    self.name = name
    self.body = body
    self.keyClass = keyClass
  }
}

/// Names a push: whoever sends it again gets the same answer.
public struct BatchIdentifier: Hashable, Sendable {
  /// The upper half.
  public let high: UInt64
  /// The lower half.
  public let low: UInt64

  /// The identifier with these halves, which are random.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// An entry of a zone's chain: one push.
public struct ZoneEntry: Hashable, Sendable {
  /// The most changes in one entry.
  public static let changesMax = 1000
  /// The longest encoding, in bytes.
  public static let bytesMax = 512 * 1024
  private static let purpose: StaticString = "LocalAuth sync zone entry 1"

  /// The circle.
  public let circle: SyncDigest
  /// The zone.
  public let zone: ZoneName
  /// The entry before.
  public let previous: ChainPlace
  /// Who signed it.
  public let author: PeerIdentifier
  /// The push.
  public let batch: BatchIdentifier
  /// The changes, in the order of their names, each name once.
  public let changes: [ZoneChange]
  /// The epoch that their bodies are sealed in.
  public let epoch: UInt32
  /// The circle as its author knew it.
  public let circleHead: ChainPlace
  /// The other zones as its author knew them.
  public let heads: [ZoneHead]
  /// The author's signature over ``signed``.
  public var signature: [UInt8]

  /// The entry with these parts; changes and heads are put into their order.
  public init(
    circle: SyncDigest,
    zone: ZoneName,
    previous: ChainPlace,
    author: PeerIdentifier,
    batch: BatchIdentifier,
    changes: [ZoneChange],
    epoch: UInt32,
    circleHead: ChainPlace,
    heads: [ZoneHead],
    signature: [UInt8] = []
  ) {
    self.circle = circle
    self.zone = zone
    self.previous = previous
    self.author = author
    self.batch = batch
    self.changes = changes.sorted { $0.name < $1.name }
    self.epoch = epoch
    self.circleHead = circleHead
    self.heads = heads.sorted { $0.zone < $1.zone }
    self.signature = signature
  }

  /// Its number.
  public var number: UInt64 { previous.number &+ 1 }

  /// What is signed.
  public var signed: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(circle)
    framed.add(zone)
    framed.add(previous)
    framed.add(author)
    framed.add(batch.high)
    framed.add(batch.low)
    framed.add(epoch)
    framed.add(circleHead)
    framed.add(heads)
    framed.add(UInt32(truncatingIfNeeded: changes.count))
    for change in changes {
      framed.add(change.name.digest)
      // A purge is told apart by its first byte, so no digest can stand for it.
      framed.add(change.body == nil ? UInt8(0) : 1 + change.keyClass.rawValue)
      framed.add(change.body ?? .none)
    }
    return framed.bytes
  }

  /// The entry as it is sent and kept.
  public var bytes: [UInt8] { signed + signature }

  /// The place behind it.
  public func place(_ hash: any MessageHashing) -> ChainPlace {
    ChainPlace(number: number, digest: hash.digest(of: bytes))
  }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.bytesMax, bytes.count > ChainPlace.signatureSize,
      var reader = FramedReader(
        Array(bytes.dropLast(ChainPlace.signatureSize)),
        for: Self.purpose
      ),
      let circle = reader.digest(), let zone = reader.zone(), let previous = reader.place(),
      let author = reader.peer(), let high: UInt64 = reader.number(),
      let low: UInt64 = reader.number(), let epoch: UInt32 = reader.number(),
      let circleHead = reader.place(), let heads = reader.heads(),
      let changes = reader.changes(), reader.isAtEnd
    else { return nil }
    self.init(
      circle: circle,
      zone: zone,
      previous: previous,
      author: author,
      batch: BatchIdentifier(high: high, low: low),
      changes: changes,
      epoch: epoch,
      circleHead: circleHead,
      heads: heads,
      signature: Array(bytes.suffix(ChainPlace.signatureSize))
    )
  }
}

extension FramedReader {
  /// Changes in the order of their names, each name once.
  fileprivate mutating func changes() -> [ZoneChange]? {
    guard let count: UInt32 = number(), count <= ZoneEntry.changesMax else { return nil }
    var changes: [ZoneChange] = []
    for _ in 0..<count {
      guard let name = digest().map({ RecordName($0) }), let mark: UInt8 = number(),
        let body = digest()
      else { return nil }
      if let last = changes.last, last.name >= name { return nil }
      guard mark > 0 else {
        guard body == .none else { return nil }
        changes.append(ZoneChange(name, nil, .afterFirstUnlock))
        continue
      }
      guard let keyClass = ZoneKeyClass(rawValue: mark - 1) else { return nil }
      changes.append(ZoneChange(name, body, keyClass))
    }
    return changes
  }
}
