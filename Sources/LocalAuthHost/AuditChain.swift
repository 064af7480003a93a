import LocalAuthCore

/// Lines of which each vouches for the one before, by a key.
///
/// A line is a tag, a space and a text. The tag is over the tag before and the text, so that without
/// the key no line can be changed, added, taken away or moved. Lines that are cut off at the end leave
/// a chain that is whole: only who remembers the last tag notices.
struct AuditChain {
  /// What the first line of a chain has before it.
  static let start = [UInt8](repeating: 0, count: 32)

  private let tagger: any RecordTagger
  /// The last line's tag.
  private(set) var head = start
  /// How many lines there are.
  private(set) var count = 0

  init(_ tagger: any RecordTagger) { self.tagger = tagger }

  /// The next line, with its end; `text` has no line end in it.
  mutating func line(_ text: [UInt8]) -> [UInt8] {
    head = tag(over: text)
    count += 1
    return Array(String(hexadecimal: head).utf8) + [UInt8(ascii: " ")] + text
      + [UInt8(ascii: "\n")]
  }

  /// Takes lines that were written before; nil when all of them fit, else the number of the first that
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
