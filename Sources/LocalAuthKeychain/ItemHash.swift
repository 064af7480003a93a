/// The keyed hash of an item's ``PrimaryKey``, by which the store identifies the item.
///
/// The holder of the hash key computes it; the store sees neither the key nor the input.
public struct ItemHash: Hashable, Sendable {
  /// The four words of the hash, each read from 8 bytes in big-endian order.
  public let words: InlineArray<4, UInt64>

  /// The hash with these 32 bytes; nil for any other count.
  @inlinable
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var words = InlineArray<4, UInt64>(repeating: 0)
    var rest = bytes.makeIterator()
    for index in words.indices {
      var word: UInt64 = 0
      for _ in 0..<8 { word = word << 8 | UInt64(rest.next() ?? 0) }
      words[index] = word
    }
    self.words = words
  }

  /// The size of a hash in bytes.
  public static let byteCount = 32

  /// Its 32 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.byteCount)
    for index in words.indices { bytes.append(bigEndian: words[index]) }
    return bytes
  }

  /// Whether all words are the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.words.indices.allSatisfy { left.words[$0] == right.words[$0] }
  }

  /// Hashes all words.
  public func hash(into hasher: inout Hasher) {
    for index in words.indices { hasher.combine(words[index]) }
  }
}

/// The keyed hash of one ``SearchTerm``, by which items are found.
public struct TermHash: Hashable, Sendable {
  /// The number of the attribute, assigned where the hash is computed and never changed.
  public var attribute: UInt8
  /// The upper half of the hash.
  public var high: UInt64
  /// The lower half.
  public var low: UInt64

  /// The hash with these 16 bytes, of the attribute with the number `attribute`; nil for any other
  /// count.
  @inlinable
  public init?(attribute: UInt8, bytes: some Collection<UInt8>) {
    guard let halves = ItemIdentifier(bytes: bytes) else { return nil }
    self.init(attribute: attribute, high: halves.high, low: halves.low)
  }

  /// The hash with these halves.
  public init(attribute: UInt8, high: UInt64, low: UInt64) {
    self.attribute = attribute
    self.high = high
    self.low = low
  }
}
