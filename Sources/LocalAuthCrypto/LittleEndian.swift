extension [UInt8] {
  /// Adds `number` in its own width, the lowest byte first, as everything that is stored has it.
  mutating func append(littleEndian number: some FixedWidthInteger) {
    // SAFETY: the bytes of the number are copied while they are lent.
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }
}

extension OutputSpan<UInt8> {
  /// Adds `number`, the lowest byte first.
  mutating func append(littleEndian number: UInt64) {
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

extension FixedWidthInteger {
  /// The number whose bytes these are, the lowest first; no more than the number has.
  init(littleEndian bytes: ArraySlice<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
  }
}
