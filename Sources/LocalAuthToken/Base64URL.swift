/// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5, RFC 7515 section 2).
public enum Base64URL {
  /// Encodes `bytes`.
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    encode(Array(bytes), onto: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Encodes `bytes` and appends the result to `text`.
  public static func encode(_ bytes: [UInt8], onto text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count * 4 + 2) / 3)
    var index = 0
    while index < bytes.count {
      let taken = min(3, bytes.count - index)
      var held: UInt32 = 0
      for offset in 0..<3 {
        held = held << 8 | (offset < taken ? UInt32(bytes[index + offset]) : 0)
      }
      // One byte takes two letters, two bytes take three.
      for place in 0...taken { text.append(letter(held >> UInt32(18 - 6 * place) & 63)) }
      index += taken
    }
  }

  private static func letter(_ value: UInt32) -> UInt8 {
    switch UInt8(truncatingIfNeeded: value) {
    case let value where value < 26: UInt8(ascii: "A") + value
    case let value where value < 52: UInt8(ascii: "a") + value - 26
    case let value where value < 62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "-")
    default: UInt8(ascii: "_")
    }
  }

  /// Decodes `text`; nil unless it is the canonical encoding.
  ///
  /// Padding, blanks and nonzero leftover bits are refused, so that no two texts decode to the same
  /// bytes.
  public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var held: UInt32 = 0
    var bits = 0
    for letter in text {
      guard let value = value(of: letter) else { return nil }
      held = held << 6 | value
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
      held &= 1 << UInt32(bits) - 1
    }
    // Fewer than six bits may be left over, and they must be zero.
    guard bits < 6, held == 0 else { return nil }
    return bytes
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
