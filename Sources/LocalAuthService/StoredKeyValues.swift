import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// One key-value store as a device keeps it: its values, what of them waits for a hub, and how often it was
/// changed.
///
/// | bytes | |
/// |---|---|
/// | 1 | the version, 2 |
/// | 1 | the phase of the zone |
/// | 8 | the number of changes |
/// | 32 | the circle that its values are of, zeros for none; version 1 has not these bytes |
/// | 4 | how many keys follow |
/// | 1, *n* | a key's size, and the key |
/// | 1 | bits: it has a value, it is pending, it is outgoing |
/// | 4, *n* | of one with a value, its size and its bytes |
///
/// Numbers are big-endian.
struct StoredKeyValues: Hashable, Sendable {
  /// The rules of the store; a content is a property list in bytes.
  typealias Zone = KeyValueZone

  /// How often the store was changed; whoever has seen another number has missed something.
  var revision: UInt64 = 0
  /// The circle that its values were last those of, which a device that left it remembers.
  var circle = SyncDigest.none
  /// The values.
  var zone = Zone(hasAccount: false)

  static let version: UInt8 = 2

  private enum Mark {
    static let value: UInt8 = 1
    static let pending: UInt8 = 2
    static let outgoing: UInt8 = 4
  }

  /// An empty store that was never changed.
  init() {}

  // MARK: Bytes

  /// The store in bytes, in memory that is wiped.
  var bytes: Secret {
    let waiting = zone.pending.union(zone.outgoing).filter { zone.values[$0] == nil }
    let keys = zone.values.keys.reduce(0) { $0 + $1.text.utf8.count + 6 }
    let size = waiting.reduce(14 + SyncDigest.size + keys + zone.byteCount) {
      $0 + $1.text.utf8.count + 2
    }
    var secret = Secret(capacity: size)
    // SAFETY: the writer stays inside the memory, which is lent for the call.
    unsafe secret.withUnsafeMutableBytes { room, used in
      var writer = unsafe KeyValueWriter(room)
      writer.put(Self.version)
      writer.put(zone.phase.rawValue)
      writer.put(revision)
      writer.put(circle.bytes)
      writer.put(UInt32(zone.values.count + waiting.count))
      for (key, value) in zone.values { put(key, value, to: &writer) }
      for key in waiting { put(key, nil, to: &writer) }
      used = writer.count
    }
    return secret
  }

  private func put(_ key: KeyValueKey, _ value: Zone.Value?, to writer: inout KeyValueWriter) {
    writer.put(UInt8(key.text.utf8.count))
    writer.put(key.text)
    var marks: UInt8 = value == nil ? 0 : Mark.value
    if !zone.pending.isEmpty, zone.pending.contains(key) { marks |= Mark.pending }
    if !zone.outgoing.isEmpty, zone.outgoing.contains(key) { marks |= Mark.outgoing }
    writer.put(marks)
    guard let value else { return }
    writer.put(UInt32(value.content.count))
    writer.put(value.content)
  }

  /// Why what is kept is no store.
  enum Fault: Error, Hashable {
    /// A newer version wrote it.
    case newer
    /// The bytes are something else.
    case damaged
  }

  /// How often the store in these bytes was changed, without reading the rest.
  static func revision(of secret: borrowing Secret) throws(Fault) -> UInt64 {
    // SAFETY: the bytes are lent for the call.
    let read = unsafe secret.withUnsafeBytes { bytes -> Result<UInt64, Fault> in
      var reader = unsafe KeyValueReader(bytes)
      do throws(Fault) { return .success(try reader.head().revision) } catch {
        return .failure(error)
      }
    }
    return try read.get()
  }

  /// Reads a store; everything is checked, although the bytes were sealed here.
  init(_ secret: borrowing Secret) throws(Fault) {
    // SAFETY: the bytes are lent for the call, and what is kept of them is copied.
    let read = unsafe secret.withUnsafeBytes { bytes -> Result<StoredKeyValues, Fault> in
      var reader = unsafe KeyValueReader(bytes)
      do throws(Fault) { return .success(try StoredKeyValues(&reader)) } catch {
        return .failure(error)
      }
    }
    self = try read.get()
  }

  private init(_ reader: inout KeyValueReader) throws(Fault) {
    let phase: Zone.Phase
    (phase, revision, circle) = try reader.head()
    let count: UInt32 = try reader.number()
    var values: [KeyValueKey: Zone.Value] = [:]
    values.reserveCapacity(min(Int(count), KeyValueLimits.keysMax))
    var marked: (pending: Set<KeyValueKey>, outgoing: Set<KeyValueKey>) = ([], [])
    for _ in 0..<count {
      let size: UInt8 = try reader.number()
      let key = KeyValueKey(try reader.text(Int(size)))
      let marks: UInt8 = try reader.number()
      if marks & Mark.pending != 0 { marked.pending.insert(key) }
      if marks & Mark.outgoing != 0 { marked.outgoing.insert(key) }
      guard marks & Mark.value != 0 else { continue }
      let length: UInt32 = try reader.number()
      let content = try reader.bytes(Int(length))
      let old = values.updateValue(Zone.Value(content, size: content.count), forKey: key)
      guard old == nil else { throw .damaged }
    }
    guard reader.isAtEnd else { throw .damaged }
    zone = Zone(phase, values: values, pending: marked.pending, outgoing: marked.outgoing)
  }
}

/// Writes into memory that is large enough.
@safe
private struct KeyValueWriter {
  private let room: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  @unsafe
  init(_ room: UnsafeMutableRawBufferPointer) {
    // SAFETY: the caller keeps the memory in place as long as this value.
    unsafe self.room = room
  }

  mutating func put(_ number: some FixedWidthInteger) {
    // SAFETY: the bytes of the number are copied while they are lent.
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe copy($0) }
  }

  mutating func put(_ text: String) {
    var text = text
    // SAFETY: the bytes are copied while they are lent.
    text.withUTF8 { unsafe copy(UnsafeRawBufferPointer($0)) }
  }

  mutating func put(_ bytes: [UInt8]) {
    // SAFETY: the bytes are copied while they are lent.
    unsafe bytes.withUnsafeBytes { unsafe copy($0) }
  }

  private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    // SAFETY: slicing and copying check that there is room.
    unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: bytes)
    count += bytes.count
  }
}

/// Reads what a ``KeyValueWriter`` wrote.
@safe
private struct KeyValueReader {
  private let source: UnsafeRawBufferPointer
  private var place = 0

  @unsafe
  init(_ source: UnsafeRawBufferPointer) {
    // SAFETY: the caller keeps the memory in place as long as this value.
    unsafe self.source = source
  }

  // SAFETY: the count is compared, and nothing is read.
  var isAtEnd: Bool { unsafe place == source.count }

  /// What stands before the keys.
  mutating func head() throws(StoredKeyValues.Fault) -> (
    phase: StoredKeyValues.Zone.Phase, revision: UInt64, circle: SyncDigest
  ) {
    let version: UInt8 = try number()
    guard version <= StoredKeyValues.version else { throw .newer }
    guard version > 0, let phase = StoredKeyValues.Zone.Phase(rawValue: try number()) else {
      throw .damaged
    }
    let revision: UInt64 = try number()
    guard version > 1 else { return (phase, revision, .none) }
    guard let circle = SyncDigest(try bytes(SyncDigest.size)) else { throw .damaged }
    return (phase, revision, circle)
  }

  mutating func text(_ count: Int) throws(StoredKeyValues.Fault) -> String {
    let range = try range(count)
    // SAFETY: the range was checked, and the bytes are copied.
    guard let text = unsafe String(validating: source[range], as: UTF8.self) else { throw .damaged }
    return text
  }

  mutating func bytes(_ count: Int) throws(StoredKeyValues.Fault) -> [UInt8] {
    let range = try range(count)
    // SAFETY: the range was checked, and the bytes are copied.
    return unsafe Array(source[range])
  }

  mutating func number<Number: FixedWidthInteger>() throws(StoredKeyValues.Fault) -> Number {
    var number: Number = 0
    for place in try range(Number.bitWidth / 8) {
      // SAFETY: the range was checked.
      number = unsafe number << 8 | Number(source[place])
    }
    return number
  }

  /// Passes over the next `count` bytes.
  private mutating func range(_ count: Int) throws(StoredKeyValues.Fault) -> Range<Int> {
    // SAFETY: the count is compared, and nothing is read.
    guard unsafe count <= source.count - place else { throw .damaged }
    defer { place += count }
    return place..<(place + count)
  }
}
