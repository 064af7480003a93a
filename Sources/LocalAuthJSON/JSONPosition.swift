/// A place in a text, as an editor shows it.
public struct JSONPosition: Hashable, Sendable {
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1 in Unicode scalars.
  public let column: Int

  /// The place of the byte at `offset` in `text`.
  ///
  /// An offset beyond the end means the end. Lines end with a line feed, so a carriage return
  /// before it is the last column of its line.
  public init(offset: Int, in text: Span<UInt8>) {
    var cursor = JSONPositionCursor()
    cursor.advance(to: offset, in: text)
    self = cursor.position
  }

  fileprivate init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension JSONPosition: CustomStringConvertible {
  /// `line:column`, the form that editors jump to.
  public var description: String { "\(line):\(column)" }
}

/// Turns ascending offsets into positions, reading each byte once.
struct JSONPositionCursor {
  private var offset = 0
  private var line = 1
  private var column = 1

  var position: JSONPosition { JSONPosition(line: line, column: column) }

  /// Moves forward to `target`; an earlier offset leaves the cursor where it is.
  mutating func advance(to target: Int, in text: Span<UInt8>) {
    let end = min(target, text.count)
    while offset < end {
      let byte = text[offset]
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        // Continuation bytes belong to the scalar that was counted at its first byte.
        column += 1
      }
      offset += 1
    }
  }
}
