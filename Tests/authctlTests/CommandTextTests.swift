import LocalAuthCore
import LocalAuthSecret
import LocalAuthUnix
import Testing

@testable import authctl

@Suite struct CommandTextTests {
  private func text(_ words: String...) -> String { CommandText.text(words.map { Array($0.utf8) }) }

  @Test func wordsAreShownAsAShellWouldTakeThem() {
    #expect(text("ls", "-l", "/tmp") == "ls -l /tmp")
    #expect(text("a b", "", "it's", "$x;y") == #"'a b' '' 'it'\''s' '$x;y'"#)
    #expect(text("grün", "日本") == "'grün' '日本'")
  }

  @Test(arguments: [
    ("a\nb", #"$'a\x0ab'"#), ("\u{1B}[2J", #"$'\x1b[2J'"#), ("a  b", #"$'a \x20b'"#),
    ("a\u{202E}b", #"$'a\xe2\x80\xaeb'"#), ("a\u{200B}", #"$'a\xe2\x80\x8b'"#),
    ("o\u{308}", #"$'o\xcc\x88'"#), ("\t'\\", #"$'\x09\'\\'"#), ("\u{A0}", #"$'\xc2\xa0'"#),
  ])
  func whatIsInvisibleIsSpelledOut(_ word: String, _ expected: String) {
    #expect(text(word) == expected)
    #expect(ActionText(expected) != nil, "a prompt shows it as it is")
  }

  @Test func bytesThatAreNoTextAreSpelledOut() {
    #expect(CommandText.text([[0x61, 0xFF, 0xC3]]) == #"$'a\xff\xc3'"#)
    #expect(CommandText.text([[0xE2, 0x82]]) == #"$'\xe2\x82'"#)
  }

  /// Each word comes back from a shell that reads what is shown.
  @Test func theTextMeansTheSameWordsToAShell() throws {
    let words = [
      "a b", "", "it's", "a\nb", "\u{1B}[0m", "a  b ", " x", "o\u{308}", "\\'\\", "$HOME", "`x`",
      "*",
      "日本", "\u{202E}", "a\tb", "#", "!x",
    ]
    let script = "printf '%s\\n.' " + CommandText.text(words.map { Array($0.utf8) })
    let run = try BashRun.output(of: script)
    #expect(run == words.map { "\($0)\n." }.joined())
  }
}

/// A script as bash runs it.
private enum BashRun {
  static func output(of script: String) throws -> String {
    let scratch = Scratch()
    let file = scratch.write(script, to: "script")
    let output = scratch.path + "/output"
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/bash",
        arguments: ["-c", #". "$0" > "$1""#, file, output],
        environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
      )
    )
    #expect(try child.waitForExit() == .status(0))
    return try SecretFile.read(path: output).withText
  }
}

extension Secret {
  /// What it holds, for a test.
  fileprivate var withText: String {
    // SAFETY: the bytes are copied within the call.
    unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
