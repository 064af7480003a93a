import LocalAuthCore
import Testing

@testable import LocalAuthStore

/// Which lines of the audit are found again.
@Suite struct WrittenLinesTests {
  private func id(_ number: Int) -> EvaluationID { EvaluationID(high: 1, low: UInt64(number)) }

  @Test func linesWithoutAnOutcomeAreNeverForgotten() {
    var lines = WrittenLines()
    lines.put(7, of: id(0), isEnded: false)
    for number in 1...3 * WrittenLines.mostEnded {
      lines.put(Int64(number), of: id(number), isEnded: true)
      lines.keep()
    }
    #expect(lines[id(0)] == 7)
  }

  @Test func theLatestOfThoseWithAnOutcomeAreKnown() {
    var lines = WrittenLines()
    let count = WrittenLines.mostEnded + 10
    for number in 1...count {
      lines.put(Int64(number), of: id(number), isEnded: true)
      // The same once more takes no second place.
      lines.put(Int64(number), of: id(number), isEnded: true)
      lines.keep()
    }
    for number in 1...10 { #expect(lines[id(number)] == nil) }
    for number in 11...count { #expect(lines[id(number)] == Int64(number)) }
  }

  @Test func whatWasRolledBackIsAsItWas() {
    var lines = WrittenLines()
    lines.put(1, of: id(1), isEnded: false)
    lines.keep()
    lines.put(1, of: id(1), isEnded: true)
    lines.put(2, of: id(2), isEnded: false)
    lines.put(2, of: id(2), isEnded: true)
    lines.undo()
    #expect(lines[id(1)] == 1 && lines[id(2)] == nil)
    for number in 3...3 + 2 * WrittenLines.mostEnded {
      lines.put(Int64(number), of: id(number), isEnded: true)
      lines.keep()
    }
    #expect(lines[id(1)] == 1, "it has not ended")
  }
}
