import LocalAuthCore

/// Log lines chained by keyed tags, each of which vouches for the lines before it.
///
/// A line is a tag, a space and a text. The tag covers the previous tag and the text, so without
/// the key no line can be changed, inserted, removed or moved. Truncation after a whole line leaves
/// a valid chain; detecting it takes the last tag.
struct AuditChain {
  /// The tag that precedes the first line of a chain.
  static let start = [UInt8](repeating: 0, count: 32)

  private let tagger: any RecordTagger
  /// The tag of the last line.
  private(set) var head = start
  /// The number of lines.
  private(set) var count = 0

  init(_ tagger: any RecordTagger) { self.tagger = tagger }

  /// Adds `text`, which holds no newline, to the chain and returns its line with a newline.
  mutating func line(_ text: [UInt8]) -> [UInt8] {
    head = tag(over: text)
    count += 1
    return Array(String(hexadecimal: head).utf8) + [UInt8(ascii: " ")] + text
      + [UInt8(ascii: "\n")]
  }

  /// Verifies existing lines and adds them to the chain.
  ///
  /// Returns nil if all of them verify, otherwise the number, counted from 1, of the first that
  /// does not.
  mutating func take(_ lines: [UInt8]) -> Int? {
    for line in lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      guard line.count > 65, line[line.startIndex + 64] == UInt8(ascii: " ") else {
        return count + 1
      }
      let expected = tag(over: Array(line.dropFirst(65)))
      guard String(hexadecimal: expected) == String(decoding: line.prefix(64), as: UTF8.self)
      else { return count + 1 }
      head = expected
      count += 1
    }
    return lines.last == nil || lines.last == UInt8(ascii: "\n") ? nil : count + 1
  }

  private func tag(over text: [UInt8]) -> [UInt8] {
    tagger.tag(over: Array("audit trail ".utf8) + head + text)
  }
}
