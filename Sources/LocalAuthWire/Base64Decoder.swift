/// Decodes base64 (RFC 4648, section 4) one character at a time; padding is required, and only the
/// canonical encoding is accepted.
///
/// It holds only the bits of an incomplete byte, so a secret can be decoded straight into wiped
/// memory.
public struct Base64Decoder: Sendable {
  /// The bits of an incomplete byte.
  private var bits: UInt8 = 0
  /// The number of characters read of the current group of four, padding included.
  private var place = 0
  private var padding = 0
  private var hasEnded = false

  /// Creates a decoder at the beginning of a text.
  public init() {}

  /// Whether the text may end here.
  public var isComplete: Bool { place == 0 }

  /// Takes the next character and passes the byte that it completes, if any, to `append`.
  ///
  /// Returns false if the character is not allowed at this place, or if `append` has no room.
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

  /// Padding is allowed only in an incomplete group, and unused bits must be zero.
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
