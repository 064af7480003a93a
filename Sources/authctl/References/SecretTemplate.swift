import Glibc
import LocalAuthCore

/// A text in which references stand for secrets: `{{ localauth://SERVICE/ACCOUNT }}`.
///
/// Everything else in it stands for itself, other things in braces too.
struct SecretTemplate {
  /// A part of the result.
  enum Piece: Equatable {
    /// Bytes of the template.
    case text(Range<Int>)
    /// The secret of the reference with this number.
    case secret(Int)
  }

  /// The parts of the result, in order.
  let pieces: [Piece]
  /// Whether it has a reference.
  var hasSecrets: Bool {
    pieces.contains { if case .secret = $0 { true } else { false } }
  }

  private static let opening = UInt8(ascii: "{")
  private static let closing = UInt8(ascii: "}")
  private static let newline = UInt8(ascii: "\n")

  /// Finds the references in `bytes` and adds them to `references`; `place` says where one of a line
  /// is.
  @unsafe
  init(
    _ bytes: UnsafeRawBufferPointer,
    _ references: inout ReferenceList,
    _ place: (_ line: Int) -> String
  ) throws(Failure) {
    var pieces: [Piece] = []
    var written = 0
    var at = 0
    var lines = LineCounter()
    while let open = unsafe Self.find(Self.opening, in: bytes, from: at) {
      let start = unsafe Self.skipBlanks(in: bytes, from: open + 2)
      guard unsafe Self.hasScheme(bytes, at: start) else {
        // Of three braces the second may begin it.
        at = open + 1
        continue
      }
      let line = unsafe lines.line(of: open, in: bytes)
      let close = unsafe try Self.close(of: start, in: bytes, place(line))
      let end = unsafe Self.dropBlanks(in: bytes, from: start, to: close)
      let number = try unsafe references.number(of: bytes[start..<end], place(line))
      if written < open { pieces.append(.text(written..<open)) }
      pieces.append(.secret(number))
      written = close + 2
      at = written
    }
    if written < bytes.count { pieces.append(.text(written..<bytes.count)) }
    self.pieces = pieces
  }

  /// A value that is one reference and nothing else.
  init(only number: Int) { pieces = [.secret(number)] }

  /// Whether a reference begins at `start`.
  @unsafe
  static func hasScheme(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    unsafe bytes[start...].starts(with: SecretReference.scheme.utf8)
  }

  /// Returns where the reference that begins at `start` is closed, on the same line.
  @unsafe
  private static func close(
    of start: Int,
    in bytes: UnsafeRawBufferPointer,
    _ place: @autoclosure () -> String
  ) throws(Failure) -> Int {
    // Only what is between is looked at again: a line may hold all references of a template.
    guard let close = unsafe find(closing, in: bytes, from: start),
      unsafe !bytes[start..<close].contains(newline)
    else {
      throw Failure(.usage, "The reference \(place()) is not closed: write }} behind it.")
    }
    return close
  }

  /// Returns where `brace` is twice in a row.
  @unsafe
  private static func find(
    _ brace: UInt8,
    in bytes: UnsafeRawBufferPointer,
    from start: Int
  ) -> Int? {
    var at = start
    // SAFETY: the search stays within the buffer.
    while at + 1 < bytes.count, let base = bytes.baseAddress,
      let hit = unsafe memchr(base + at, Int32(brace), bytes.count - at - 1)
    {
      at = unsafe UnsafeRawPointer(hit) - base
      if unsafe bytes[at + 1] == brace { return at }
      at += 1
    }
    return nil
  }

  @unsafe
  private static func skipBlanks(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var at = start
    while at < bytes.count, unsafe isBlank(bytes[at]) { at += 1 }
    return at
  }

  @unsafe
  private static func dropBlanks(
    in bytes: UnsafeRawBufferPointer,
    from start: Int,
    to end: Int
  ) -> Int {
    var end = end
    while end > start, unsafe isBlank(bytes[end - 1]) { end -= 1 }
    return end
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  /// Counts lines, going through the text once.
  private struct LineCounter {
    private var line = 1
    private var counted = 0

    @unsafe
    mutating func line(of offset: Int, in bytes: UnsafeRawBufferPointer) -> Int {
      while counted < offset, let base = bytes.baseAddress,
        let hit = unsafe memchr(base + counted, Int32(newline), offset - counted)
      {
        line += 1
        counted = unsafe UnsafeRawPointer(hit) - base + 1
      }
      counted = offset
      return line
    }
  }
}
