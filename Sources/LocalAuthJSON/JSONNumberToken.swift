/// A number that was checked against the grammar, but not converted yet.
struct JSONNumberToken {
  let start: Int
  private(set) var end: Int
  let isNegative: Bool
  /// Whether the number has neither a fraction nor an exponent.
  private(set) var isInteger = true
  /// The digits before fraction and exponent; nil if they do not fit.
  private(set) var magnitude: UInt64? = 0

  /// Checks the number that begins at `start`.
  init(scanning text: Span<UInt8>, from start: Int) throws(JSONError) {
    self.start = start
    isNegative = text[start] == UInt8(ascii: "-")
    end = isNegative ? start + 1 : start
    try scanWhole(text)
    if end < text.count, text[end] == UInt8(ascii: ".") {
      isInteger = false
      end += 1
      try scanDigits(text)
    }
    if end < text.count, text[end] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      end += 1
      if end < text.count, text[end] == UInt8(ascii: "+") || text[end] == UInt8(ascii: "-") {
        end += 1
      }
      try scanDigits(text)
    }
  }

  /// The number as a 64-bit integer; nil if it does not fit.
  ///
  /// Ignores fraction and exponent; check ``isInteger`` first.
  var integer: Int64? {
    guard let magnitude else { return nil }
    if !isNegative { return Int64(exactly: magnitude) }
    return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }

  private mutating func scanWhole(_ text: Span<UInt8>) throws(JSONError) {
    let first = end
    var value: UInt64 = 0
    var hasOverflowed = false
    while end < text.count, let digit = Self.digit(text[end]) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      hasOverflowed = hasOverflowed || overflow || carry
      value = sum
      end += 1
    }
    guard end > first else { throw missingDigit(text) }
    if text[first] == UInt8(ascii: "0"), end > first + 1 {
      throw JSONError(.invalidNumber, at: start)
    }
    magnitude = hasOverflowed ? nil : value
  }

  private mutating func scanDigits(_ text: Span<UInt8>) throws(JSONError) {
    let first = end
    while end < text.count, Self.digit(text[end]) != nil { end += 1 }
    guard end > first else { throw missingDigit(text) }
  }

  private func missingDigit(_ text: Span<UInt8>) -> JSONError {
    end < text.count
      ? JSONError(.invalidNumber, at: start) : JSONError(.unexpectedEnd, at: text.count)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    let value = byte &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }
}
