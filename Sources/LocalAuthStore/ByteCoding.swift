/// Writes values as bytes: numbers in little-endian order, byte strings and texts after their
/// length.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  /// Creates an empty writer with room for a typical record.
  init() { bytes.reserveCapacity(256) }

  /// Writes a number in its own width.
  mutating func put(_ number: some FixedWidthInteger) {
    var rest = number
    for _ in 0..<(number.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Writes a flag as one byte.
  mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Writes the number of bytes, then the bytes.
  mutating func put(_ blob: [UInt8]) {
    put(UInt32(blob.count))
    bytes += blob
  }

  /// Writes the number of UTF-8 bytes, then the text as UTF-8.
  mutating func put(_ text: String) {
    put(UInt32(text.utf8.count))
    bytes += text.utf8
  }

  /// Writes whether there is a value, then the value.
  mutating func put<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
    put(value != nil)
    if let value { write(&self, value) }
  }
}

/// Reads what ``ByteWriter`` wrote; a read past the end returns nil.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  /// Reads `bytes` from their beginning.
  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Whether everything was read.
  var isAtEnd: Bool { rest.isEmpty }

  /// Reads a number in its own width.
  mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
    guard let taken = take(Number.bitWidth / 8) else { return nil }
    return taken.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// Reads a flag; nil for any byte other than 0 and 1.
  mutating func flag() -> Bool? {
    switch take(1)?.first {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// Reads a count and that many bytes.
  mutating func blob() -> [UInt8]? {
    guard let count = number(UInt32.self) else { return nil }
    return take(Int(count)).map(Array.init)
  }

  /// Reads a text, which must be UTF-8.
  mutating func text() -> String? {
    blob().flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Reads an optional value: nil means failure, `.some(nil)` no value.
  mutating func optional<Value>(_ read: (inout Self) -> Value?) -> Value?? {
    guard let isThere = flag() else { return nil }
    guard isThere else { return .some(nil) }
    return read(&self).map { .some($0) }
  }

  /// Reads a count and that many values.
  mutating func list<Value>(_ read: (inout Self) -> Value?) -> [Value]? {
    guard let count = number(UInt32.self) else { return nil }
    var values: [Value] = []
    for _ in 0..<count {
      guard let value = read(&self) else { return nil }
      values.append(value)
    }
    return values
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
