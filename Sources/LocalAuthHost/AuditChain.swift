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

  /// Verifies existing lines and adds them to the chain, also those behind one that does not verify.
  ///
  /// Behind a break the chain goes on from the tag that stands there: the line after one that was changed follows it as
  /// before. Returns the numbers, counted from 1, of the lines that do not follow those before them.
  mutating func take(_ lines: [UInt8]) -> [Int] {
    var breaks: [Int] = []
    var parts = lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let rest = parts.popLast()
    for line in parts {
      count += 1
      guard line.count > 65, line[line.startIndex + 64] == UInt8(ascii: " "),
        let written = Array(hexadecimal: String(decoding: line.prefix(64), as: UTF8.self))
      else {
        breaks.append(count)
        continue
      }
      let expected = String(hexadecimal: tag(over: Array(line.dropFirst(65))))
      if Array(expected.utf8) != Array(line.prefix(64)) { breaks.append(count) }
      head = written
    }
    return rest?.isEmpty ?? true ? breaks : breaks + [count + 1]
  }

  private func tag(over text: [UInt8]) -> [UInt8] {
    tagger.tag(over: Array("audit trail ".utf8) + head + text)
  }
}
