import LocalAuthCore
import Testing

@testable import LocalAuthPAM

@Suite struct SpokenTextTests {
  @Test(arguments: [
    ("Password: ", ["Password:"]), ("", []), (" \n\t", []),
    ("one\ntwo\r\n\nthree", ["one", "two", "three"]),
    ("  much   space\there ", ["much space here"]), ("Mot de passe\u{A0}: ", ["Mot de passe :"]),
    ("a\u{1B}[2Jb", ["a [2Jb"]), ("left\u{202E}right", ["left right"]),
    ("zero\u{200B}width", ["zero width"]),
    ("z\u{301}\u{301}\u{301}\u{301}algo", ["zalgo"]), ("\u{301}\u{301}\u{301}\u{301}", []),
    ("\u{FFFD}", ["\u{FFFD}"]),
  ])
  func isPlainLines(text: String, lines: [String]) {
    #expect(SpokenText(text).lines == lines)
  }

  @Test func whateverItIsEachLineIsOneThatTheRulesAllow() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        let value = UInt32.random(in: 0...0x3FF, using: &random)
        if let scalar = Unicode.Scalar(value) { text.append(scalar) }
      }
      for line in SpokenText(String(text)).lines { #expect(ActionText(line)?.text == line) }
      if let line = SpokenText.sentence(String(text)) { #expect(ActionText(line)?.text == line) }
    }
  }

  @Test func questionsKeepTheBlankAtTheirEnd() {
    #expect(SpokenText("Password: ").endsWithBlank)
    #expect(!SpokenText("Password:").endsWithBlank)
    #expect(!SpokenText("Password:\n").endsWithBlank)
  }
}
