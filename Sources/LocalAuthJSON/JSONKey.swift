/// A decoded key of an object, for comparison with literals.
///
/// Keys of up to 24 bytes are stored inside the value, so reading and comparing them allocates
/// nothing and the key may outlive its text.
public struct JSONKey: Sendable {
  /// The first 24 bytes, the first of them in the lowest bits, padded with zeros.
  @usableFromInline let head: (UInt64, UInt64, UInt64)
  /// The whole key if it is longer than that.
  @usableFromInline let long: [UInt8]?
  /// How many bytes of UTF-8 the key has.
  public let count: Int
  /// The offset of the key's opening quote in the text.
  public let offset: Int

  /// Decodes the key that `token` found in `text`.
  init(_ token: JSONStringToken, in text: Span<UInt8>) {
    if token.isVerbatim, token.end - token.start <= 24 {
      self.init(text, token.start..<token.end, long: nil, offset: token.start - 1)
      return
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(token.end - token.start)
    _ = token.decode(text) {
      decoded.append($0)
      return true
    }
    let long = decoded.count > 24 ? decoded : nil
    self.init(decoded.span, 0..<decoded.count, long: long, offset: token.start - 1)
  }

  private init(_ text: Span<UInt8>, _ range: Range<Int>, long: [UInt8]?, offset: Int) {
    let (start, end) = (range.lowerBound, range.upperBound)
    count = end - start
    let first = Self.word(text, from: start, to: end)
    if count <= 8 {
      head = (first, 0, 0)
    } else {
      let second = Self.word(text, from: start + 8, to: end)
      head = (first, second, Self.word(text, from: start + 16, to: end))
    }
    self.long = long
    self.offset = offset
  }

  /// Up to eight bytes from `start`, excluding those from `end` on.
  ///
  /// Always inlined, so that the optimiser computes the word of a literal at compile time.
  @inlinable @inline(__always)
  static func word(_ text: Span<UInt8>, from start: Int, to end: Int) -> UInt64 {
    if start >= end { return 0 }
    if start + 8 <= text.count {
      let bits = UInt64(max(0, 8 - (end - start)) * 8)
      return (JSONText.word(text, at: start) &<< bits) &>> bits
    }
    var word: UInt64 = 0
    for at in start..<end { word |= UInt64(text[at]) << ((at - start) * 8) }
    return word
  }

  /// The key as a `String`.
  public var string: String {
    if let long { return String(decoding: long, as: UTF8.self) }
    // SAFETY: the closure initializes exactly the `count` bytes of the capacity.
    return unsafe String(unsafeUninitializedCapacity: count) { buffer in
      for at in 0..<count {
        let word = at < 8 ? head.0 : at < 16 ? head.1 : head.2
        unsafe buffer[at] = UInt8(truncatingIfNeeded: word >> ((at % 8) * 8))
      }
      return count
    }
  }
}

extension JSONKey {
  /// Whether the key equals the literal.
  @inlinable @inline(__always)
  public static func == (key: JSONKey, literal: StaticString) -> Bool {
    guard key.count == literal.utf8CodeUnitCount else { return false }
    return literal.withUTF8Buffer { buffer in
      let text = unsafe buffer.span
      return key.head.0 == word(text, from: 0, to: text.count)
        && key.head.1 == word(text, from: 8, to: text.count)
        && key.head.2 == word(text, from: 16, to: text.count)
        && (text.count <= 24 || key.hasTail(of: text))
    }
  }

  /// Whether a key longer than 24 bytes equals `text`, of the same length, after those bytes.
  @usableFromInline
  func hasTail(of text: Span<UInt8>) -> Bool {
    guard let long else { return false }
    for at in 24..<text.count where long[at] != text[at] { return false }
    return true
  }

  /// Lets a `switch` over a key use literals as patterns.
  @inlinable @inline(__always)
  public static func ~= (literal: StaticString, key: JSONKey) -> Bool { key == literal }
}
