import Glibc
import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor
import LocalAuthTestSupport
import Testing

/// How often the intervals of a simulation contain what the chain computes exactly.
///
/// `COVERAGE_RUNS` repeats each simulation as often, and prints the rows of the table in
/// docs/policy-science.md.
@Suite struct IntervalCoverageTests {
  private static let seed = SeededGenerator.ofThisRun.seed

  private static var runs: UInt32? {
    // SAFETY: the C string is copied at once, and no test changes the environment.
    unsafe getenv("COVERAGE_RUNS").flatMap { unsafe UInt32(String(cString: $0)) }
  }

  /// More comparisons than there are.
  private static let comparisons = 100.0

  struct Case: CustomTestStringConvertible {
    let name: String
    let people: UInt32
    let days: UInt32
    /// How often it is simulated in an ordinary run of the tests.
    let runs: UInt32

    var testDescription: String { "\(name), \(people) people, \(days) days" }

    var sensor: SensorModel { name == "goats" ? Cases.goats : .standard }
  }

  static let cases = ["standard", "goats"].flatMap { name in
    [
      Case(name: name, people: 50, days: 30, runs: 100),
      Case(name: name, people: 50, days: 365, runs: 2),
      Case(name: name, people: 200, days: 30, runs: 20),
      Case(name: name, people: 1000, days: 30, runs: 2),
    ]
  }

  /// One interval after the other, of the same quantity.
  private struct Coverage {
    let name: String
    let exact: Double
    let interval: (LoginStatistics) -> ClosedRange<Double>?
    var covered = 0 as UInt64
    var width = 0.0

    mutating func add(_ seen: LoginStatistics) throws {
      let interval = try #require(self.interval(seen))
      covered += interval.contains(exact) ? 1 : 0
      width += interval.upperBound - interval.lowerBound
    }
  }

  private static func coverages(_ solution: Solution) -> [Coverage] {
    [
      Coverage(name: "falseRejects", exact: solution.rejected) { $0.rejected.shareInterval() },
      Coverage(name: "lockouts", exact: solution.lockoutsPerYear / 365.25) {
        $0.lockouts.meanInterval()
      },
      Coverage(name: "everLockedOut", exact: solution.everLockedOut) {
        $0.everLockedOut.shareInterval()
      },
      Coverage(name: "fallbacks", exact: solution.fallbacks) { $0.fallbacks.shareInterval() },
      Coverage(name: "denied", exact: solution.denied) { $0.denied.shareInterval() },
    ]
  }

  @Test(arguments: cases) func ninetyFiveInAHundredIntervalsCover(_ item: Case) throws {
    let plan = try Cases.plan(
      "device-owner",
      Cases.lock(at: 3),
      item.sensor,
      habits: Cases.habits(logins: 10)
    )
    var coverages = Self.coverages(Solution(plan, days: item.days))
    let sample = PeopleSample(item.people, of: plan)
    let runs = Self.runs ?? item.runs
    for run in 0..<runs {
      let simulation = Simulation(
        plan,
        seed: Self.seed &+ UInt64(run),
        days: item.days,
        people: sample
      )
      var seen = simulation.nobody
      simulation.run(0..<item.people, into: &seen)
      for index in coverages.indices { try coverages[index].add(seen) }
    }
    for coverage in coverages {
      let covered = Proportion(successes: coverage.covered, trials: UInt64(runs))
      #expect(
        covered.atMost(rate: 0.95) > 1e-6 / Self.comparisons,
        "\(item.testDescription), \(coverage.name): \(covered), SEED=\(Self.seed)"
      )
      guard Self.runs != nil else { continue }
      let half = coverage.width / Double(runs) / 2 / coverage.exact
      print(
        "| \(item.name) | \(item.people) | \(item.days) | \(coverage.name) |",
        "\((covered.share * 1000).rounded() / 10) | \(RateText.text(half)) |"
      )
    }
  }
}
