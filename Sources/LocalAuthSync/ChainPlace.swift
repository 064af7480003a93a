/// A place in a chain: how many entries lead there, and the digest of the last.
public struct ChainPlace: Hashable, Sendable {
  /// The bytes of a signature.
  public static let signatureSize = 64
  /// Before the first entry.
  public static let beginning = ChainPlace(number: 0, digest: .none)

  /// The number of the last entry, from 1; 0 before the first.
  public let number: UInt64
  /// Its digest.
  public let digest: SyncDigest

  /// The place behind the entry `number`, whose digest is `digest`.
  public init(number: UInt64, digest: SyncDigest) {
    self.number = number
    self.digest = digest
  }
}

/// Names a zone: one set of records with a chain of its own.
public struct ZoneName: Hashable, Comparable, Sendable {
  /// The longest name, in bytes.
  public static let bytesMax = 64
  /// The items of keychains.
  public static let items = ZoneName(known: "items")
  /// The values of all key-value stores.
  public static let keyValues = ZoneName(known: "key-values")
  /// The documents of all containers, and their chunks.
  public static let documents = ZoneName(known: "documents")
  /// The rows of all tables.
  public static let tables = ZoneName(known: "tables")

  /// The zones that this version knows what to do with.
  public static let known: Set<ZoneName> = [items, keyValues, documents, tables]

  /// Unicode calls some texts equal that the hub and an order keep apart.
  private let exact: ExactText

  /// Its text.
  public var text: String { exact.text }

  /// The zone `text`; nil for an empty or too long name.
  public init?(_ text: String) {
    guard (1...Self.bytesMax).contains(text.utf8.count) else { return nil }
    exact = ExactText(text)
  }

  private init(known text: String) { exact = ExactText(text) }

  /// Orders names by their bytes.
  public static func < (left: Self, right: Self) -> Bool { left.exact < right.exact }
}

/// How far a zone has come.
public struct ZoneHead: Hashable, Sendable {
  /// The most zones that an entry may name.
  public static let zonesMax = 1024

  /// The zone.
  public let zone: ZoneName
  /// Its last entry.
  public let place: ChainPlace

  /// The head of `zone` at `place`.
  public init(_ zone: ZoneName, _ place: ChainPlace) {
    self.zone = zone
    self.place = place
  }
}

extension FramedBytes {
  mutating func add(_ place: ChainPlace) {
    add(place.number)
    add(place.digest)
  }

  mutating func add(_ zone: ZoneName) { add(counted: Array(zone.text.utf8)) }

  mutating func add(_ heads: [ZoneHead]) {
    add(UInt32(truncatingIfNeeded: heads.count))
    for head in heads {
      add(head.zone)
      add(head.place)
    }
  }
}

extension FramedReader {
  mutating func place() -> ChainPlace? {
    guard let number: UInt64 = number(), let digest = digest() else { return nil }
    return ChainPlace(number: number, digest: digest)
  }

  mutating func zone() -> ZoneName? {
    counted(most: ZoneName.bytesMax).flatMap { String(validating: $0, as: UTF8.self) }
      .flatMap { ZoneName($0) }
  }

  /// Heads in the order of their zones, each zone once.
  mutating func heads() -> [ZoneHead]? {
    guard let count: UInt32 = number(), count <= ZoneHead.zonesMax else { return nil }
    var heads: [ZoneHead] = []
    for _ in 0..<count {
      guard let zone = zone(), let place = place() else { return nil }
      if let last = heads.last, last.zone >= zone { return nil }
      heads.append(ZoneHead(zone, place))
    }
    return heads
  }
}
