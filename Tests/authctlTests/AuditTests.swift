import LocalAuthWire
import Testing

@testable import authctl

/// Which lines of the audit are shown, in which order, and how they are counted.
@Suite struct AuditTests {
  private func line(
    _ name: String,
    _ outcome: String = "success",
    began: Int64 = 0,
    ended: Int64? = nil,
    action: String = "evaluate",
    program: String = "pay"
  ) -> DeviceMessages.AuditLine {
    var line = DeviceMessages.AuditLine()
    (line.evaluation, line.outcome, line.began, line.ended) = (name, outcome, began, ended)
    (line.action, line.program) = (action, program)
    return line
  }

  // MARK: Order

  @Test func linesAreInTheOrderInWhichTheyEnded() {
    let lines = [
      line("charged first, ended last", began: 1, ended: 90), line("b", began: 2, ended: 7),
      line("under way", "unknown", began: 8), line("c", began: 3, ended: 7),
    ]
    #expect(
      lines.inOrder.map(\.evaluation) == ["b", "c", "under way", "charged first, ended last"]
    )
  }

  // MARK: Times

  /// 2026-08-01T11:02:03Z.
  private static let now: Int64 = 1_785_582_123_000

  @Test(arguments: [
    ("90m", "2026-08-01T09:32:03Z"), ("30", "2026-08-01T11:01:33Z"),
    ("7d", "2026-07-25T11:02:03Z"), ("48h", "2026-07-30T11:02:03Z"),
    ("today", "2026-08-01T00:00:00Z"), ("yesterday", "2026-07-31T00:00:00Z"),
    ("08:30", "2026-08-01T08:30:00Z"), ("08:30:07", "2026-08-01T08:30:07Z"),
    ("2026-02-28", "2026-02-28T00:00:00Z"), ("2024-02-29T23:59", "2024-02-29T23:59:00Z"),
    ("2026-08-01 08:30", "2026-08-01T08:30:00Z"), ("1970-01-01", "1970-01-01T00:00:00Z"),
    ("2026-08-01T08:30:59Z", "2026-08-01T08:30:59Z"),
  ])
  func timeIsUnderstood(_ text: String, _ expected: String) throws {
    let time = try #require(AuditTime(argument: text))
    #expect(Timestamp.text(time.milliseconds(at: Self.now)) == expected)
  }

  @Test(arguments: [
    "", "never", "tomorrow", "-5m", "5y", "3661d", "d", "24:00", "8:30", "08:60", "08", "08:30:",
    "2026-02-29", "2026-13-01", "2026-00-10", "2026-8-1", "1969-12-31", "20260801",
    "2026-08-01T", "2026-08-01T08", "2026-08-01T08:30+02:00", "2026-08-01T08:30ZZ",
    "2026-08-01\u{1B}[0m", "９d",
  ])
  func anythingElseIsNoTime(_ text: String) {
    // A bare number is seconds.
    guard text != "08", text != "20260801" else { return #expect(AuditTime(argument: text) != nil) }
    #expect(AuditTime(argument: text) == nil)
  }

  @Test func everyDayIsReadAsItIsWritten() throws {
    for day in stride(from: Int64(0), through: 80_000, by: 1) {
      let text = Timestamp.day(day * Timestamp.millisecondsPerDay)
      try #require(Timestamp.milliseconds(text) == day * Timestamp.millisecondsPerDay, "\(text)")
    }
  }

  // MARK: Outcomes

  @Test func failureIsAnythingThatEndedButSuccess() throws {
    let failure = try #require(OutcomeChoice(argument: "failure"))
    #expect(failure.matches("userCancel") && failure.matches("internalError"))
    #expect(!failure.matches("success") && !failure.matches("unknown"))
  }

  @Test func outcomeIsFoundByItsName() throws {
    let cancel = try #require(OutcomeChoice(argument: "userCancel"))
    #expect(cancel.matches("userCancel") && !cancel.matches("success"))
    #expect(try #require(OutcomeChoice(argument: "unknown")).matches("unknown"))
    #expect(OutcomeChoice(argument: "Success") == nil && OutcomeChoice(argument: "") == nil)
  }

  @Test func filterTakesTheEndAndAnyOfTheOutcomes() throws {
    let outcomes = ["userCancel", "timeout"].compactMap { OutcomeChoice(argument: $0) }
    let filter = AuditFilter(since: 50, outcomes: outcomes)
    #expect(filter.matches(line("", "timeout", began: 1, ended: 50)))
    #expect(!filter.matches(line("", "timeout", began: 1, ended: 49)))
    #expect(!filter.matches(line("", "success", began: 1, ended: 50)))
    #expect(AuditFilter().isOpen && !filter.isOpen)
  }

  // MARK: Counts

  @Test func linesAreCountedByDay() throws {
    let day = Timestamp.millisecondsPerDay
    let summary = AuditSummary([
      line("", began: 0, ended: day - 1), line("", "userCancel", ended: day),
      line("", ended: day), line("", ended: day + 1, action: "unlock", program: "door"),
      line("", ended: day + 2), line("", "unknown", began: day + 3),
    ])
    #expect(summary.days.map(\.date) == ["1970-01-01", "1970-01-02"])
    #expect(summary.days.map(\.count) == [1, 5])
    #expect(
      summary.report.answer == [
        "1970-01-01", "  evaluate  1  1 success", "  asked by     1 pay", "1970-01-02",
        "  evaluate  4  2 success, 1 unknown, 1 userCancel", "  unlock    1  1 success",
        "  asked by     4 pay, 1 door",
      ]
    )
  }

  @Test func nothingIsCountedWhereThereIsNothing() {
    #expect(AuditSummary([]).days.isEmpty)
    #expect(AuditSummary([]).report.remark == "0 lines.")
  }

  // MARK: What was told

  @Test func eachStateOfALineIsNewOnce() {
    var told = ToldLines(limit: 10)
    let begun = line("a", "unknown")
    let ended = line("a", "success", ended: 7)
    var changed = ended
    changed.detail = "answered twice"
    let states = [begun, begun, ended, ended, changed, changed]
    let news = states.map { told.isNew($0) }
    #expect(news == [true, false, true, false, true, false])
    #expect(told.first == "a")
  }

  @Test func olderHalfIsForgottenBeyondTheLimit() {
    var told = ToldLines(limit: 10)
    let news = (0...10).map { told.isNew(line("\($0)")) }
    #expect(news == [Bool](repeating: true, count: 11))
    #expect(told.first == "5")
    let again = [5, 10].map { told.isNew(line("\($0)")) }
    #expect(again == [false, false])
  }
}
