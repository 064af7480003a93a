import Testing

@testable import LocalAuthTerminal

@Suite struct KeyReaderTests {
  private func keys(_ bytes: [UInt8]) -> [Key] {
    var reader = KeyReader()
    return bytes.map { reader.take($0) }.filter { $0 != .nothing }
  }

  private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

  @Test func readsEveryPrintableASCIICharacter() {
    for byte in UInt8(0x20)...0x7E {
      #expect(keys([byte]) == [.scalar(Unicode.Scalar(byte))])
    }
  }

  @Test(arguments: [
    (0x0A, Key.enter), (0x0D, .enter), (0x08, .backspace), (0x7F, .backspace), (0x15, .clear),
    (0x09, .fallback), (0x06, .fallback), (0x03, .cancel), (0x04, .cancel),
  ])
  func readsControlKeys(byte: Int, key: Key) {
    #expect(keys([UInt8(byte)]) == [key])
  }

  @Test func dropsOtherControlKeys() {
    let known: Set<UInt8> = [0x03, 0x04, 0x06, 0x08, 0x09, 0x0A, 0x0D, 0x15, 0x1B]
    for byte in UInt8(0)...0x1F where !known.contains(byte) {
      #expect(keys([byte, UInt8(ascii: "a")]) == [.scalar("a")], "byte \(byte)")
    }
  }

  @Test(arguments: [
    "é", "ß", "€", "한", "😀", "\u{A0}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10FFFF}",
  ])
  func readsCharactersOfSeveralBytes(text: String) {
    #expect(keys(text) == text.unicodeScalars.map { .scalar($0) })
  }

  @Test(arguments: [
    [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF],
    [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC2, 0x80], [0xC2, 0x9B],
  ])
  func dropsWhatIsNoCharacter(bytes: [Int]) {
    let bytes = bytes.map { UInt8($0) }
    #expect(keys(bytes + [UInt8(ascii: "a")]) == [.scalar("a")])
  }

  @Test func goesOnAfterACharacterThatBreaksOff() {
    #expect(keys([0xE2, 0x82, UInt8(ascii: "a")]) == [.scalar("a")])
    #expect(keys([0xE2, 0x82, 0xC3, 0xA9]) == [.scalar("é")])
    #expect(keys([0xE2, 0x0D]) == [.enter])
  }

  @Test(arguments: [
    "\u{1B}[A", "\u{1B}[1;5C", "\u{1B}[3~", "\u{1B}OP", "\u{1B}[[A", "\u{1B}[200~", "\u{1B}[201~",
    "\u{1B}[?25h", "\u{1B}[<0;10;20M", "\u{1B}x", "\u{1B}]0;title\u{7}", "\u{1B}]0;t\u{1B}\\",
    "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[24;80R",
  ])
  func swallowsEscapeSequences(sequence: String) {
    var reader = KeyReader()
    for byte in sequence.utf8 { #expect(reader.take(byte) == .nothing) }
    #expect(!reader.isWaiting)
    #expect(reader.take(UInt8(ascii: "a")) == .scalar("a"))
  }

  @Test func stripsTheMarksOfAPaste() {
    #expect(
      keys("\u{1B}[200~pass\u{1B}[201~") == [
        .scalar("p"), .scalar("a"), .scalar("s"), .scalar("s"),
      ]
    )
  }

  @Test func takesEscAloneForACancelOnceTimeHasPassed() {
    var reader = KeyReader()
    #expect(!reader.isWaiting)
    #expect(reader.take(0x1B) == .nothing)
    #expect(reader.isWaiting)
    #expect(reader.escapeTimedOut() == .cancel)
    #expect(!reader.isWaiting)
    #expect(reader.escapeTimedOut() == .nothing)
  }

  @Test(arguments: ["\u{1B}[", "\u{1B}[1;", "\u{1B}O", "\u{1B}]0;x", "\u{1B}[["])
  func forgetsHalfASequenceOnceTimeHasPassed(half: String) {
    var reader = KeyReader()
    for byte in half.utf8 { #expect(reader.take(byte) == .nothing) }
    #expect(reader.isWaiting)
    #expect(reader.escapeTimedOut() == .nothing)
    #expect(reader.take(UInt8(ascii: "a")) == .scalar("a"))
  }

  @Test func takesEscTwiceForACancel() {
    #expect(keys([0x1B, 0x1B]) == [.cancel])
  }

  @Test func cancelsInTheMiddleOfAnything() {
    #expect(keys([0x1B, 0x04]) == [.cancel])
    #expect(keys([0x1B, 0x5B, 0x31, 0x04]) == [.cancel])
    #expect(keys([0xE2, 0x04]) == [.cancel])
  }

  @Test func doesNotWaitInsideACharacter() {
    var reader = KeyReader()
    #expect(reader.take(0xE2) == .nothing)
    #expect(!reader.isWaiting)
    #expect(reader.escapeTimedOut() == .nothing)
    #expect(reader.take(0x82) == .nothing)
    #expect(reader.take(0xAC) == .scalar("€"))
  }
}
