import LocalAuthSecret

/// Base32 (RFC 4648), as keys of one-time codes are written: in small or capital letters, also in
/// groups.
enum Base32 {
  /// Decodes all bytes of `text`; nil if it is not base32.
  ///
  /// Blanks and dashes are left out, and padding may be missing.
  static func decode(_ text: borrowing Secret) -> Secret? {
    // SAFETY: the bytes are only read within the call.
    unsafe text.withUnsafeBytes { bytes in
      var decoded = Secret(capacity: bytes.count)
      var (bits, count, digits, padding) = (UInt32(0), 0, 0, 0)
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") { continue }
        if byte == UInt8(ascii: "=") {
          padding += 1
          continue
        }
        guard padding == 0, let value = value(of: byte) else { return nil }
        digits += 1
        bits = bits << 5 | UInt32(value)
        count += 5
        if count >= 8 {
          count -= 8
          _ = decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
      }
      // Other lengths stand for no whole number of bytes.
      guard [0, 2, 4, 5, 7].contains(digits % 8), padding == 0 || (digits + padding) % 8 == 0 else {
        return nil
      }
      return decoded
    }
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a")
    case UInt8(ascii: "2")...UInt8(ascii: "7"): byte - UInt8(ascii: "2") + 26
    default: nil
    }
  }
}
