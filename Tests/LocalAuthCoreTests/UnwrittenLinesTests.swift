import Testing

@testable import LocalAuthCore

/// Which refusals have a line, and what is remembered of those that have none.
@Suite struct UnwrittenLinesTests {
  private let device = DeviceRecord(
    identity: DeviceIdentity(owner: 1000, name: "default"),
    isSimulated: false
  )
  private var unwritten = UnwrittenLines()
  private var now = Moment(
    boot: BootInstant(nanoseconds: 0),
    bootID: BootIdentifier(high: 1, low: 2),
    wall: WallInstant(milliseconds: 1_000_000)
  )

  private mutating func pass(_ duration: Duration) {
    now.boot = now.boot + duration
    now.wall.milliseconds += duration.wholeNanoseconds / 1_000_000
  }

  private func id(_ number: UInt64) -> EvaluationID { EvaluationID(high: 0, low: number) }

  private func line(_ number: UInt64, began: WallInstant? = nil) -> AuditRecord {
    var line = AuditRecord(
      id: id(number),
      action: "evaluate",
      device: device.identity,
      callerUID: 0,
      callerPID: 1,
      isSimulated: false,
      began: began ?? now.wall
    )
    (line.ended, line.outcome) = (now.wall, .passcodeThrottled)
    return line
  }

  /// A refusal of somebody else; whether it is only counted.
  private mutating func isCounted(_ number: UInt64) -> Bool {
    let isCounted = unwritten.counts(id(number), .passcodeThrottled, at: now)
    if !isCounted { _ = unwritten.takeGap(before: line(number)) }
    return isCounted
  }

  /// A prompt of somebody else; whether its line waits for an answer.
  private mutating func isPutOff(_ number: UInt64) -> Bool {
    unwritten.putsOff(id(number), at: now)
  }

  private func detail(_ gap: AuditGap?) -> String? { gap?.line(id(99), of: device).detail }

  @Test mutating func theFirstRefusalHasALineAndTheRestAreCounted() {
    #expect(!isCounted(1))
    for number in UInt64(2)...1205 { #expect(isCounted(number)) }
    let gap = unwritten.takeGap(before: line(2000))
    #expect(
      detail(gap) == "1204 more refusals of others in between, not written: nothing was judged"
    )
    #expect(unwritten.takeGap() == nil, "it is told once")
  }

  @Test mutating func afterAnotherLineTheNextRefusalHasOneAgain() {
    #expect(!isCounted(1))
    #expect(isCounted(2))
    pass(.seconds(1))
    #expect(detail(unwritten.takeGap(before: line(3)))?.hasPrefix("1 more refusal of") == true)
    #expect(!isCounted(4))
    #expect(isCounted(5))
  }

  @Test mutating func theFirstPromptHasItsLineAtOnceAndTheRestOnceTheyAreAnswered() {
    #expect(!isPutOff(1))
    #expect(!isPutOff(1), "it stays that of the first")
    #expect(isPutOff(2))
    for number in UInt64(2)...3 { #expect(isCounted(number)) }
    #expect(unwritten.takeGap(before: line(1)) != nil)
    #expect(isPutOff(4), "the end of the first makes no room")
    pass(UnwrittenLines.standsFor)
    #expect(!isPutOff(5))
  }

  /// Such as that of a grant, which is written once a second while the grant answers.
  @Test mutating func aLineThatIsWrittenAgainMakesNoRoomForARefusal() {
    let began = now.wall
    pass(.seconds(1))
    #expect(!isCounted(1))
    for number in UInt64(2)...100 {
      #expect(isCounted(number))
      #expect(unwritten.takeGap(before: line(1000, began: began)) != nil)
      pass(.seconds(1))
    }
  }

  @Test mutating func inEachHourOneRefusalHasALine() {
    var lines = 0
    for number in UInt64(0)..<(3 * 3600) {
      if !isCounted(number) { lines += 1 }
      pass(.seconds(1))
    }
    #expect(lines == 3)
  }

  @Test mutating func afterARestartOfTheMachineTheFirstHasALine() {
    #expect(!isCounted(1))
    now.bootID.low += 1
    #expect(!isCounted(2))
  }

  @Test mutating func aClockThatIsSetBackWritesNoMore() {
    #expect(!isCounted(1))
    now.wall.milliseconds -= 500_000
    #expect(isCounted(2))
    _ = unwritten.takeGap(before: line(3))
    #expect(isCounted(4))
  }

  // MARK: What could not be written

  @Test mutating func linesThatCouldNotBeWrittenAreToldByTheNext() {
    unwritten.failed(line(1), .full)
    unwritten.failed(line(2), .full)
    let gap = unwritten.takeGap(before: line(3))
    #expect(
      detail(gap) == "2 lines could not be written: the disk is full; nothing was changed"
    )
    #expect(unwritten.takeGap() == nil)
  }

  @Test mutating func severalFailuresOfOneEvaluationAreOneLine() {
    unwritten.failed(line(1), .full)
    unwritten.failed(line(1), .full)
    #expect(detail(unwritten.takeGap())?.hasPrefix("1 line could not be written") == true)
  }

  @Test mutating func aLineThatIsWrittenAfterAllIsNotMissing() {
    unwritten.failed(line(1), .full)
    #expect(unwritten.takeGap(before: line(1)) == nil)
  }

  @Test(arguments: [StorageError.overQuota("10 items"), .duplicate, .missing])
  mutating func whatOtherChangesMayNotDoLosesNoLine(_ error: StorageError) {
    unwritten.failed(line(1), error)
    #expect(unwritten.takeGap() == nil)
  }

  @Test mutating func aRefusalWhoseLineFailedStandsForNone() {
    #expect(!isCounted(1))
    unwritten.failed(line(1), .full)
    #expect(!isCounted(2))
  }

  @Test mutating func aGapWhoseLineFailedIsToldByTheNext() throws {
    #expect(!isCounted(1))
    #expect(isCounted(2))
    let taken = unwritten.takeGap(before: line(3, began: WallInstant(milliseconds: 0)))
    let gap = try #require(taken)
    #expect(isCounted(4), "while the line is on its way to the disk")
    unwritten.failed(gap)
    unwritten.failed(line(3), .full)
    let told = detail(unwritten.takeGap())
    #expect(told?.hasPrefix("2 more refusals of others") == true)
    #expect(told?.contains("; 1 line could not be written") == true)
  }
}
