public import LocalAuthCore

/// Sealed bodies by their records.
public typealias ZoneBodies = [RecordName: [UInt8]]

/// What a zone has behind a number, as the hub sent it: not verified, and perhaps not all of it.
///
/// A page has whole entries, and at most ``HubFrame/pageMax`` bytes unless it is one entry. It has the bodies that
/// came with its entries and that no entry behind them changes again, also none of a later page.
public struct ZonePage: Hashable, Sendable {
  /// The entries, in their order.
  public let entries: [ZoneEntry]
  /// The bodies that came with them.
  public let bodies: ZoneBodies
  /// Where the hub says that the zone ends.
  public let head: ChainPlace
  /// Whether what the hub has behind its entries is no entry, so that it could not be passed on.
  public let isCutShort: Bool

  /// The page with these parts.
  public init(
    entries: [ZoneEntry],
    bodies: ZoneBodies,
    head: ChainPlace,
    isCutShort: Bool = false
  ) {
    self.entries = entries
    self.bodies = bodies
    self.head = head
    self.isCutShort = isCutShort
  }

  /// Whether there is no more behind it, by what the hub says.
  public var isLast: Bool {
    guard let last = entries.last else { return true }
    return last.number >= head.number && !isCutShort
  }

  /// The answer that a replica verifies, whose digests are computed here.
  public func answer(_ hash: any MessageHashing) -> ZoneAnswer {
    ZoneAnswer(
      entries: entries,
      bodies: bodies.mapValues { hash.digest(of: $0) },
      head: head,
      isCutShort: isCutShort
    )
  }
}

/// A part of a manifest, which may be too large for one message.
public struct ManifestPart: Hashable, Sendable {
  /// The most records in one part.
  public static let linesMax = 50_000
  /// The most parts of a manifest.
  public static let partsMax = ZoneManifest.recordsMax / linesMax
  private static let purpose: StaticString = "LocalAuth hub manifest part 1"

  /// The lines, of which no other part has any.
  public let lines: [RecordName: ZoneManifest.Line]

  /// The part with these lines; nil for more than ``linesMax``.
  public init?(_ lines: [RecordName: ZoneManifest.Line]) {
    guard lines.count <= Self.linesMax else { return nil }
    self.lines = lines
  }

  /// All parts of a manifest, at least one.
  public static func parts(of manifest: ZoneManifest) -> [ManifestPart] {
    let lines = manifest.lines.sorted { $0.key < $1.key }
    let starts = lines.isEmpty ? [0] : Array(stride(from: 0, to: lines.count, by: linesMax))
    return starts.compactMap { start in
      let part = lines[start..<min(start + linesMax, lines.count)]
      return ManifestPart(Dictionary(uniqueKeysWithValues: part.map { ($0.key, $0.value) }))
    }
  }

  /// The part as it is sent and kept.
  public var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(UInt32(truncatingIfNeeded: lines.count))
    for name in lines.keys.sorted() {
      guard let line = lines[name] else { continue }
      framed.add(name.digest)
      framed.add(line.body)
      framed.add(line.keyClass.rawValue)
      framed.add(line.epoch)
      framed.add(line.number)
    }
    return framed.bytes
  }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard var reader = FramedReader(bytes, for: Self.purpose), let count: UInt32 = reader.number(),
      count <= Self.linesMax
    else { return nil }
    var lines: [RecordName: ZoneManifest.Line] = [:]
    var last: RecordName?
    for _ in 0..<count {
      guard let name = reader.digest().map({ RecordName($0) }), last.map({ $0 < name }) ?? true,
        let line = reader.manifestLine()
      else { return nil }
      lines[name] = line
      last = name
    }
    guard reader.isAtEnd else { return nil }
    self.lines = lines
  }
}

extension FramedBytes {
  mutating func add(_ bodies: ZoneBodies) {
    add(UInt32(truncatingIfNeeded: bodies.count))
    for name in bodies.keys.sorted() {
      add(name.digest)
      add(counted: bodies[name] ?? [])
    }
  }
}

extension FramedReader {
  fileprivate mutating func manifestLine() -> ZoneManifest.Line? {
    guard let body = digest(), let code: UInt8 = number(),
      let keyClass = ZoneKeyClass(rawValue: code), let epoch: UInt32 = number(),
      let number: UInt64 = number()
    else { return nil }
    return ZoneManifest.Line(body: body, keyClass: keyClass, epoch: epoch, number: number)
  }

  /// Bodies in the order of their names, each name once.
  mutating func bodies() -> ZoneBodies? {
    guard let count: UInt32 = number() else { return nil }
    var bodies: ZoneBodies = [:]
    var last: RecordName?
    for _ in 0..<count {
      guard let name = digest().map({ RecordName($0) }), last.map({ $0 < name }) ?? true,
        let body = counted(most: RecordFormat.bodyMax)
      else { return nil }
      bodies[name] = body
      last = name
    }
    return bodies
  }
}
