public import LocalAuthCore

/// Makes identifiers that sort in the order of their creation: UUIDs of version 7.
///
/// As in RFC 9562 (section 5.7, and 6.2 for the counter), milliseconds since 1970 and a 12-bit
/// counter come first, then 62 random bits. Neither a stopped clock nor one that is set back
/// disturbs the order; more than 4096 identifiers in a millisecond run ahead of the clock.
public struct ItemIdentifierSource: Sendable {
  /// What identifiers that follow no clock begin with, behind all that this makes.
  public static let reserved: UInt64 = 0xFFFF << 48
  /// The last time that counts, in milliseconds since 1970: the year 10889.
  private static let latest: Int64 = 0xFFFE_FFFF_FFFF

  /// The milliseconds and the counter of the last identifier.
  private var last: UInt64 = 0

  /// Creates a source that has made no identifier yet.
  public init() {}

  /// The next identifier, made at `now`.
  public mutating func next(
    at now: WallInstant,
    using random: inout some RandomNumberGenerator
  ) -> ItemIdentifier {
    let milliseconds = UInt64(min(max(0, now.milliseconds), Self.latest))
    last = max(last + 1, milliseconds << 12)
    return ItemIdentifier(
      high: (last >> 12) << 16 | 0x7000 | last & 0xFFF,
      low: random.next() & (.max >> 2) | 1 << 63
    )
  }
}

extension ItemIdentifier: Comparable {
  /// Orders identifiers by creation, the earlier one first.
  public static func < (left: ItemIdentifier, right: ItemIdentifier) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
