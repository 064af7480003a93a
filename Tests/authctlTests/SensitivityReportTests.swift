import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import LocalAuthUnix
import Testing

@testable import authctl

/// What halving and doubling tells, where some of it cannot be computed.
@Suite struct SensitivityReportTests {
  /// Where nothing is refused there is a state for each second, and twice as many for an attacker twice as
  /// fast.
  @Test func aChangeThatCannotBeSolvedIsLeftOutAndNamed() throws {
    let catalog = PolicyCatalog()
    var policy = try catalog.policy(named: "biometrics").get()
    policy.freshness = FreshnessRules()
    let plan = PolicyCase(
      policy: policy,
      rules: DeviceAttempts.Rules(
        lockout: LockoutProfile(name: "endless", delays: DelayTable()),
        delays: try catalog.passcodeDelays(named: "apple").get()
      ),
      sensor: try catalog.sensorProfile(named: "goats").get().model
    )
    let attack = Attack(.zeroEffort, time: .seconds(200_000))
    guard case .run(_, let arguments) = try CommandTable.tree.parse(["policy", "list"]) else {
      Issue.record("no verb")
      return
    }
    let solution = Solution(plan, days: 1, percentiles: PolicySolveVerb.shares.map(\.0))
    let base =
      PolicySolveVerb.quantities(solution, plan)
      + (try #require(
        try AttackReport.quantities(plan, [.attack(attack)], isStopped: { false })
      ))
    var interruption = Interruption()
    let report = try SensitivityReport(
      plan,
      1,
      base,
      [.attack(attack)],
      VerbContext(arguments: arguments, output: Output(arguments), environment: .current),
      until: &interruption
    )
    #expect(report.isComplete)
    #expect(
      report.leftOut == [
        "left out is an attacker's times, times 0.5: an attack has too many states to be solved then"
      ]
    )
    #expect(report.text.last == report.leftOut.last)
    #expect(report.rows.filter { $0.change.name == "attackPace" }.map(\.change.changed) == [2])
  }
}
