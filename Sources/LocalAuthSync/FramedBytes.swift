import LocalAuthCore

/// Canonical bytes: what is signed, sealed with, or digested.
///
/// They begin with what they are for, and each part of variable size follows its size, so two different
/// values never have the same bytes, also of two kinds. Numbers are big-endian.
struct FramedBytes {
  private(set) var bytes: [UInt8] = []

  init(_ purpose: StaticString) {
    bytes.reserveCapacity(256)
    // SAFETY: a static string lives as long as the program.
    let text = unsafe UnsafeBufferPointer(
      start: purpose.utf8Start,
      count: purpose.utf8CodeUnitCount
    )
    bytes.append(UInt8(truncatingIfNeeded: text.count))
    unsafe bytes.append(contentsOf: text)
  }

  mutating func add(_ number: some FixedWidthInteger & UnsignedInteger) {
    // SAFETY: the bytes of the number are copied while they are lent.
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func add(_ digest: SyncDigest) { digest.append(to: &bytes) }

  mutating func add(_ flag: Bool) { add(flag ? UInt8(1) : 0) }

  mutating func add(_ time: WallInstant) { add(UInt64(bitPattern: time.milliseconds)) }

  /// A mark of whether it is there, and then what `write` makes of it.
  mutating func add<Value>(_ value: Value?, _ write: (inout FramedBytes, Value) -> Void) {
    add(value != nil)
    if let value { write(&self, value) }
  }

  mutating func add(_ peer: PeerIdentifier) {
    add(peer.high)
    add(peer.low)
  }

  mutating func add(counted part: [UInt8]) {
    add(UInt32(truncatingIfNeeded: part.count))
    bytes.append(contentsOf: part)
  }
}

/// Reads what ``FramedBytes`` wrote; nil where it ends too early.
struct FramedReader {
  private let bytes: [UInt8]
  private var next = 0

  /// Begins behind the purpose; nil if the bytes are for another one.
  init?(_ bytes: [UInt8], for purpose: StaticString) {
    let head = FramedBytes(purpose).bytes
    guard bytes.starts(with: head) else { return nil }
    self.bytes = bytes
    next = head.count
  }

  var isAtEnd: Bool { next == bytes.count }

  mutating func number<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
    guard let part = part(Number.bitWidth / 8) else { return nil }
    return part.reduce(0) { $0 << 8 | Number($1) }
  }

  mutating func digest() -> SyncDigest? { part(SyncDigest.size).flatMap { SyncDigest(slice: $0) } }

  mutating func peer() -> PeerIdentifier? {
    guard let high: UInt64 = number(), let low: UInt64 = number() else { return nil }
    return PeerIdentifier(high: high, low: low)
  }

  mutating func flag() -> Bool? {
    guard let mark: UInt8 = number(), mark < 2 else { return nil }
    return mark == 1
  }

  mutating func time() -> WallInstant? {
    guard let number: UInt64 = number() else { return nil }
    return WallInstant(milliseconds: Int64(bitPattern: number))
  }

  mutating func keyClass() -> ZoneKeyClass? {
    guard let code: UInt8 = number() else { return nil }
    return ZoneKeyClass(rawValue: code)
  }

  /// What follows a mark of whether it is there; nil if it is malformed.
  mutating func optional<Value>(_ read: (inout FramedReader) -> Value?) -> Value?? {
    guard let isThere = flag() else { return nil }
    guard isThere else { return .some(nil) }
    guard let value = read(&self) else { return nil }
    return .some(value)
  }

  /// Pairs that follow their count, at most `most`, in the order of their keys and each key once.
  mutating func pairs<Key: Comparable & Hashable, Value>(
    most: Int,
    _ readKey: (inout FramedReader) -> Key?,
    _ readValue: (inout FramedReader) -> Value?
  ) -> [Key: Value]? {
    guard let count: UInt32 = number(), count <= most else { return nil }
    var pairs: [Key: Value] = [:]
    var last: Key?
    for _ in 0..<count {
      guard let key = readKey(&self), last.map({ $0 < key }) ?? true, let value = readValue(&self),
        pairs.updateValue(value, forKey: key) == nil
      else { return nil }
      last = key
    }
    return pairs
  }

  /// A part that follows its size, of at most `most` bytes.
  mutating func counted(most: Int) -> [UInt8]? {
    guard let size: UInt32 = number(), size <= most else { return nil }
    return part(Int(size)).map { Array($0) }
  }

  private mutating func part(_ size: Int) -> ArraySlice<UInt8>? {
    guard size <= bytes.count - next else { return nil }
    defer { next += size }
    return bytes[next..<next + size]
  }
}
