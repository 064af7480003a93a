import LocalAuthCore

/// Sizes as people read them: `0 bytes`, `1 byte`, `999 bytes`, `1.5 KiB`, `12 MiB`.
enum ByteText {
  private static let units = ["KiB", "MiB", "GiB", "TiB"]

  /// The text of so many bytes, with one digit behind the point below ten.
  static func of(_ bytes: Int64) -> String {
    guard bytes >= 1024 else { return CountText.of(bytes, "byte") }
    var tenths = bytes * 10 / 1024
    var unit = 0
    while tenths >= 10_240, unit + 1 < units.count {
      tenths /= 1024
      unit += 1
    }
    let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
    return "\(number) \(units[unit])"
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit in ASCII; nil for another byte.
  var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
