import Testing

@testable import LocalAuthTerminal

@Suite struct ScreenPainterTests {
  @Test func drawsEachLineInItsRow() {
    var painter = ScreenPainter()
    #expect(painter.draw(["one", "two"]) == "\u{1B}[1;1Hone\u{1B}[K\u{1B}[2;1Htwo\u{1B}[K")
  }

  @Test func writesOnlyWhatChanged() {
    var painter = ScreenPainter()
    _ = painter.draw(["one", "two", "three"])
    #expect(painter.draw(["one", "two", "three"]) == "")
    #expect(painter.draw(["one", "2", "three"]) == "\u{1B}[2;1H2\u{1B}[K")
  }

  @Test func fewerLinesLeaveNoneBehind() {
    var painter = ScreenPainter()
    _ = painter.draw(["one", "two", "three"])
    #expect(painter.draw(["one"]) == "\u{1B}[2;1H\u{1B}[J")
  }

  @Test func aScreenThatIsNotKnownIsDrawnWhole() {
    var painter = ScreenPainter()
    _ = painter.draw(["one"])
    painter.forget()
    #expect(painter.draw(["one"]) == "\u{1B}[2J\u{1B}[1;1Hone\u{1B}[K")
    #expect(painter.draw(["one"]) == "")
  }

  /// The handler of a deadly signal writes it from 64 bytes.
  @Test func whatGivesTheScreenBackFitsTheHandlersRoom() {
    #expect(ScreenPainter.leaving.utf8.count <= 64)
  }
}
