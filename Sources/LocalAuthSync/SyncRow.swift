/// One row of what a device keeps of its synchronization.
///
/// A keeper stores keys and values as they are, and seals each value with its key: so a value that was moved to another
/// key does not open. A key tells nothing besides the zone's name; records are named by keyed hashes.
public struct SyncRow: Hashable, Sendable {
  /// What a row is about, in the order of the keys.
  public enum Kind: UInt8, CaseIterable, Hashable, Sendable {
    /// How far the circle's log goes.
    case circle = 1
    /// An entry of the circle's log.
    case circleEntry = 2
    /// How many devices were heard.
    case heartbeats = 3
    /// What a device said of itself last.
    case heartbeat = 4
    /// A zone as a whole: whose it is, times, the alarm, and how many rows there are of each other kind.
    case zone = 5
    /// How far a zone's chain was verified.
    case chain = 6
    /// What is on its way to the hub.
    case outbox = 7
    /// A record: its versions, its line of the manifest, and what it waits for.
    case record = 8
    /// The digest of one of the last entries.
    case place = 9
    /// What others say of a place that was not reached.
    case claim = 10
    /// A version that a merge overruled.
    case lost = 11
    /// Whether programs have the values of the first download.
    case store = 12
    /// What the device is in its circle.
    case membership = 13
    /// The keys of an epoch, sealed.
    case keys = 14
    /// The item of a record.
    case item = 15
    /// The body of a record that waits.
    case waitingBody = 16
    /// A body of the batch that is under way.
    case sentBody = 17
    /// The body of a version that a merge overruled.
    case lostBody = 18
    /// Which chunks of documents are left over.
    case sweep = 19
    /// What a removed device had read.
    case seen = 20
    /// Which value of a key-value store a record is.
    case value = 21
    /// The keys of an epoch that the device wants to begin, sealed.
    case plannedKeys = 22
    /// Which document or chunk a record is.
    case document = 23
    /// Which row of a table a record is.
    case tableRow = 24
    /// The digest of an entry of a history that a person let go.
    case abandoned = 25
  }

  /// What the row is found by.
  public let key: Key
  /// What it says.
  public let value: [UInt8]

  init(_ key: Key, _ value: [UInt8]) {
    self.key = key
    self.value = value
  }

  /// Reads a row; nil if ``SyncRow/Key/bytes`` makes no such key.
  public init?(key: [UInt8], value: [UInt8]) {
    guard let key = Key(key) else { return nil }
    self.init(key, value)
  }

  /// What becomes of a row.
  public enum Change: Hashable, Sendable {
    /// It is written, over the one that has the same key.
    case put(SyncRow)
    /// It goes.
    case remove(Key)
  }
}

extension SyncRow.Kind {
  /// What a key has behind its kind and its zone.
  enum Form {
    /// Nothing: there is one such row.
    case one
    case number
    case name
    case peer
    case content
  }

  var form: Form {
    switch self {
    case .circle, .heartbeats, .zone, .chain, .outbox, .store, .membership, .sweep, .plannedKeys:
      .one
    case .circleEntry, .place, .claim, .lost, .keys, .abandoned: .number
    case .heartbeat, .seen: .peer
    case .record, .item, .value, .document, .tableRow, .waitingBody, .sentBody: .name
    case .lostBody: .content
    }
  }

  /// Whether a replica is put together from such rows: whoever leaves some of them out gets none.
  public var isOfReplica: Bool {
    switch self {
    case .zone, .chain, .outbox, .record, .place, .claim, .lost, .abandoned: true
    case .circle, .circleEntry, .heartbeats, .heartbeat, .membership, .store, .sweep, .keys, .item,
      .plannedKeys, .value, .document, .tableRow, .waitingBody, .sentBody, .lostBody, .seen:
      false
    }
  }

  /// Whether there are such rows for each zone.
  public var isOfZone: Bool {
    switch self {
    case .circle, .circleEntry, .heartbeats, .heartbeat, .membership: false
    case .zone, .chain, .outbox, .record, .place, .claim, .lost, .store, .sweep, .keys, .item,
      .plannedKeys, .abandoned, .value, .document, .tableRow, .waitingBody, .sentBody, .lostBody,
      .seen:
      true
    }
  }
}

extension SyncRow {
  /// The key of a row: its kind, its zone, and where there are several its number or name.
  ///
  /// Keys are in this order, as their bytes are.
  public struct Key: Hashable, Comparable, Sendable {
    enum Place: Hashable, Sendable {
      case one
      case number(UInt64)
      case name(RecordName)
      case peer(PeerIdentifier)
      case content(RecordName, SyncDigest)
    }

    /// What the row is about.
    public let kind: Kind
    /// The zone; nil for rows of the circle.
    public let zone: ZoneName?
    let place: Place

    init(_ kind: Kind, _ zone: ZoneName? = nil, _ place: Place = .one) {
      self.kind = kind
      self.zone = zone
      self.place = place
    }

    /// What the keys of all rows of `kind` in `zone` begin with, and no others.
    public static func prefix(_ kind: Kind, _ zone: ZoneName? = nil) -> [UInt8] {
      // UTF-8 has no byte 255, so each can be one more, and a zero ends the name before any longer one.
      [kind.rawValue] + (zone?.text.utf8.map { $0 + 1 } ?? []) + [0]
    }

    /// Its bytes.
    public var bytes: [UInt8] {
      var bytes = Self.prefix(kind, zone)
      switch place {
      case .one: break
      case .number(let number): bytes.append(bigEndian: number)
      case .name(let name): name.digest.append(to: &bytes)
      case .peer(let peer):
        bytes.append(bigEndian: peer.high)
        bytes.append(bigEndian: peer.low)
      case .content(let name, let content):
        name.digest.append(to: &bytes)
        content.append(to: &bytes)
      }
      return bytes
    }

    /// Reads what ``bytes`` wrote; nil for anything else.
    public init?(_ bytes: [UInt8]) {
      guard let kind = bytes.first.flatMap({ Kind(rawValue: $0) }),
        let end = bytes.dropFirst().firstIndex(of: 0),
        let text = String(validating: bytes[1..<end].map { $0 - 1 }, as: UTF8.self),
        text.isEmpty != kind.isOfZone,
        let place = Place(bytes[(end + 1)...], kind.form)
      else { return nil }
      let zone = ZoneName(text)
      guard (zone != nil) == kind.isOfZone else { return nil }
      self.init(kind, zone, place)
    }

    /// Orders keys as their bytes.
    public static func < (left: Self, right: Self) -> Bool {
      left.bytes.lexicographicallyPrecedes(right.bytes)
    }
  }
}

extension SyncRow.Key.Place {
  fileprivate init?(_ bytes: ArraySlice<UInt8>, _ form: SyncRow.Kind.Form) {
    func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    switch form {
    case .one:
      guard bytes.isEmpty else { return nil }
      self = .one
    case .number:
      guard bytes.count == 8 else { return nil }
      self = .number(number(bytes))
    case .name:
      guard let digest = SyncDigest(slice: bytes) else { return nil }
      self = .name(RecordName(digest))
    case .content:
      guard bytes.count == 64, let name = SyncDigest(slice: bytes.prefix(32)),
        let content = SyncDigest(slice: bytes.suffix(32))
      else { return nil }
      self = .content(RecordName(name), content)
    case .peer:
      guard bytes.count == 16 else { return nil }
      self = .peer(PeerIdentifier(high: number(bytes.prefix(8)), low: number(bytes.suffix(8))))
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}
