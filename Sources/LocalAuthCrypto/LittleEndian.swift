extension OutputSpan<UInt8> {
  /// Appends `number`, lowest byte first.
  mutating func append(littleEndian number: UInt64) {
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
