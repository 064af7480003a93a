import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

@Suite struct PasscodeEditorTests {
  private func type(_ text: String, into editor: inout PasscodeEditor) -> [PasscodeEditor.Action] {
    type(Array(text.utf8), into: &editor)
  }

  private func type(
    _ bytes: [UInt8],
    into editor: inout PasscodeEditor
  ) -> [PasscodeEditor.Action] {
    var actions: [PasscodeEditor.Action] = []
    for byte in bytes {
      let action = editor.take(byte)
      if action != .nothing { actions.append(action) }
    }
    return actions
  }

  @Test func collectsCharactersAndSubmits() {
    var editor = PasscodeEditor()
    editor.begin(asking: true)
    #expect(type("1é€😀", into: &editor) == Array(repeating: .edited, count: 4))
    #expect(editor.length == 4)
    #expect(type("\r", into: &editor) == [.submitted])
    #expect(text(of: editor.takeAnswer()) == "1é€😀")
    #expect(editor.length == 0)
    #expect(text(of: editor.takeAnswer()) == "")
  }

  @Test func submitsAnEmptyAnswer() {
    var editor = PasscodeEditor()
    editor.begin(asking: true)
    #expect(type("\n", into: &editor) == [.submitted])
    #expect(editor.takeAnswer().count == 0)
  }

  @Test func backspaceTakesAWholeCharacter() {
    var editor = PasscodeEditor()
    editor.begin(asking: true)
    _ = type("aé€😀", into: &editor)
    for expected in ["aé€", "aé", "a", ""] {
      #expect(type([0x7F], into: &editor) == [.edited])
      #expect(editor.visibleAnswer() == expected)
      #expect(editor.length == expected.unicodeScalars.count)
    }
    #expect(type([0x08], into: &editor) == [])
    #expect(editor.length == 0)
  }

  @Test func ctrlUBeginsAgain() {
    var editor = PasscodeEditor()
    editor.begin(asking: true)
    _ = type("wrong\u{15}right", into: &editor)
    #expect(editor.visibleAnswer() == "right")
    #expect(editor.length == 5)
  }

  @Test func keepsShortcutLettersInAnAnswer() {
    var editor = PasscodeEditor()
    editor.begin(asking: true)
    #expect(type("qf", into: &editor) == [.edited, .edited])
    #expect(editor.visibleAnswer() == "qf")
  }

  @Test func takesShortcutLettersWhenNothingIsAsked() {
    var editor = PasscodeEditor()
    editor.begin(asking: false)
    #expect(type("q", into: &editor) == [.cancelled])
    #expect(type("f", into: &editor) == [.fallback])
    #expect(type("Q F x 1 \r\u{7F}\u{15}", into: &editor) == [])
    #expect(editor.length == 0)
    #expect(editor.takeAnswer().count == 0)
  }

  @Test(arguments: [true, false])
  func cancelsAndFallsBackWhateverIsAsked(asking: Bool) {
    var editor = PasscodeEditor()
    editor.begin(asking: asking)
    #expect(type([0x04], into: &editor) == [.cancelled])
    #expect(type([0x09], into: &editor) == [.fallback])
    #expect(type([0x06], into: &editor) == [.fallback])
    #expect(type([0x1B], into: &editor) == [])
    #expect(editor.isWaiting == true)
    #expect(editor.escapeTimedOut() == .cancelled)
    #expect(editor.isWaiting == false)
  }

  @Test func dropsCharactersThatDoNotFitWhole() {
    var editor = PasscodeEditor(limit: 4)
    editor.begin(asking: true)
    #expect(type("abc€d", into: &editor) == [.edited, .edited, .edited, .full, .edited])
    #expect(editor.visibleAnswer() == "abcd")
    #expect(type("e", into: &editor) == [.full])
    #expect(editor.length == 4)
  }

  @Test func beginningDropsWhatWasTyped() {
    var editor = PasscodeEditor()
    editor.begin(asking: true)
    _ = type([0x61, 0x1B], into: &editor)
    editor.begin(asking: true)
    #expect(editor.length == 0)
    #expect(editor.isWaiting == false)
    #expect(editor.takeAnswer().count == 0)
  }

  @Test func agreesWithAListOfCharactersOnAnyTyping() {
    var generator = SeededGenerator(seed: testSeed())
    let alphabet: [Unicode.Scalar] = ["a", "é", "€", "😀", "\u{7F}", "\u{15}", "\u{301}"]
    for _ in 0..<300 {
      var editor = PasscodeEditor(limit: 24)
      editor.begin(asking: true)
      var model: [Unicode.Scalar] = []
      for _ in 0..<40 {
        let scalar = alphabet.randomElement(using: &generator) ?? "a"
        _ = type(String(scalar), into: &editor)
        switch scalar {
        case "\u{7F}": _ = model.popLast()
        case "\u{15}": model = []
        default:
          let size = model.reduce(scalar.utf8.count) { $0 + $1.utf8.count }
          if size <= 24 { model.append(scalar) }
        }
        #expect(editor.length == model.count, "seed \(generator.seed)")
      }
      var expected = String.UnicodeScalarView()
      expected.append(contentsOf: model)
      #expect(editor.visibleAnswer() == String(expected), "seed \(generator.seed)")
    }
  }
}
