import LocalAuthTestSupport
import Testing

@testable import LocalAuthCore

@Suite struct ActionTextTests {
  @Test(arguments: ["a", "deploy build 4711", "löschen: /srv/daten", "送金 10 €", "rm -rf \"$HOME\""])
  func takesWhatIsSeenAsItIs(_ text: String) throws {
    let action = try #require(ActionText(text))
    #expect(action.text == text)
    #expect(action.bytes == Array(text.utf8))
  }

  @Test(arguments: [
    "", " ", " a", "a ", "a  b", "a\nb", "a\tb", "a\u{0}b", "a\u{1B}[2Jb", "a\u{7F}", "a\u{85}b",
    "a\u{A0}b", "a\u{200B}b", "a\u{202E}b", "a\u{2066}b", "a\u{2028}b", "a\u{AD}b", "a\u{3164}b",
    "a\u{FE0F}b", "a\u{E0041}b", "a\u{E000}b", "a\u{300}\u{301}\u{302}", "a\u{115F}b",
    "a\u{2800}b", "a\u{1D159}b",
  ])
  func refusesWhatCouldHideInAPrompt(_ text: String) {
    #expect(ActionText(text) == nil)
  }

  @Test func takesAThousandBytesAndNoMoreThanItsLimit() {
    #expect(ActionText(String(repeating: "x", count: 1024)) != nil)
    #expect(ActionText(String(repeating: "x", count: 1025)) == nil)
    #expect(ActionText(String(repeating: "é", count: 513)) == nil)
  }
}
