/// A digest of 32 bytes, kept in place: a chain has one for each entry.
public struct SyncDigest: Hashable, Comparable, Sendable {
  /// The bytes of a digest.
  public static let size = 32
  /// What stands before the first entry of a chain.
  public static let none = SyncDigest(words: (0, 0, 0, 0))

  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  private init(words: (UInt64, UInt64, UInt64, UInt64)) {
    (first, second, third, fourth) = words
  }

  /// Reads 32 bytes; nil for any other count.
  public init?(_ bytes: [UInt8]) { self.init(slice: bytes[...]) }

  init?(slice bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    for byte in bytes {
      words.0 = words.0 << 8 | words.1 >> 56
      words.1 = words.1 << 8 | words.2 >> 56
      words.2 = words.2 << 8 | words.3 >> 56
      words.3 = words.3 << 8 | UInt64(byte)
    }
    self.init(words: words)
  }

  /// Its bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    append(to: &bytes)
    return bytes
  }

  func append(to bytes: inout [UInt8]) {
    // SAFETY: the bytes of the words are copied while they are lent.
    unsafe withUnsafeBytes(
      of: (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)
    ) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Its first byte, which says in which bucket of a manifest a name is.
  var bucket: Int { Int(first >> 56) }

  /// Orders digests by their bytes.
  public static func < (left: Self, right: Self) -> Bool {
    (left.first, left.second, left.third, left.fourth)
      < (right.first, right.second, right.third, right.fourth)
  }
}
