import LocalAuthCore
import LocalAuthReader
import Testing

@Suite struct ReaderStandingTests {
  @Test func itIsAvailableOnlyWhereNothingHindersIt() {
    var standing = ReaderStanding()
    #expect(standing.word == "gone")
    standing.hasReader = true
    #expect(standing.word == "available")
    #expect(standing.refusal == nil)
    standing.isBusy = true
    #expect(standing.word == "busy")
    standing.isLidClosed = true
    #expect(standing.word == "lid-closed")
    standing.isAsleep = true
    #expect(standing.word == "suspended")
  }

  @Test func everyHindranceIsSaid() {
    for change in [
      { (standing: inout ReaderStanding) in standing.isBusy = true },
      { $0.isLidClosed = true }, { $0.isAsleep = true }, { $0.hasReader = false },
    ] {
      var standing = ReaderStanding()
      standing.hasReader = true
      change(&standing)
      #expect(standing.refusal != nil)
    }
  }

  @Test func waitsDoubleUpToHalfAMinute() {
    var backoff = Backoff()
    let waits = (0..<7).map { _ in backoff.next() }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
    backoff.reset()
    #expect(backoff.next() == .seconds(1))
  }
}
