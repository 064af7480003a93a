extension JSONReader {
  /// Reads a string.
  public mutating func string() throws(JSONError) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw mismatch(.string) }
    let token = try scanString()
    // SAFETY: the token lies inside the source, and an escape never decodes to more bytes than it
    // is written with.
    if token.isVerbatim {
      return unsafe String(
        decoding: UnsafeBufferPointer(rebasing: source[token.start..<token.end]),
        as: UTF8.self
      )
    }
    let text = unsafe source.span
    return unsafe String(unsafeUninitializedCapacity: token.end - token.start) { buffer in
      var count = 0
      _ = token.decode(text) { byte in
        unsafe buffer[count] = byte
        count += 1
        return true
      }
      return count
    }
  }

  /// Reads a secret string byte by byte into memory that the caller provides.
  ///
  /// No byte is passed on before the whole string has been checked. The text itself still holds the
  /// secret; its owner must wipe it.
  ///
  /// `append` takes one byte of UTF-8 and returns false if it has no room, which throws
  /// ``JSONError/Kind/stringTooLong``; the caller must wipe the bytes taken until then.
  public mutating func secretString(_ append: (UInt8) -> Bool) throws(JSONError) {
    guard peek() == UInt8(ascii: "\"") else { throw mismatch(.string) }
    let start = offset
    let token = try scanString()
    guard token.decode(unsafe source.span, append) else {
      throw JSONError(.stringTooLong, at: start)
    }
  }

  /// Reads a string that is no secret, and lends all of its bytes of UTF-8 at once to `body`.
  ///
  /// `body` returns nil if it does not take them, which throws ``JSONError/Kind/stringTooLong``.
  public mutating func lentString<Result>(
    _ body: (Span<UInt8>) -> Result?
  ) throws(JSONError) -> Result {
    guard peek() == UInt8(ascii: "\"") else { throw mismatch(.string) }
    let start = offset
    let token = try scanString()
    let text = unsafe source.span
    let result: Result?
    if token.isVerbatim {
      result = body(text.extracting(token.start..<token.end))
    } else {
      var decoded: [UInt8] = []
      _ = token.decode(text) { byte in
        decoded.append(byte)
        return true
      }
      result = body(decoded.span)
    }
    guard let result else { throw JSONError(.stringTooLong, at: start) }
    return result
  }

  /// Reads a whole number, written without fraction or exponent, that fits 64 bits.
  public mutating func int() throws(JSONError) -> Int64 {
    let token = try number()
    guard token.isInteger else { throw JSONError(.expectedInteger, at: token.start) }
    guard let value = token.integer else { throw JSONError(.numberOutOfRange, at: token.start) }
    return value
  }

  /// Reads a number as the double nearest to it.
  public mutating func double() throws(JSONError) -> Double {
    try double(number())
  }

  /// Reads `true` or `false`.
  public mutating func bool() throws(JSONError) -> Bool {
    switch peek() {
    case UInt8(ascii: "t"): return try literal("true", true)
    case UInt8(ascii: "f"): return try literal("false", false)
    default: throw mismatch(.boolean)
    }
  }

  /// Reads `null` if it comes next and returns whether it did; any other value stays unread.
  public mutating func isNull() throws(JSONError) -> Bool {
    try peekKind() == .null ? literal("null", true) : false
  }

  /// The double nearest to a number.
  func double(_ token: JSONNumberToken) throws(JSONError) -> Double {
    // Every integer up to 2^53 is exactly a double.
    if token.isInteger, let magnitude = token.magnitude, magnitude <= 1 << 53 {
      return token.isNegative ? -Double(magnitude) : Double(magnitude)
    }
    // SAFETY: the token lies inside the source.
    let digits = unsafe String(
      decoding: UnsafeBufferPointer(rebasing: source[token.start..<token.end]),
      as: UTF8.self
    )
    guard let value = Double(digits), value.isFinite else {
      throw JSONError(.numberOutOfRange, at: token.start)
    }
    return value
  }

  /// Reads a number of any form.
  mutating func number() throws(JSONError) -> JSONNumberToken {
    switch peek() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try scanNumber()
    default: throw mismatch(.number)
    }
  }

  mutating func scanNumber() throws(JSONError) -> JSONNumberToken {
    let token = try JSONNumberToken(scanning: unsafe source.span, from: offset)
    offset = token.end
    return token
  }

  @inline(__always)
  mutating func scanString() throws(JSONError) -> JSONStringToken {
    let token = try JSONStringToken(scanning: unsafe source.span, from: offset)
    offset = token.end + 1
    return token
  }

  /// The error for a value that is missing or of another kind than `kind`.
  mutating func mismatch(_ kind: JSONKind) -> JSONError {
    do throws(JSONError) {
      _ = try peekKind()
      return JSONError(.expected(kind), at: offset)
    } catch {
      return error
    }
  }

  private mutating func literal(_ word: StaticString, _ value: Bool) throws(JSONError) -> Bool {
    let text = unsafe source.span
    let start = offset
    let count = word.utf8CodeUnitCount
    let isMatch = word.withUTF8Buffer { letters in
      guard start + count <= text.count else { return false }
      for at in 0..<count where unsafe letters[at] != text[start + at] { return false }
      return true
    }
    guard isMatch else { throw failure(.expectedValue) }
    offset += count
    return value
  }
}
