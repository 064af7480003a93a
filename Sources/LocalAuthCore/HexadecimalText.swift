extension String {
  /// Two lower-case hexadecimal digits for each byte.
  public init(hexadecimal bytes: [UInt8]) {
    // SAFETY: two digits for each byte fill exactly the capacity of `2 * bytes.count`.
    unsafe self.init(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
      for (index, byte) in bytes.enumerated() {
        unsafe digits[2 * index] = Self.digit(byte >> 4)
        unsafe digits[2 * index + 1] = Self.digit(byte & 15)
      }
      return 2 * bytes.count
    }
  }

  /// Thirty-two lower-case hexadecimal digits, those of `high` first.
  init(hexadecimal high: UInt64, _ low: UInt64) {
    // SAFETY: 32 digits are written, which is the capacity.
    unsafe self.init(unsafeUninitializedCapacity: 32) { digits in
      for index in 0..<16 {
        let shift = UInt64(60 - 4 * index)
        unsafe digits[index] = Self.digit(UInt8(truncatingIfNeeded: high >> shift) & 15)
        unsafe digits[16 + index] = Self.digit(UInt8(truncatingIfNeeded: low >> shift) & 15)
      }
      return 32
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

extension [UInt8] {
  /// The bytes written in `text`, two hexadecimal digits of either case each; nil for any other
  /// text.
  public init?(hexadecimal text: String) {
    let digits = text.utf8
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      guard let value = Self.value(of: digit) else { return nil }
      if let first = high { append(first << 4 | value) }
      high = high == nil ? value : nil
    }
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
