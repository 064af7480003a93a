public import LocalAuthCore

/// What a device says of itself every quarter of an hour: when, and how far it has come.
public struct Heartbeat: Hashable, Sendable {
  /// How often a device says so.
  public static let interval: Int64 = 15 * 60_000
  /// How long a device may be silent before tombstones no longer wait for it.
  public static let silenceMax: Int64 = 90 * 24 * 3_600_000
  private static let purpose: StaticString = "LocalAuth sync heartbeat 1"

  /// The circle.
  public let circle: SyncDigest
  /// Who says so.
  public let author: PeerIdentifier
  /// When, by its clock.
  public let time: WallInstant
  /// The circle as it knows it.
  public let circleHead: ChainPlace
  /// All zones as it knows them.
  public let heads: [ZoneHead]
  /// Up to which entry it opened and merged each zone, in the order of ``heads``.
  public let acknowledged: [UInt64]
  /// The author's signature over ``signed``.
  public var signature: [UInt8]

  /// The heartbeat with these parts; nil unless there is a number for each zone.
  public init?(
    circle: SyncDigest,
    author: PeerIdentifier,
    time: WallInstant,
    circleHead: ChainPlace,
    heads: [ZoneHead],
    acknowledged: [UInt64],
    signature: [UInt8] = []
  ) {
    guard heads.count == acknowledged.count, heads.count <= ZoneHead.zonesMax else { return nil }
    self.circle = circle
    self.author = author
    self.time = time
    self.circleHead = circleHead
    self.heads = heads
    self.acknowledged = acknowledged
    self.signature = signature
  }

  /// The heartbeat as it is sent and kept.
  public var bytes: [UInt8] { signed + signature }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard let signed = SignedBytes.signed(bytes, most: Self.bytesMax),
      var reader = FramedReader(signed, for: Self.purpose),
      let circle = reader.digest(), let author = reader.peer(), let time = reader.time(),
      let circleHead = reader.place(), let heads = reader.heads()
    else { return nil }
    var acknowledged: [UInt64] = []
    for _ in heads {
      guard let number: UInt64 = reader.number() else { return nil }
      acknowledged.append(number)
    }
    guard reader.isAtEnd else { return nil }
    self.init(
      circle: circle,
      author: author,
      time: time,
      circleHead: circleHead,
      heads: heads,
      acknowledged: acknowledged,
      signature: Array(bytes.suffix(ChainPlace.signatureSize))
    )
  }

  /// What is signed.
  public var signed: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(circle)
    framed.add(author)
    framed.add(time)
    framed.add(circleHead)
    framed.add(heads)
    for number in acknowledged { framed.add(number) }
    return framed.bytes
  }
}

/// The last heartbeat of each device.
public struct HeartbeatBook: Hashable, Sendable {
  /// Why a heartbeat does not count.
  public enum Refusal: Error, Hashable, Sendable {
    /// It is of another circle, or of nobody who is in it.
    case notMember
    /// The signature is not the author's.
    case signature
    /// There was a later one: this is an old one once more.
    case replayed
  }

  /// What was heard last.
  public private(set) var last: [PeerIdentifier: Heartbeat] = [:]

  /// A book with nothing in it.
  public init() {}

  init(_ last: [PeerIdentifier: Heartbeat]) { self.last = last }

  /// Takes notice of a heartbeat.
  ///
  /// - Throws: ``Refusal``; then nothing has changed.
  public mutating func hear(
    _ heartbeat: Heartbeat,
    in circle: CircleLog,
    _ ports: SyncPorts
  ) throws(Refusal) {
    guard heartbeat.circle == circle.circle,
      let keys = circle.member(heartbeat.author, at: circle.head.number)
    else { throw .notMember }
    guard
      ports.signatures.isSignature(
        heartbeat.signature,
        of: heartbeat.signed,
        by: keys.signing
      )
    else { throw .signature }
    if let last = last[heartbeat.author], last.time >= heartbeat.time { throw .replayed }
    last[heartbeat.author] = heartbeat
  }

  /// Whether tombstones no longer wait for `peer`: nothing was heard of it for 90 days.
  public func isSilent(_ peer: PeerIdentifier, _ horizon: TimeHorizon) -> Bool {
    guard let heard = last[peer] else { return true }
    return horizon.latest.isLater(than: heard.time, by: Heartbeat.silenceMax)
  }

  /// Whether `peer` may have made a change at `time` of its clock since its last heartbeat.
  ///
  /// Who writes says how far it is, too, once that is a quarter of an hour ago. Any other time is not of its clock: of an
  /// item that it brought, which may be older than the circle, or of another device's clock.
  public func mayHaveWritten(_ peer: PeerIdentifier, at time: WallInstant) -> Bool {
    guard let said = last[peer]?.time else { return false }
    return time >= said && !time.isLater(than: said, by: Heartbeat.interval)
  }

  /// The entry of `zone` up to which every device that is not silent has opened and merged everything.
  public func acknowledged(
    _ zone: ZoneName,
    in circle: CircleLog,
    _ horizon: TimeHorizon
  ) -> UInt64 {
    let numbers = circle.devices.compactMap { peer -> UInt64? in
      guard let heard = last[peer], !isSilent(peer, horizon) else { return nil }
      let index = heard.heads.firstIndex { $0.zone == zone }
      return index.map { heard.acknowledged[$0] } ?? 0
    }
    return numbers.min() ?? 0
  }
}

extension ZoneReplica {
  /// The tombstones that may go: 90 days old, and known to every device that is not silent.
  public func duePurges(_ book: HeartbeatBook, in circle: CircleLog) -> [RecordName] {
    let number = book.acknowledged(chain.zone, in: circle, horizon)
    let due = records.filter { name, record in
      guard let buried = record.buried, isPurgeable(name),
        let line = chain.manifest.lines[name], line.number <= number
      else { return false }
      return horizon.latest.isLater(than: buried, by: Heartbeat.silenceMax)
    }
    return due.map(\.key).sorted()
  }
}
