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

extension Base64Decoder {
  /// What is no digit.
  private static let noDigit: UInt8 = 0xFF

  /// The six bits of each character, by its code.
  private static let digits: [UInt8] = (0...UInt8.max).map { value(of: $0) ?? noDigit }

  /// The bytes of a text that is no secret: which entries of a table are read depends on it.
  ///
  /// - Parameters:
  ///   - text: The characters.
  ///   - decoder: A new decoder, which takes the last characters: the text may end where it is complete.
  /// - Returns: the bytes; nil if a character is not allowed at its place.
  static func bytes(of text: Span<UInt8>, endingIn decoder: inout Base64Decoder) -> [UInt8]? {
    // The last group may be padded or incomplete.
    let whole = max(0, (text.count - 1) / 4 * 4)
    var isValid = true
    // SAFETY: each four characters make three bytes, all of which are written.
    var bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) {
      buffer,
      count in
      isValid = unsafe decode(text.extracting(..<whole), into: buffer)
      count = whole / 4 * 3
    }
    guard isValid else { return nil }
    for index in whole..<text.count {
      let isTaken = decoder.take(text[index]) { byte in
        bytes.append(byte)
        return true
      }
      guard isTaken else { return nil }
    }
    return bytes
  }

  /// Decodes whole groups without padding; false if a character is no digit.
  @unsafe
  private static func decode(
    _ text: Span<UInt8>,
    into bytes: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    let digits = digits.span
    var found: UInt8 = 0
    var end = 0
    for start in stride(from: 0, to: text.count, by: 4) {
      // SAFETY: the load is bounds-checked, and every bit pattern is a valid UInt32.
      let four = unsafe UInt32(
        littleEndian: text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self)
      )
      let first = digits[Int(four & 0xFF)]
      let second = digits[Int(four >> 8 & 0xFF)]
      let third = digits[Int(four >> 16 & 0xFF)]
      let fourth = digits[Int(four >> 24)]
      found |= first | second | third | fourth
      // SAFETY: the caller has room for three bytes a group.
      unsafe bytes[end] = first << 2 | second >> 4
      unsafe bytes[end + 1] = second << 4 | third >> 2
      unsafe bytes[end + 2] = third << 6 | fourth
      end += 3
    }
    return found < 64
  }
}
