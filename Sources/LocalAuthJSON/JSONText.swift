/// The byte-level rules of JSON strings, shared by the reader and the writer.
///
/// Every function takes a `Span`, whose subscript is checked in release builds too, so a mistake
/// here stops the process instead of reading adjacent memory.
@usableFromInline
enum JSONText {
  /// Eight copies of the same byte, to test eight bytes of text in one step.
  @inlinable
  static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Eight bytes of text, the first in the lowest bits.
  @inlinable
  static func word(_ text: Span<UInt8>, at index: Int) -> UInt64 {
    // SAFETY: the load is bounds-checked, and every bit pattern is a valid UInt64.
    unsafe UInt64(
      littleEndian: text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
    )
  }

  /// Sets the high bit of each byte that is a quote, a backslash or a control character.
  ///
  /// A borrow can mark bytes above the first mark wrongly, and bytes from 0x80 up may or may not be
  /// marked; callers mask the latter and use the lowest mark only.
  @inlinable
  static func marks(_ word: UInt64) -> UInt64 {
    let quotes = (word ^ repeated(UInt8(ascii: "\""))) &- repeated(1)
    let backslashes = (word ^ repeated(UInt8(ascii: "\\"))) &- repeated(1)
    return quotes | backslashes | (word &- repeated(0x20))
  }

  /// The index of the first byte from `index` on that is not plain ASCII text.
  @inlinable
  static func endOfASCII(_ text: Span<UInt8>, from index: Int) -> Int {
    var at = index
    while at &+ 8 <= text.count {
      let eight = word(text, at: at)
      let found = (marks(eight) | eight) & repeated(0x80)
      if found != 0 { return at &+ found.trailingZeroBitCount / 8 }
      at &+= 8
    }
    while at < text.count, isPlain(text[at]), text[at] < 0x80 { at &+= 1 }
    return at
  }

  /// The index of the first byte from `index` on that a writer must escape.
  @inlinable
  static func endOfUnescaped(_ text: Span<UInt8>, from index: Int) -> Int {
    var at = index
    while at &+ 8 <= text.count {
      let eight = word(text, at: at)
      let found = marks(eight) & ~eight & repeated(0x80)
      if found != 0 { return at &+ found.trailingZeroBitCount / 8 }
      at &+= 8
    }
    while at < text.count, isPlain(text[at]) { at &+= 1 }
    return at
  }

  /// Whether the byte may stand in a string unescaped.
  @inlinable
  static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// The end of the UTF-8 sequence that begins at `index`, or nil if there is none.
  ///
  /// Follows table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above
  /// U+10FFFF.
  @inlinable
  static func endOfScalar(_ text: Span<UInt8>, from index: Int) -> Int? {
    let second: ClosedRange<UInt8>
    let length: Int
    switch text[index] {
    case 0x00...0x7F: return index + 1
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard index + length <= text.count, second.contains(text[index + 1]) else { return nil }
    for at in index + 2..<max(index + length, index + 2) where text[at] & 0xC0 != 0x80 {
      return nil
    }
    return index + length
  }

  /// Whether the whole text is UTF-8.
  @inlinable
  static func isUTF8(_ text: Span<UInt8>) -> Bool {
    var at = 0
    while at < text.count {
      guard let end = endOfScalar(text, from: at) else { return false }
      at = end
    }
    return true
  }
}
