/// Writes one compact JSON text: the writer handles commas and escapes, the caller order and
/// nesting.
///
/// ```swift
/// try JSONWriter.write(into: &frame) { writer in
///   writer.beginObject()
///   writer.key("policy")
///   writer.string(policy)
///   writer.endObject()
/// }
/// ```
///
/// The first failure is remembered and reported at the end; nothing is written after it.
public struct JSONWriter<Sink: JSONSink & ~Copyable>: ~Copyable {
  @usableFromInline var sink: Sink
  /// Whether a value precedes the next key or value in its object or array.
  @usableFromInline var needsComma = false
  @usableFromInline var depth = 0
  @usableFromInline var failure: JSONWriteError?
  /// Whether the text may be shown on a terminal.
  ///
  /// Characters in strings that are invisible, act on a terminal or reorder a line are then written
  /// as escapes.
  public var isShown = false

  /// Begins a text in `sink`.
  @inlinable
  public init(_ sink: consuming Sink) { self.sink = sink }

  /// Ends the text and returns the sink, or throws the first failure.
  @inlinable
  public consuming func finish() throws(JSONWriteError) -> Sink {
    if let failure { throw failure }
    guard depth == 0, needsComma else { throw .incomplete }
    return sink
  }

  /// Opens an object.
  @inlinable
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes the innermost object.
  @inlinable
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array.
  @inlinable
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes the innermost array.
  @inlinable
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes a key; its value comes next.
  @inlinable
  public mutating func key(_ name: StaticString) {
    name.withUTF8Buffer { key(unsafe $0.span) }
  }

  /// Writes a key that is not known at compile time; its value comes next.
  @inlinable
  public mutating func key(named name: String) {
    var name = name
    name.withUTF8 { key(unsafe $0.span) }
  }

  /// Writes a string.
  @inlinable
  public mutating func string(_ value: String) {
    // Not `utf8.span`: in a release build the compiler frees the copy of a short string before the
    // span that points into it is read, and other memory is written instead.
    var value = value
    value.withUTF8 { text(unsafe $0.span) }
  }

  /// Writes a whole number.
  @inlinable
  public mutating func int(_ value: some FixedWidthInteger & SignedInteger) {
    beginValue()
    digits(Int64(value))
  }

  /// Writes a number with the fewest digits that read back as the same double.
  ///
  /// Infinity and not-a-number become ``JSONWriteError/notFinite``.
  @inlinable
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return fail(.notFinite) }
    beginValue()
    var text = value.description
    text.withUTF8 { put(unsafe $0.span) }
  }

  /// Writes `true` or `false`.
  @inlinable
  public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes `null`.
  @inlinable
  public mutating func null() { literal("null") }
}

extension JSONWriter where Sink: ~Copyable {
  @inlinable
  mutating func open(_ bracket: UInt8) {
    beginValue()
    put(bracket)
    depth += 1
    needsComma = false
  }

  @inlinable
  mutating func close(_ bracket: UInt8) {
    precondition(depth > 0, "nothing is open")
    put(bracket)
    depth -= 1
    needsComma = true
  }

  @inlinable
  mutating func beginValue() {
    if needsComma {
      precondition(depth > 0, "a text holds one value")
      put(UInt8(ascii: ","))
    }
    needsComma = true
  }

  @inlinable
  mutating func literal(_ word: StaticString) {
    beginValue()
    word.withUTF8Buffer { put(unsafe $0.span) }
  }

  @inlinable
  mutating func key(_ name: Span<UInt8>) {
    text(name)
    put(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a string given as valid UTF-8.
  @inlinable
  mutating func text(_ value: Span<UInt8>) {
    beginValue()
    put(UInt8(ascii: "\""))
    if isShown { putShown(value) } else { putEscaped(value) }
    put(UInt8(ascii: "\""))
  }

  @inlinable
  mutating func putEscaped(_ value: Span<UInt8>) {
    var start = 0
    while true {
      let end = JSONText.endOfUnescaped(value, from: start)
      put(value.extracting(start..<end))
      guard end < value.count else { break }
      escape(value[end])
      start = end + 1
    }
  }

  @inlinable
  mutating func escape(_ byte: UInt8) {
    put(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(byte)
    case 0x08: put(UInt8(ascii: "b"))
    case 0x09: put(UInt8(ascii: "t"))
    case 0x0A: put(UInt8(ascii: "n"))
    case 0x0C: put(UInt8(ascii: "f"))
    case 0x0D: put(UInt8(ascii: "r"))
    default:
      // The remaining control characters begin with the digit 0 or 1.
      put(UInt8(ascii: "u"))
      put(UInt8(ascii: "0"))
      put(UInt8(ascii: "0"))
      put(UInt8(ascii: "0") + byte >> 4)
      put(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10)
    }
  }

  @inlinable
  mutating func digits(_ value: Int64) {
    // 19 digits and a sign.
    var text = InlineArray<20, UInt8>(repeating: 0)
    var start = text.count
    var rest = value.magnitude
    repeat {
      start -= 1
      text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    if value < 0 {
      start -= 1
      text[start] = UInt8(ascii: "-")
    }
    put(text.span.extracting(start..<text.count))
  }

  @inlinable @inline(__always)
  mutating func put(_ byte: UInt8) {
    guard failure == nil else { return }
    if !sink.append(byte) { fail(.bufferFull) }
  }

  @inlinable
  mutating func put(_ bytes: Span<UInt8>) {
    guard failure == nil else { return }
    if !sink.append(bytes) { fail(.bufferFull) }
  }

  @inlinable
  mutating func fail(_ error: JSONWriteError) {
    if failure == nil { failure = error }
  }
}
