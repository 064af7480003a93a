extension [UInt8] {
  /// Appends `number` in its own width, lowest byte first, as all stored numbers are.
  package mutating func append(littleEndian number: some FixedWidthInteger) {
    // SAFETY: the bytes of the number are copied while they are lent.
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }
}

extension FixedWidthInteger {
  /// Makes the number from its bytes, lowest first; there must be no more bytes than it has.
  @inlinable
  package init(littleEndian bytes: ArraySlice<UInt8>) {
    self = 0
    var place = 0
    for byte in bytes {
      self |= Self(truncatingIfNeeded: byte) << place
      place += 8
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends `number` in its own width, lowest byte first.
  @inlinable
  package mutating func append(littleEndian number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
