import LocalAuthJSON
import Testing

@testable import authctl

/// What is said of the numbers that `policy solve` and `policy simulate` take and print.
@Suite struct PolicyNumbersTests {
  private func run(_ line: String) throws -> ProgramRun {
    try ProgramRun(line.split(separator: " ").map(String.init), environment: [])
  }

  private let few = "--population 20 --days 3 --seed 7"

  @Test(arguments: [
    ("device-owner --fmr 1e-300", "an FMR below 1 in 10^9"),
    ("device-owner --fnmr 0.9", "an FNMR above 50 %"),
    ("passcode --mistyped 0.99", "passcodes that are mistyped"),
  ])
  func numbersThatNobodyCanHaveMeasuredAreDoubted(_ words: String, _ doubt: String) throws {
    let run = try run("policy solve \(words) --days 1")
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("\ndoubtful: \(doubt)"), "\(run.output)")
    #expect(try !self.run("policy solve device-owner --days 1").output.contains("doubtful"))
  }

  @Test func theLimitOfATimeIsNamed() throws {
    let run = try run("policy solve passcode --attack-time 100000d")
    #expect(run.status == 2 && run.error.contains("at most 366d"), "\(run.error)")
  }

  /// Times are counted in bins of 3 %, so both ends of one are said.
  @Test func aDrawnTimeIsSaidAsFarAsItIsKnown() throws {
    let quantities = try run("policy simulate passcode \(few) --json").object["quantities"]
    let time = try #require(quantities?.elements.first { $0["name"]?.string == "time.p90" })
    let (low, high) = (time["low"]?.double ?? 0, time["high"]?.double ?? 0)
    #expect(low < high && high - low <= high / 32 + 1e-6, "\(low) \(high)")
    #expect(time["value"]?.double == (low + high) / 2)
  }

  @Test func aFileSaysHowFarItCame() throws {
    let solved = try run("policy solve passcode --days 3 --csv").output
    #expect(solved.hasSuffix("\ndays,3,,\ncomplete,1,,\n"), "\(solved)")
    let drawn = try run("policy simulate passcode \(few) --csv").output
    #expect(drawn.hasSuffix("\ndays,3,,\npeople,20,,\ncomplete,1,,\n"), "\(drawn)")
  }
}
