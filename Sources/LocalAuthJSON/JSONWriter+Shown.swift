extension JSONWriter where Sink: ~Copyable {
  /// Writes the content of a string so that it stands for itself on a terminal: control and format
  /// characters, which move a cursor, reorder a line or are invisible, become escapes.
  @usableFromInline
  mutating func putShown(_ value: Span<UInt8>) {
    var start = 0
    while start < value.count {
      if value[start] < 0x7F {
        if JSONText.isPlain(value[start]) { put(value[start]) } else { escape(value[start]) }
        start += 1
        continue
      }
      guard let end = JSONText.endOfScalar(value, from: start) else { return fail(.invalidUTF8) }
      let bytes = value.extracting(start..<end)
      if let scalar = Self.scalar(bytes), Self.isUnseen(scalar) {
        for unit in String(scalar).utf16 { put(escapeOf: unit) }
      } else {
        put(bytes)
      }
      start = end
    }
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// The scalar of one well-formed UTF-8 sequence.
  private static func scalar(_ bytes: Span<UInt8>) -> Unicode.Scalar? {
    let masks: [5 of UInt8] = [0, 0x7F, 0x1F, 0x0F, 0x07]
    var bits = UInt32(bytes[0] & masks[bytes.count])
    for index in 1..<max(bytes.count, 1) { bits = bits << 6 | UInt32(bytes[index] & 0x3F) }
    return Unicode.Scalar(bits)
  }

  private mutating func put(escapeOf unit: UInt16) {
    put(UInt8(ascii: "\\"))
    put(UInt8(ascii: "u"))
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(unit >> UInt16(shift) & 15)
      put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
