extension [UInt8] {
  /// Appends `number` in its own width, lowest byte first, as all stored numbers are.
  mutating func append(littleEndian number: some FixedWidthInteger) {
    // SAFETY: the bytes of the number are copied while they are lent.
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends `number`, lowest byte first.
  mutating func append(littleEndian number: UInt64) {
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

extension FixedWidthInteger {
  /// Makes the number from its bytes, lowest first; there must be no more bytes than it has.
  init(littleEndian bytes: ArraySlice<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
  }
}
