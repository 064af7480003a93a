import Testing

@testable import LocalAuthCore

@Suite struct ToolWordsTests {
  private let words = ToolWords(
    of: "localauth-tool",
    usage: "usage: localauth-tool [--home DIR] [--ready]\n\n  --version  print the version\n"
  )

  @Test func helpAndVersionAreAnswered() {
    #expect(words.answer(to: ["--help"])?.hasPrefix("usage: localauth-tool") == true)
    #expect(words.answer(to: ["--version"]) == "localauth-tool \(ToolWords.version)\n")
    #expect(words.answer(to: ["--home", "--help"]) == nil)
    #expect(words.answer(to: [String]()) == nil)
  }

  @Test func theOptionThatThereIsNotIsNamed() {
    for options in [["--nothing"], ["--home", "/h", "--nothing", "x"], ["--ready", "--nothing"]] {
      #expect(
        words.mistake(in: options)
          == "localauth-tool: '--nothing' is no option; see localauth-tool --help.\n"
      )
    }
  }

  @Test func whatIsWrongOtherwisePointsToTheHelp() {
    for options in [["--home"], ["x"], [], ["--", "--nothing"]] {
      #expect(
        words.mistake(in: options)
          == "localauth-tool: The words are not understood; see localauth-tool --help.\n"
      )
    }
  }

  @Test func whatIsNamedMovesNoCursor() {
    #expect(!words.mistake(in: ["--\u{1B}[2J\u{202E}"]).contains("\u{1B}"))
  }
}
