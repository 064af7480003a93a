import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

@Suite struct TerminalTextTests {
  @Test func keepsTextInAnyScript() {
    for text in ["deploy to production", "Größe: 5 €", "配置を変更する", "сборка №5", "e\u{301}"] {
      #expect(TerminalText.sanitized(text, limit: 100) == text)
    }
  }

  @Test(arguments: [
    ("a\u{1B}[2Jb", "a?[2Jb"), ("a\u{1B}]0;t\u{7}b", "a?]0;t?b"), ("a\u{9B}31mb", "a?31mb"),
    ("a\nb\rc\td", "a b c d"), ("a\u{0}b\u{7F}c\u{8}", "a?b?c?"), ("a\u{2028}b\u{2029}c", "a b c"),
    ("a\u{202E}b\u{2066}c\u{200B}d\u{FEFF}e", "a?b?c?d?e"), ("a\u{E000}b\u{378}c", "a?b?c"),
    ("a\u{A0}b\u{3000}c", "a b c"), ("a\u{AD}b", "a?b"), ("\u{85}", "?"),
  ])
  func replacesWhatMovesHidesOrForges(text: String, shown: String) {
    #expect(TerminalText.sanitized(text, limit: 100) == shown)
  }

  @Test func neverLetsAControlCharacterThrough() {
    for value in UInt32(0)...0x2FFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let shown = TerminalText.sanitized(String(Character(scalar)), limit: 10).unicodeScalars
      #expect(shown.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    }
  }

  @Test func cutsLongText() {
    #expect(TerminalText.sanitized("abcdef", limit: 3) == "abc...")
    #expect(TerminalText.sanitized("abc", limit: 3) == "abc")
    let long = String(repeating: "x", count: 1_000_000)
    #expect(TerminalText.sanitized(long, limit: 60).utf8.count == 63)
  }

  @Test func cutsPilesOfMarks() {
    let pile = "a" + String(repeating: "\u{301}", count: 500) + "b"
    #expect(TerminalText.sanitized(pile, limit: 600) == "a\u{301}\u{301}b")
  }

  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("配置", 4), ("한", 2), ("😀", 2), ("ﾊﾝ", 2), ("", 0),
    ("\u{26A1}\u{2705}\u{231A}", 6), ("\u{1F7E0}\u{1FA70}", 4), ("\u{17000}\u{1B000}", 4),
    ("\u{2600}\u{FE0F}", 2), ("\u{2600}", 1),
  ])
  func measuresColumns(text: String, columns: Int) {
    #expect(TerminalText.width(of: text) == columns)
  }

  @Test func wrapsAtBlanksAndIndentsWhatFollows() {
    #expect(TerminalText.wrapped("aa bb cc", columns: 5) == ["aa bb", "cc"])
    #expect(TerminalText.wrapped("aa bb cc", columns: 5, hanging: 2) == ["aa bb", "  cc"])
    #expect(TerminalText.wrapped("", columns: 5) == [])
    #expect(TerminalText.wrapped("   ", columns: 5) == [])
  }

  @Test func breaksWordsThatAreTooLong() {
    #expect(TerminalText.wrapped("abcdefgh", columns: 5, hanging: 2) == ["abcde", "  fgh"])
    #expect(TerminalText.wrapped("a abcdefgh", columns: 5, hanging: 1) == ["a", " abcd", " efgh"])
    #expect(TerminalText.wrapped("配置配", columns: 5) == ["配置", "配"])
  }

  @Test func neverExceedsTheWidth() {
    var generator = SeededGenerator(seed: testSeed())
    let alphabet: [Character] = ["a", " ", "配", "é", "😀", "b", " "]
    for _ in 0..<500 {
      let count = Int.random(in: 0...120, using: &generator)
      let text = String((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
      let columns = Int.random(in: 8...80, using: &generator)
      let lines = TerminalText.wrapped(text, columns: columns, hanging: 2)
      for line in lines {
        #expect(TerminalText.width(of: line) <= columns, "seed \(generator.seed): \(text)")
      }
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
  }
}
