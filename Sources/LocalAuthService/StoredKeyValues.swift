import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// One key-value store as a device keeps it: its values, what of them waits for a hub, and how often it was
/// changed.
///
/// | bytes | |
/// |---|---|
/// | 1 | the version, 1 |
/// | 1 | the phase of the zone |
/// | 8 | the number of changes |
/// | 4 | how many keys follow, in their order |
/// | 1, *n* | a key's size, and the key |
/// | 1 | bits: it has a value, it is pending, it is outgoing |
/// | 4, *n* | of one with a value, its size and its bytes |
///
/// Numbers are big-endian.
struct StoredKeyValues: Hashable, Sendable {
  /// The rules of the store; a content is a property list in bytes.
  typealias Zone = KeyValueZone<[UInt8]>

  /// How often the store was changed; whoever has seen another number has missed something.
  var revision: UInt64 = 0
  /// The values.
  var zone = Zone(hasAccount: false)

  static let version: UInt8 = 1

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
    let keys = Set(zone.values.keys).union(zone.pending).union(zone.outgoing).sorted()
    let sizes = keys.reduce(0) { $0 + $1.text.utf8.count + 6 }
    var secret = Secret(capacity: 14 + sizes + zone.byteCount)
    // SAFETY: the writer stays inside the memory, which is lent for the call.
    unsafe secret.withUnsafeMutableBytes { room, used in
      var writer = unsafe KeyValueWriter(room)
      writer.put(Self.version)
      writer.put(zone.phase.rawValue)
      writer.put(revision)
      writer.put(UInt32(keys.count))
      for key in keys { put(key, to: &writer) }
      used = writer.count
    }
    return secret
  }

  private func put(_ key: KeyValueKey, to writer: inout KeyValueWriter) {
    let value = zone.values[key]
    let text = Array(key.text.utf8)
    writer.put(UInt8(text.count))
    writer.put(text)
    var marks: UInt8 = value == nil ? 0 : Mark.value
    if zone.pending.contains(key) { marks |= Mark.pending }
    if zone.outgoing.contains(key) { marks |= Mark.outgoing }
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
    let version: UInt8 = try reader.number()
    guard version == Self.version else { throw version > Self.version ? .newer : .damaged }
    guard let phase = Zone.Phase(rawValue: try reader.number()) else { throw .damaged }
    revision = try reader.number()
    let count: UInt32 = try reader.number()
    var last: KeyValueKey?
    var values: [KeyValueKey: Zone.Value] = [:]
    var marked: (pending: Set<KeyValueKey>, outgoing: Set<KeyValueKey>) = ([], [])
    for _ in 0..<count {
      let size: UInt8 = try reader.number()
      guard let text = String(validating: try reader.bytes(Int(size)), as: UTF8.self) else {
        throw .damaged
      }
      let key = KeyValueKey(text)
      guard last.map({ $0 < key }) ?? true else { throw .damaged }
      last = key
      let marks: UInt8 = try reader.number()
      if marks & Mark.pending != 0 { marked.pending.insert(key) }
      if marks & Mark.outgoing != 0 { marked.outgoing.insert(key) }
      guard marks & Mark.value != 0 else { continue }
      let length: UInt32 = try reader.number()
      let content = try reader.bytes(Int(length))
      values[key] = Zone.Value(content, size: content.count)
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

  mutating func number<Number: FixedWidthInteger>() throws(StoredKeyValues.Fault) -> Number {
    try bytes(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
  }

  mutating func bytes(_ count: Int) throws(StoredKeyValues.Fault) -> [UInt8] {
    // SAFETY: the count is compared, and the bytes of a range that was checked are copied.
    guard unsafe count <= source.count - place else { throw .damaged }
    defer { place += count }
    // SAFETY: as above.
    return unsafe Array(source[place..<(place + count)])
  }
}
