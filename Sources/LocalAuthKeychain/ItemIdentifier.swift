import LocalAuthCore

/// The permanent identifier of an item: 128 bits, a UUID.
public struct ItemIdentifier: Hashable, Sendable {
  /// The upper half.
  public var high: UInt64
  /// The lower half.
  public var low: UInt64

  /// The identifier with these halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Both halves as one number.
  public var number: UInt128 { UInt128(high) << 64 | UInt128(low) }

  /// The identifier of 16 bytes; nil for any other count.
  @inlinable
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Parses the form that ``text`` writes, in either case; nil for any other text.
  public init?(text: String) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
      let bytes = [UInt8](hexadecimal: groups.joined())
    else { return nil }
    self.init(bytes: bytes)
  }

  /// Its 16 bytes, the most significant first.
  public var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

  /// The usual text: 36 upper-case characters.
  public var text: String {
    // SAFETY: 32 digits and 4 hyphens fill the 36 places.
    unsafe String(unsafeUninitializedCapacity: 36) { characters in
      var place = 0
      for half in [high, low] {
        for shift in stride(from: 60, through: 0, by: -4) {
          let digit = UInt8(truncatingIfNeeded: half >> UInt64(shift)) & 15
          // SAFETY: as above. Hyphens are after the 8th, 12th, 16th and 20th digit.
          if place == 8 || place == 13 || place == 18 || place == 23 {
            unsafe characters[place] = UInt8(ascii: "-")
            place += 1
          }
          unsafe characters[place] = digit + UInt8(ascii: digit < 10 ? "0" : "7")
          place += 1
        }
      }
      return place
    }
  }
}

extension FixedWidthInteger {
  /// The bytes, the most significant first.
  var bigEndianBytes: [UInt8] {
    // SAFETY: the bytes of the number are copied while they are lent.
    unsafe withUnsafeBytes(of: bigEndian) { unsafe [UInt8]($0) }
  }
}

extension [UInt8] {
  /// Appends `number` in its own width, the most significant byte first.
  mutating func append(bigEndian number: some FixedWidthInteger) {
    // SAFETY: the bytes of the number are copied while they are lent.
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { unsafe append(contentsOf: $0) }
  }
}
