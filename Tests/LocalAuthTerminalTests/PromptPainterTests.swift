import Testing

@testable import LocalAuthTerminal

@Suite struct PromptPainterTests {
  private var state: PromptText {
    PromptText(reason: "unlock", requester: "test", secondsLeft: 9)
  }

  @Test func drawsOverWhatItDrewBefore() {
    var painter = PromptPainter(style: PromptStyle(hasColor: false, movesCursor: true))
    var later = state
    later.secondsLeft = 8
    #expect(
      painter.draw(state, columns: 80)
        == "\runlock\u{1B}[K\r\nAsked by test\u{1B}[K\r\nEsc or q: cancel, 0:09 left\u{1B}[J"
    )
    #expect(painter.draw(later, columns: 80) == "\rEsc or q: cancel, 0:08 left\u{1B}[J")
    later.requester = "another"
    #expect(
      painter.draw(later, columns: 80)
        == "\r\u{1B}[1AAsked by another\u{1B}[K\r\nEsc or q: cancel, 0:08 left\u{1B}[J"
    )
  }

  @Test func writesNothingForWhatTheScreenShows() {
    var painter = PromptPainter(style: PromptStyle(hasColor: false, movesCursor: true))
    _ = painter.draw(state, columns: 80)
    #expect(painter.draw(state, columns: 80) == "")
    painter.sizeChanged()
    #expect(painter.draw(state, columns: 80).hasPrefix("\r\u{1B}[2Aunlock"))
  }

  @Test func aPromptThatLosesLinesLeavesNoneBehind() {
    var painter = PromptPainter(style: PromptStyle(hasColor: false, movesCursor: true))
    var longer = state
    longer.message = PromptMessage(.miss, "Again")
    _ = painter.draw(longer, columns: 80)
    #expect(
      painter.draw(state, columns: 80)
        == "\r\u{1B}[1AEsc or q: cancel, 0:09 left\u{1B}[J"
    )
  }

  @Test func erasesAllItsLines() {
    var painter = PromptPainter(style: PromptStyle(hasColor: true, movesCursor: true))
    #expect(painter.erase(columns: 80) == "")
    _ = painter.draw(state, columns: 80)
    #expect(painter.erase(columns: 80) == "\r\u{1B}[2A\u{1B}[J")
    #expect(painter.erase(columns: 80) == "")
  }

  @Test func countsTheRowsOfATerminalThatBecameNarrower() {
    var painter = PromptPainter(style: PromptStyle(hasColor: false, movesCursor: true))
    _ = painter.draw(state, columns: 80)
    // "Esc or q: cancel, 0:09 left" has 27 columns: two rows of 20.
    #expect(painter.draw(state, columns: 20).hasPrefix("\r\u{1B}[3Aunlock"))
  }

  @Test func beginsAnewAfterForgetting() {
    var painter = PromptPainter(style: PromptStyle(hasColor: false, movesCursor: true))
    _ = painter.draw(state, columns: 80)
    painter.forget()
    #expect(painter.draw(state, columns: 80).hasPrefix("\runlock"))
  }

  @Test func writesOnADumbTerminalOnlyWhatIsNew() {
    var painter = PromptPainter(style: PromptStyle(hasColor: false, movesCursor: false))
    var later = state
    later.secondsLeft = 8
    #expect(painter.draw(state, columns: 80) == "unlock\r\nAsked by test\r\nEsc or q: cancel")
    #expect(painter.draw(later, columns: 80) == "")
    later.message = PromptMessage(.miss, "Again")
    #expect(painter.draw(later, columns: 80) == "\r\nAgain")
    #expect(painter.erase(columns: 80) == "\r\n")
  }

  /// A question goes away while its answer is judged, and comes back with what came of it.
  @Test func aWrongAnswerOnADumbTerminalWritesItsMessageAndTheQuestionOnce() {
    var painter = PromptPainter(style: PromptStyle(hasColor: false, movesCursor: false))
    var asking = state
    asking.entry = PromptEntry(label: "Passcode", echo: .nothing)
    #expect(
      painter.draw(asking, columns: 80)
        == "unlock\r\nAsked by test\r\nEnter: send, Esc: cancel\r\nPasscode: "
    )
    asking.entry?.typedCount = 4
    #expect(painter.draw(asking, columns: 80) == "")
    #expect(painter.draw(state, columns: 80) == "")
    asking.message = PromptMessage(.miss, "Wrong.")
    #expect(painter.draw(asking, columns: 80) == "\r\nWrong.\r\nPasscode: ")
  }
}
