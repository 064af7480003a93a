public import LocalAuthCore

/// Makes identifiers that sort in the order in which they were made: UUIDs of version 7.
///
/// Milliseconds since 1970 and a counter of 12 bits come first, 62 random bits after them, as RFC 9562
/// has it (section 5.7, and 6.2 for the counter). Neither a clock that stands nor one that is set back
/// disturbs the order; more than 4096 in a millisecond run ahead of the clock.
public struct ItemIdentifierSource: Sendable {
  /// The milliseconds and the counter of the last one.
  private var last: UInt64 = 0

  /// A source that has made none yet.
  public init() {}

  /// The next identifier, made at `now`.
  public mutating func next(
    at now: WallInstant,
    using random: inout some RandomNumberGenerator
  ) -> ItemIdentifier {
    let milliseconds = UInt64(max(0, now.milliseconds)) & (1 << 48 - 1)
    last = max(last + 1, milliseconds << 12)
    return ItemIdentifier(
      high: (last >> 12) << 16 | 0x7000 | last & 0xFFF,
      low: random.next() & (.max >> 2) | 1 << 63
    )
  }
}

extension ItemIdentifier: Comparable {
  /// The one that was made earlier comes first.
  public static func < (left: ItemIdentifier, right: ItemIdentifier) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
