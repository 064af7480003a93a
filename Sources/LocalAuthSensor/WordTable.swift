/// Words by their bytes, so a word is recognised in place.
///
/// Nothing is copied, because a passcode with an unquoted comma passes through here as an unknown
/// word.
struct WordTable<Word: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
  private let rows: [(spelling: [UInt8], word: Word)]

  init(of words: Word.Type) {
    rows = words.allCases.map { (Array($0.rawValue.utf8), $0) }
  }

  /// Returns the word in `range` of `source`.
  func word(in source: Span<UInt8>, _ range: Range<Int>) -> Word? {
    for row in rows where row.spelling.count == range.count {
      var index = 0
      while index < range.count, row.spelling[index] == source[range.lowerBound + index] {
        index += 1
      }
      if index == range.count { return row.word }
    }
    return nil
  }
}

extension ScriptWord { static let table = WordTable(of: Self.self) }
extension FprintWord { static let table = WordTable(of: Self.self) }
extension SettingKey { static let table = WordTable(of: Self.self) }
