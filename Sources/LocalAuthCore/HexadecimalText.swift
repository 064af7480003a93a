extension String {
  /// Two lower-case hexadecimal digits for each byte.
  public init(hexadecimal bytes: [UInt8]) {
    // SAFETY: two digits for each byte are as many as there is room for.
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
    // SAFETY: there is room for as many digits as are written.
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
