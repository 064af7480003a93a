import LocalAuthCore
import LocalAuthKeychain

/// Where a sealed record belongs; its body opens nowhere else.
public struct RecordPlace: Hashable, Sendable {
  /// The circle.
  public let circle: SyncDigest
  /// The zone.
  public let zone: ZoneName
  /// The record.
  public let name: RecordName
  /// The epoch of its key.
  public let epoch: UInt32
  /// Which key seals it.
  public let keyClass: ZoneKeyClass

  /// The place of `name`.
  public init(
    circle: SyncDigest,
    zone: ZoneName,
    name: RecordName,
    epoch: UInt32,
    keyClass: ZoneKeyClass
  ) {
    self.circle = circle
    self.zone = zone
    self.name = name
    self.epoch = epoch
    self.keyClass = keyClass
  }

  /// What a part of the body is bound to.
  public func context(_ part: RecordFormat.Part) -> [UInt8] {
    var framed = FramedBytes("LocalAuth sync record 1")
    framed.add(circle)
    framed.add(zone)
    framed.add(name.digest)
    framed.add(epoch)
    framed.add(keyClass.rawValue)
    framed.add(RecordFormat.version)
    framed.add(part.rawValue)
    return framed.bytes
  }
}

/// The format of a sealed record.
///
/// | bytes | what                                                                     |
/// |-------|--------------------------------------------------------------------------|
/// | 1     | version                                                                  |
/// | 4     | the size of the sealed head                                              |
/// | …     | ``RecordHead``, padded and sealed                                        |
/// | …     | the secret, padded and sealed                                            |
///
/// Both are sealed by XChaCha20-Poly1305 with random nonces, and bound to ``RecordPlace``.
public enum RecordFormat {
  /// A part of a body.
  public enum Part: UInt8, CaseIterable, Hashable, Sendable {
    case head = 1
    case secret = 2
  }

  /// The version that is written.
  public static let version: UInt8 = 1
  /// The bytes of a sealed text beside its content.
  public static let overhead = 40
  /// The largest body, in bytes: a value of 1 MiB, padded to the next size, and its head.
  public static let bodyMax = 5 << 18
  /// The least size of a padded part.
  public static let paddedMin = 128
  private static let frame = 5

  /// The size that a part of `count` bytes is padded to, with one byte that marks its end.
  ///
  /// The steps grow with the size, a sixteenth of the next power of two: so the size says the first three bits of
  /// itself and no more.
  public static func paddedSize(_ count: Int) -> Int {
    let least = max(count + 1, paddedMin)
    let power = Int.bitWidth - (least - 1).leadingZeroBitCount
    let step = 1 << max(power - 4, 0)
    return (least + step - 1) / step * step
  }

  /// The padded form of bytes that need no wiped memory: a one, and zeros.
  public static func padded(_ bytes: [UInt8]) -> [UInt8] {
    let size = paddedSize(bytes.count)
    return bytes + [1] + [UInt8](repeating: 0, count: size - bytes.count - 1)
  }

  /// How many bytes stand before the padding; nil if it is none that ``padded(_:)`` makes.
  public static func unpaddedCount(_ padded: Span<UInt8>) -> Int? {
    var count = padded.count
    while count > 0, padded[count - 1] == 0 { count -= 1 }
    guard count > 0, padded[count - 1] == 1, paddedSize(count - 1) == padded.count else {
      return nil
    }
    return count - 1
  }

  /// A body of these sealed parts.
  public static func body(head: [UInt8], secret: [UInt8]) -> [UInt8] {
    var bytes = [version]
    let size = UInt32(truncatingIfNeeded: head.count)
    for shift in [24, 16, 8, 0] as [UInt32] {
      bytes.append(UInt8(truncatingIfNeeded: size >> shift))
    }
    return bytes + head + secret
  }

  /// What a body is, before its keys are tried.
  public enum Body: Hashable, Sendable {
    /// Its sealed parts.
    case parts(head: [UInt8], secret: [UInt8])
    /// A newer version wrote it.
    case newer
    /// It is none.
    case damaged
  }

  /// Takes a body apart.
  public static func parts(of body: [UInt8]) -> Body {
    guard let first = body.first, body.count <= bodyMax else { return .damaged }
    guard first <= version else { return .newer }
    guard first == version, body.count >= frame else { return .damaged }
    let size = Int(body[1..<frame].reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
    guard size >= overhead, size <= body.count - frame else { return .damaged }
    let secret = Array(body[(frame + size)...])
    guard secret.isEmpty || secret.count >= overhead else { return .damaged }
    return .parts(head: Array(body[frame..<frame + size]), secret: secret)
  }
}

/// What is sealed of a record besides its secret: its version, and its fields in the order of their numbers.
///
/// A field that this version does not know is kept, and sent again when the record is changed.
public struct RecordHead: Hashable, Sendable {
  /// The most fields.
  public static let fieldsMax = 256
  private static let purpose: StaticString = "LocalAuth sync record head 1"

  /// The version.
  public let version: RecordVersion
  /// The fields by number.
  public var fields: [UInt32: [UInt8]]

  /// The head with these parts.
  public init(_ version: RecordVersion, fields: [UInt32: [UInt8]]) {
    self.version = version
    self.fields = fields
  }

  /// The fields of a changed record: the new values of known ones, and what is not known as it came.
  public static func fields(
    _ values: [UInt32: [UInt8]],
    known: Set<UInt32>,
    over old: [UInt32: [UInt8]]
  ) -> [UInt32: [UInt8]] {
    old.filter { !known.contains($0.key) }.merging(values) { $1 }
  }

  /// What stands for a content, beside its secret: all fields, also those that nobody here knows, so that whatever a
  /// person may see somewhere makes another content.
  public static func content(of fields: [UInt32: [UInt8]]) -> [UInt8] {
    var framed = FramedBytes("LocalAuth sync content 1")
    framed.add(fields)
    return framed.bytes
  }

  /// What is padded and sealed.
  public var bytes: [UInt8] {
    var framed = FramedBytes(Self.purpose)
    framed.add(version)
    framed.add(fields)
    return framed.bytes
  }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard var reader = FramedReader(bytes, for: Self.purpose),
      let version = reader.version(), let fields = reader.fields(), reader.isAtEnd
    else { return nil }
    self.init(version, fields: fields)
  }
}

extension FramedBytes {
  mutating func add(_ version: RecordVersion) {
    add(version.identifier.high)
    add(version.identifier.low)
    add(version.isTombstone)
    add(version.modified)
    add(version.keyClass.rawValue)
    add(version.content)
    add(version.made)
    add(UInt32(truncatingIfNeeded: version.vector.dots.count))
    for dot in version.vector.dots { add(dot) }
  }

  mutating func add(_ fields: [UInt32: [UInt8]]) {
    add(UInt32(truncatingIfNeeded: fields.count))
    for (number, bytes) in fields.sorted(by: { $0.key < $1.key }) {
      add(number)
      add(counted: bytes)
    }
  }

  mutating func add(_ dot: VersionVector.Dot) {
    add(dot.peer)
    add(dot.count)
  }
}

extension FramedReader {
  mutating func version() -> RecordVersion? {
    guard let high: UInt64 = number(), let low: UInt64 = number(),
      let isTombstone = flag(), let modified = time(), let keyClass = keyClass(),
      let content = digest(), let made = dot(), let count: UInt32 = number(),
      count <= CircleLog.peersMax
    else { return nil }
    var dots: [VersionVector.Dot] = []
    for _ in 0..<count {
      guard let dot = dot() else { return nil }
      dots.append(dot)
    }
    // A version knows the change that made it.
    guard let vector = VersionVector(ordered: dots), vector[made.peer] >= made.count else {
      return nil
    }
    return RecordVersion(
      identifier: ItemIdentifier(high: high, low: low),
      isTombstone: isTombstone,
      modified: modified,
      keyClass: keyClass,
      content: content,
      made: made,
      vector: vector
    )
  }

  mutating func fields() -> [UInt32: [UInt8]]? {
    pairs(
      most: RecordHead.fieldsMax,
      { $0.number() as UInt32? },
      { $0.counted(most: RecordFormat.bodyMax) }
    )
  }

  mutating func dot() -> VersionVector.Dot? {
    guard let peer = peer(), let count: UInt64 = number(), count > 0 else { return nil }
    return VersionVector.Dot(peer, count)
  }
}
