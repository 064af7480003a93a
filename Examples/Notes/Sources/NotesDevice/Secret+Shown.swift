import LocalAuthFiles

extension Secret {
  /// The first lines, with a question mark in place of each control character, so that nothing of them drives a terminal.
  public borrowing func shown(lines limit: Int = .max) -> Secret {
    var shown = Secret(capacity: count + 1)
    withUnsafeBytes { bytes in
      var lines = 1
      var previous: UInt8 = 0
      for byte in bytes {
        if byte == UInt8(ascii: "\n") { lines += 1 }
        guard lines <= limit else { break }
        _ = shown.append(Self.isControl(byte, after: previous) ? UInt8(ascii: "?") : byte)
        previous = byte
      }
    }
    _ = shown.append(UInt8(ascii: "\n"))
    return shown
  }

  private static func isControl(_ byte: UInt8, after previous: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\t"): false
    case 0..<0x20, 0x7F: true
    // Those of 8 bits, in UTF-8.
    case 0x80..<0xA0: previous == 0xC2
    default: false
    }
  }
}
