/// A string that was checked, without its quotes, but not decoded yet.
///
/// Because it is checked first, no byte of a malformed string is ever passed on.
struct JSONStringToken {
  let start: Int
  let end: Int
  /// Whether the bytes are the text; if not, escapes must be replaced.
  let isVerbatim: Bool

  /// Checks the string whose opening quote is at `quote`.
  init(scanning text: Span<UInt8>, from quote: Int) throws(JSONError) {
    var isVerbatim = true
    var at = JSONText.endOfASCII(text, from: quote + 1)
    while true {
      guard at < text.count else { throw JSONError(.unexpectedEnd, at: text.count) }
      switch text[at] {
      case UInt8(ascii: "\""):
        (start, end, self.isVerbatim) = (quote + 1, at, isVerbatim)
        return
      case UInt8(ascii: "\\"):
        isVerbatim = false
        at = try JSONEscape(text, at: at).end
      case 0x00..<0x20:
        throw JSONError(.controlCharacter, at: at)
      default:
        guard let next = JSONText.endOfScalar(text, from: at) else {
          throw JSONError(.invalidUTF8, at: at)
        }
        at = next
      }
      at = JSONText.endOfASCII(text, from: at)
    }
  }

  /// Passes on the text byte by byte until `append` returns false.
  ///
  /// Returns whether all of it was taken.
  func decode(_ text: Span<UInt8>, _ append: (UInt8) -> Bool) -> Bool {
    var at = start
    while at < end {
      if text[at] != UInt8(ascii: "\\") {
        guard append(text[at]) else { return false }
        at += 1
      } else if let escape = try? JSONEscape(text, at: at) {
        for byte in UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter {
          guard append(byte) else { return false }
        }
        at = escape.end
      } else {
        // Cannot happen: the scan above accepted this escape.
        return false
      }
    }
    return true
  }
}

/// One escape: its scalar and where it ends.
struct JSONEscape {
  let scalar: Unicode.Scalar
  let end: Int

  /// Reads the escape whose backslash is at `start`.
  init(_ text: Span<UInt8>, at start: Int) throws(JSONError) {
    guard start + 1 < text.count else { throw JSONError(.unexpectedEnd, at: text.count) }
    switch text[start + 1] {
    case UInt8(ascii: "\""): scalar = "\""
    case UInt8(ascii: "\\"): scalar = "\\"
    case UInt8(ascii: "/"): scalar = "/"
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{C}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "u"):
      self = try JSONEscape(hexadecimal: text, at: start)
      return
    default: throw JSONError(.invalidEscape, at: start)
    }
    end = start + 2
  }

  /// Reads `\uXXXX`, or two of them if the first is a high surrogate.
  private init(hexadecimal text: Span<UInt8>, at start: Int) throws(JSONError) {
    let first = try Self.unit(text, at: start)
    if let scalar = Unicode.Scalar(first) {
      (self.scalar, end) = (scalar, start + 6)
      return
    }
    guard first < 0xDC00, start + 7 < text.count, text[start + 6] == UInt8(ascii: "\\"),
      text[start + 7] == UInt8(ascii: "u")
    else { throw JSONError(.loneSurrogate, at: start) }
    let second = try Self.unit(text, at: start + 6)
    guard 0xDC00..<0xE000 ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw JSONError(.loneSurrogate, at: start) }
    (self.scalar, end) = (scalar, start + 12)
  }

  /// The four hexadecimal digits after `\u`.
  private static func unit(_ text: Span<UInt8>, at start: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for at in start + 2..<start + 6 {
      guard at < text.count else { throw JSONError(.unexpectedEnd, at: text.count) }
      switch text[at] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(text[at] - 0x30)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(text[at] - 0x37)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(text[at] - 0x57)
      default: throw JSONError(.invalidEscape, at: start)
      }
    }
    return value
  }
}
