extension String {
  /// Two lower-case hexadecimal digits for each byte.
  public init(hexadecimal bytes: [UInt8]) {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      digits.append(Self.digit(byte >> 4))
      digits.append(Self.digit(byte & 15))
    }
    self.init(decoding: digits, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
