extension JSONWriter where Sink == JSONGrowingBuffer {
  /// Appends the text that `body` writes to `bytes`, whose capacity is reused.
  ///
  /// After a failure `bytes` has its former length, so that a partial text is never sent.
  @inlinable
  public static func write(
    into bytes: inout [UInt8],
    _ body: (inout JSONWriter<JSONGrowingBuffer>) -> Void
  ) throws(JSONWriteError) {
    let count = bytes.count
    var writer = JSONWriter(JSONGrowingBuffer(appendingTo: exchange(&bytes, with: [])))
    body(&writer)
    let error = writer.failure ?? (writer.depth == 0 && writer.needsComma ? nil : .incomplete)
    swap(&bytes, &writer.sink.bytes)
    guard let error else { return }
    bytes.removeLast(bytes.count - count)
    throw error
  }
}

extension JSONWriter where Sink == JSONFixedBuffer {
  /// Writes the text of `body` to the start of `memory` and returns its length in bytes.
  ///
  /// Nothing outside `memory` is written, so a text with a secret stays in locked memory. After a
  /// failure part of the text may be there; its owner must wipe it.
  @unsafe
  public static func write(
    into memory: UnsafeMutableRawBufferPointer,
    _ body: (inout JSONWriter<JSONFixedBuffer>) -> Void
  ) throws(JSONWriteError) -> Int {
    var writer = unsafe JSONWriter(JSONFixedBuffer(memory))
    body(&writer)
    return try writer.finish().count
  }
}

extension JSONWriter where Sink: ~Copyable {
  /// Writes a secret string, given as bytes of UTF-8.
  ///
  /// The sink must be memory that does not move, because a growing buffer leaves copies behind;
  /// with any other sink the process ends. Bytes that are not UTF-8 become
  /// ``JSONWriteError/invalidUTF8``.
  @unsafe
  public mutating func secretString(bytes: UnsafeRawBufferPointer) {
    precondition(sink.isFixed, "a secret is written only into memory that does not move")
    // SAFETY: bytes of any memory may be read as UInt8, and the caller keeps them during the call.
    let secret = unsafe bytes.bindMemory(to: UInt8.self)
    guard JSONText.isUTF8(unsafe secret.span) else { return fail(.invalidUTF8) }
    text(unsafe secret.span)
  }

  /// Writes secret bytes as a string of base64 (RFC 4648, section 4), with padding.
  ///
  /// The sink must be memory that does not move, as for ``secretString(bytes:)``.
  @unsafe
  public mutating func secretBase64(bytes: UnsafeRawBufferPointer) {
    precondition(sink.isFixed, "a secret is written only into memory that does not move")
    // SAFETY: bytes of any memory may be read as UInt8, and the caller keeps them during the call.
    let secret = unsafe bytes.bindMemory(to: UInt8.self)
    // Four letters at a time, so that no more of a secret than these is left on the stack.
    letters(of: unsafe secret.span, atOnce: 4)
  }

  /// Writes bytes as a string of base64 (RFC 4648, section 4), with padding.
  public mutating func base64(_ bytes: Span<UInt8>) {
    // Many letters at once, so that the sink is asked for room seldom.
    letters(of: bytes, atOnce: 256)
  }

  /// Writes the letters of `bytes`, at most `most` of them at once, which is a multiple of 4 up to 256.
  private mutating func letters(of bytes: Span<UInt8>, atOnce most: Int) {
    beginValue()
    put(UInt8(ascii: "\""))
    var letters = [256 of UInt8](repeating: 0)
    var count = 0
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let left = bytes.count - start
      let second = left > 1 ? bytes[start + 1] : 0
      let third = left > 2 ? bytes[start + 2] : 0
      letters[count] = JSONText.base64Digit(bytes[start] >> 2)
      letters[count + 1] = JSONText.base64Digit(bytes[start] << 4 & 0x30 | second >> 4)
      letters[count + 2] =
        left > 1 ? JSONText.base64Digit(second << 2 & 0x3C | third >> 6) : UInt8(ascii: "=")
      letters[count + 3] = left > 2 ? JSONText.base64Digit(third & 0x3F) : UInt8(ascii: "=")
      count += 4
      guard count == most else { continue }
      put(letters.span.extracting(..<count))
      count = 0
    }
    put(letters.span.extracting(..<count))
    put(UInt8(ascii: "\""))
  }
}

extension JSONText {
  /// The base64 digit of six bits, computed because the address of a table lookup would depend on
  /// the secret.
  fileprivate static func base64Digit(_ bits: UInt8) -> UInt8 {
    switch bits {
    case 0..<26: UInt8(ascii: "A") + bits
    case 26..<52: UInt8(ascii: "a") + bits - 26
    case 52..<62: UInt8(ascii: "0") + bits - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
