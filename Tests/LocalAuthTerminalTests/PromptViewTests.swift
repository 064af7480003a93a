import LocalAuthTestSupport
import Testing

@testable import LocalAuthTerminal

@Suite struct PromptViewTests {
  private let plain = PromptStyle(hasColor: false, movesCursor: true)
  private let colored = PromptStyle(hasColor: true, movesCursor: true)

  private var full: PromptText {
    PromptText(
      reason: "deploy to production",
      requester: "deploy.sh (process 4711) on device phone, policy device-owner-parallel",
      isSimulated: true,
      authenticators: [
        LiveAuthenticator(instruction: "Touch the fingerprint sensor", attemptsLeft: 2),
        LiveAuthenticator(instruction: "Type the passcode", attemptsLeft: 1),
      ],
      secondsLeft: 28,
      message: PromptMessage(.miss, "Not recognised, try again"),
      fallbackTitle: "Use another way",
      entry: PromptEntry(label: "Passcode", echo: .stars)
    )
  }

  @Test func drawsAllOfAnActionAsItIs() {
    var state = full
    state.action = String(repeating: "word  ", count: 170) + "end"
    let lines = PromptView.lines(of: state, columns: 40, style: plain)
    let shown = lines.filter { $0.hasPrefix("  | ") }
    #expect(shown.map { $0.dropFirst(4) }.joined() == state.action)
    #expect(shown.allSatisfy { $0.count <= 39 })
    #expect(lines.firstIndex { $0.hasPrefix("  | ") } == 1, "right below the reason")
  }

  @Test func drawsAllOfAnAudience() {
    var state = full
    state.audience = "https://bank.example." + String(repeating: "x", count: 226) + ".other.com"
    let lines = PromptView.lines(of: state, columns: 80, style: plain)
    let text = lines.map { $0.filter { $0 != " " } }.joined()
    #expect(text.contains("Tobeshownto" + (state.audience ?? "")), "its end decides")
  }

  /// Symbols that look narrow and are drawn wide would have the terminal begin a line with what follows.
  @Test func noSymbolsMakeAReasonBeginALine() {
    var state = full
    state.reason = String(repeating: "\u{26A1}", count: 36) + " Asked by sudo, policy admin"
    let lines = PromptView.lines(of: state, columns: 80, style: plain)
    #expect(lines.allSatisfy { TerminalText.width(of: $0) < 80 })
    #expect(lines[1] == "  by sudo, policy admin")
    #expect(!lines.contains { $0.hasPrefix("Asked by sudo") })
  }

  @Test func drawsEverythingInEightyColumns() {
    var state = full
    state.entry?.typedCount = 4
    #expect(
      PromptView.lines(of: state, columns: 80, style: plain) == [
        "deploy to production",
        "Asked by deploy.sh (process 4711) on device phone, policy device-owner-parallel",
        "SIMULATED DEVICE: nobody is really authenticated",
        "- Touch the fingerprint sensor (2 tries left)",
        "- Type the passcode (1 try left)",
        "Not recognised, try again",
        "Enter: send, Esc: cancel, Tab: Use another way, 0:28 left",
        "Passcode: ****",
      ]
    )
  }

  private static let cost = "then only erasing the device helps, and its keychain is lost"

  @Test(arguments: [
    (4, "- Type the passcode (4 tries left)"),
    (3, "- Type the passcode (3 tries left; \(cost))"),
    (1, "- Type the passcode (1 try left; \(cost))"),
  ])
  func saysWhatTheLastTriesCostBeforeTheyAreGone(_ left: Int, _ line: String) {
    var state = full
    state.authenticators = [
      LiveAuthenticator(instruction: "Type the passcode", attemptsLeft: left, locksForGood: true)
    ]
    #expect(PromptView.lines(of: state, columns: 120, style: plain).contains(line))
  }

  @Test func drawsEverythingInFortyColumns() {
    #expect(
      PromptView.lines(of: full, columns: 40, style: plain) == [
        "deploy to production",
        "Asked by deploy.sh (process 4711) on",
        "  device phone, policy",
        "  device-owner-parallel",
        "SIMULATED DEVICE: nobody is really",
        "  authenticated",
        "- Touch the fingerprint sensor (2 tries",
        "  left)",
        "- Type the passcode (1 try left)",
        "Not recognised, try again",
        "Enter: send, Esc: cancel, Tab: Use",
        "  another way, 0:28 left",
        "Passcode: ",
      ]
    )
  }

  @Test func saysWhatIsDoneWithWhichSecretsToTheEnd() {
    let names = (1...40).map { "\"name \($0)\"" }.joined(separator: ", ")
    var state = PromptText(
      reason: "back up",
      items: "open 99 items: \(names) and 59 more",
      requester: "backup (process 7) for a secret on sim"
    )
    let lines = PromptView.lines(of: state, columns: 80, style: plain)
    #expect(lines.first == "back up")
    #expect(lines[1].hasPrefix("open 99 items: "))
    #expect(lines.contains { $0.hasSuffix("and 59 more") })
    #expect(lines.contains("Asked by backup (process 7) for a secret on sim"))
    state.reason = ""
    state.items = "open \"a\u{1B}[2J\r\n\u{202E}\""
    #expect(
      PromptView.lines(of: state, columns: 80, style: plain) == [
        "open \"a?[2J ?\"", "Asked by backup (process 7) for a secret on sim", "Esc or q: cancel",
      ]
    )
  }

  @Test func saysWhichKeysCancelWhenNothingIsTyped() {
    let state = PromptText(reason: "unlock", secondsLeft: 725, fallbackTitle: "Enter passcode")
    #expect(
      PromptView.lines(of: state, columns: 80, style: plain) == [
        "unlock", "Esc or q: cancel, f or Tab: Enter passcode, 12:05 left",
      ]
    )
  }

  @Test func drawsABareQuestionAsOneLine() {
    let state = PromptText(entry: PromptEntry(label: "New passcode", echo: .nothing))
    #expect(PromptView.lines(of: state, columns: 80, style: plain) == ["New passcode: "])
  }

  @Test func showsOfAnAnswerOnlyWhatItsEchoAllows() {
    for (echo, shown) in [
      (PromptEntry.Echo.nothing, "Q: "), (.stars, "Q: ***"), (.text, "Q: abc"),
    ] {
      var entry = PromptEntry(label: "Q", echo: echo)
      entry.typedCount = 3
      entry.typedText = "abc"
      let lines = PromptView.lines(of: PromptText(entry: entry), columns: 80, style: plain)
      #expect(lines == [shown])
    }
  }

  @Test func keepsALongAnswerOnItsLine() {
    var entry = PromptEntry(label: "User", echo: .text)
    entry.typedText = String(repeating: "x", count: 100) + "end"
    entry.typedCount = 103
    let line = PromptView.lines(of: PromptText(entry: entry), columns: 40, style: plain).last
    #expect(line?.count == 39)
    #expect(line?.hasSuffix("xend") == true)
    entry.echo = .stars
    let stars = PromptView.lines(of: PromptText(entry: entry), columns: 40, style: plain).last
    #expect(stars == "User: " + String(repeating: "*", count: 33))
  }

  @Test func colorChangesNoWord() {
    let lines = PromptView.lines(of: full, columns: 80, style: colored)
    #expect(lines[0] == "\u{1B}[1mdeploy to production\u{1B}[0m")
    #expect(lines[5] == "\u{1B}[1;33mNot recognised, try again\u{1B}[0m")
    #expect(lines.map { withoutColor($0) } == PromptView.lines(of: full, columns: 80, style: plain))
  }

  @Test func writesNoEscapeWithoutColor() {
    let text = PromptView.lines(of: full, columns: 80, style: plain).joined()
    #expect(!text.unicodeScalars.contains("\u{1B}"))
  }

  @Test func distrustsEveryText() {
    let hostile = "x\u{1B}[2J\u{1B}[1A\r\nroot: \u{9B}8m\u{202E}\u{7}"
    let state = PromptText(
      reason: hostile,
      requester: hostile,
      authenticators: [LiveAuthenticator(instruction: hostile, attemptsLeft: -1)],
      secondsLeft: -5,
      message: PromptMessage(.error, hostile),
      fallbackTitle: hostile,
      entry: PromptEntry(label: hostile, echo: .text)
    )
    let lines = PromptView.lines(of: state, columns: 80, style: plain)
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.isASCII && $0 >= " " } })
  }

  @Test func cannotBeMadeToForgeALine() {
    let forged = String(repeating: "x ", count: 39) + "Asked by: systemd, policy passcode"
    let lines = PromptView.lines(
      of: PromptText(reason: forged, requester: "evil"),
      columns: 80,
      style: plain
    )
    #expect(lines.filter { $0.hasPrefix("Asked by") } == ["Asked by evil"])
  }

  @Test func staysWithinTheWidthForAnyText() {
    var generator = SeededGenerator(seed: testSeed())
    let alphabet: [Character] = ["a", " ", "配", "\u{1B}", "😀", "\n", "é", "é"]
    func text() -> String {
      let count = Int.random(in: 0...400, using: &generator)
      return String((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
    }
    for _ in 0..<200 {
      var entry = PromptEntry(label: text(), echo: .text)
      entry.typedText = text()
      let state = PromptText(
        reason: text(),
        requester: text(),
        authenticators: [LiveAuthenticator(instruction: text())],
        secondsLeft: 9,
        message: PromptMessage(.info, text()),
        fallbackTitle: text(),
        entry: entry
      )
      let columns = Int.random(in: 1...100, using: &generator)
      for line in PromptView.lines(of: state, columns: columns, style: plain) {
        let width = TerminalText.width(of: line)
        #expect(width < max(columns, 20), "seed \(generator.seed), \(columns) columns: \(line)")
      }
    }
  }

  @Test func readsItsStyleFromTheEnvironment() {
    #expect(PromptStyle(noColor: nil, term: "xterm") == colored)
    #expect(PromptStyle(noColor: "", term: "xterm") == colored)
    #expect(PromptStyle(noColor: "1", term: "xterm") == plain)
    let still = PromptStyle(hasColor: false, movesCursor: false)
    #expect(PromptStyle(noColor: nil, term: "dumb") == still)
    #expect(PromptStyle(noColor: nil, term: "xterm", lines: "1") == still)
    #expect(PromptStyle(noColor: nil, term: "xterm", lines: "0") == colored)
    #expect(PromptStyle(noColor: nil, term: nil) == still)
    #expect(PromptStyle(noColor: nil, term: "") == still)
  }

  private func withoutColor(_ line: String) -> String {
    line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated()
      .map { $0 == 0 ? $1 : $1.drop { $0 != "m" }.dropFirst() }.joined()
  }
}
