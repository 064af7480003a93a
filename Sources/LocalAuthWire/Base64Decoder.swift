/// Decodes base64 (RFC 4648, section 4), one character at a time: with padding, and only the one
/// spelling that each run of bytes has.
///
/// It holds no more than the bits that do not make a byte yet, so that a secret can be decoded
/// straight into memory that is wiped.
public struct Base64Decoder: Sendable {
  /// Bits that do not make a byte yet.
  private var bits: UInt8 = 0
  /// How many characters of the group of four have come, padding included.
  private var place = 0
  private var padding = 0
  private var hasEnded = false

  /// Nothing has come yet.
  public init() {}

  /// Whether the text may end here.
  public var isComplete: Bool { place == 0 }

  /// Takes the next character and hands over the byte that is complete with it, if one is.
  ///
  /// False for a character that cannot stand there, or when `append` has no room.
  public mutating func take(_ character: UInt8, _ append: (UInt8) -> Bool) -> Bool {
    guard !hasEnded else { return false }
    if character == UInt8(ascii: "=") { return takePadding() }
    guard padding == 0, let value = Self.value(of: character) else { return false }
    defer { place = (place + 1) % 4 }
    switch place {
    case 0:
      bits = value
      return true
    case 1: return complete(bits << 2 | value >> 4, leaving: value & 0x0F, append)
    case 2: return complete(bits << 4 | value >> 2, leaving: value & 0x03, append)
    default: return complete(bits << 6 | value, leaving: 0, append)
    }
  }

  private mutating func complete(
    _ byte: UInt8,
    leaving rest: UInt8,
    _ append: (UInt8) -> Bool
  ) -> Bool {
    bits = rest
    return append(byte)
  }

  /// Padding stands only where a group lacks bytes, and bits that no byte needs must be zero.
  private mutating func takePadding() -> Bool {
    guard place >= 2, bits == 0 else { return false }
    padding += 1
    place = (place + 1) % 4
    hasEnded = place == 0
    return true
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
