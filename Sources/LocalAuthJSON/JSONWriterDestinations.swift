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
    // Eight letters at a time, so that no more of a secret than these is left on the stack.
    letters(of: unsafe secret.span, atOnce: 1)
  }

  /// Writes bytes as a string of base64 (RFC 4648, section 4), with padding.
  public mutating func base64(_ bytes: Span<UInt8>) {
    // Many letters at once, so that the sink is asked for room seldom.
    letters(of: bytes, atOnce: 32)
  }

  /// Writes the letters of `bytes`, at most `most` times eight of them at once, up to 32.
  private mutating func letters(of bytes: Span<UInt8>, atOnce most: Int) {
    sink.reserve(bytes.count / 3 * 4)
    beginValue()
    put(UInt8(ascii: "\""))
    var letters = [32 of UInt64](repeating: 0)
    var (start, count) = (0, 0)
    // Six bytes are read with the two behind them.
    while start &+ 8 <= bytes.count {
      letters[count] = JSONText.base64(JSONText.word(bytes, at: start).byteSwapped >> 16)
      start &+= 6
      count &+= 1
      guard count == most else { continue }
      put(letters, count)
      count = 0
    }
    put(letters, count)
    while start < bytes.count {
      putGroup(bytes.extracting(start..<min(start + 3, bytes.count)))
      start += 3
    }
    put(UInt8(ascii: "\""))
  }

  private mutating func put(_ letters: borrowing [32 of UInt64], _ count: Int) {
    // SAFETY: bytes of any memory may be read as UInt8, and the array stays during the call.
    unsafe letters.span.withUnsafeBytes { letters in
      put(unsafe letters.bindMemory(to: UInt8.self).span.extracting(..<(count * 8)))
    }
  }

  /// Writes the four letters of one to three bytes.
  private mutating func putGroup(_ bytes: Span<UInt8>) {
    var bits: UInt64 = 0
    for index in bytes.indices { bits |= UInt64(bytes[index]) << (40 - 8 * index) }
    let letters = JSONText.base64(bits)
    for index in 0..<4 {
      let letter = UInt8(truncatingIfNeeded: letters >> (8 * index))
      put(index > bytes.count ? UInt8(ascii: "=") : letter)
    }
  }
}

extension JSONText {
  /// The eight letters of 48 bits, in the order of the bytes in memory.
  ///
  /// They are computed, because the address of a table lookup, or a branch, would depend on the secret.
  fileprivate static func base64(_ bits: UInt64) -> UInt64 {
    // Halves go apart three times, until each byte has six bits.
    let halves = (bits & 0xFFFF_FF00_0000) << 8 | bits & 0xFF_FFFF
    let quarters = (halves & 0xFFF000_00FFF000) << 4 | halves & 0xFFF_0000_0FFF
    let digits = (quarters & 0x0FC0_0FC0_0FC0_0FC0) << 2 | quarters & 0x003F_003F_003F_003F
    let small = ones(digits, from: 26)
    let numbers = ones(digits, from: 52)
    let signs = ones(digits, from: 62)
    // From Z to a, from z back to 0, from 9 back to +, and on to /.
    let upper = digits &+ repeated(UInt8(ascii: "A")) &+ small &* 6
    return (upper &- numbers &* 75 &- signs &* 15 &+ ones(digits, from: 63) &* 3).bigEndian
  }

  /// A one in each byte that is at least `least`; bytes are below 64.
  private static func ones(_ digits: UInt64, from least: UInt8) -> UInt64 {
    (digits &+ repeated(0x80 - least)) >> 7 & repeated(1)
  }
}
