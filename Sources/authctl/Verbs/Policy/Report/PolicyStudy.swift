import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor

/// Everything that a report says of one policy, computed.
struct PolicyStudy {
  let report: CaseReport
  let solution: Solution
  /// The times that half, nine in ten, and 99 in 100 logins take at most.
  let times: [Duration]
  /// The attacks, by how an attacker is called, and how often each succeeds at most.
  let attacks: [(choice: AttackerChoice, success: Double)]
  /// How long an attacker has.
  let attackTime: Duration
  /// What touching on purpose costs.
  let denial: TouchDenial
  let compliance: Compliance
  /// What our own numbers decide; nil if that is not to be told.
  let sensitivity: SensitivityReport?

  var policy: Policy { report.plan.policy }

  /// Computes what `choice` comes to, for the people and the sensor that `context` describes; nil if a
  /// signal ended it.
  init?(
    _ choice: PolicyChoice,
    _ sensor: SensorChoice,
    isSensitive: Bool,
    _ context: VerbContext
  ) throws(Failure) {
    let plan = try CaseOptions.plan(choice, sensor, context)
    let (solved, isComplete) = try PolicySolveVerb.solve(plan, context)
    guard isComplete, let solution = solved else { return nil }
    report = CaseReport(plan, sensor)
    self.solution = solution
    times = solution.times().percentiles(PolicySolveVerb.shares.map(\.0)).map(\.upperBound)
    attackTime = context.arguments[AttackOptions.time].duration
    let asked = context.arguments[AttackOptions.attackers]
    let choices = asked.isEmpty ? AttackOptions.all(context) : asked
    var attacks: [(AttackerChoice, Double)] = []
    for choice in choices {
      for case .attack(let attack) in try AttackOptions.questions([choice], sensor, context) {
        attacks.append((choice, try AttackReport.solution(plan, attack).success))
      }
    }
    self.attacks = attacks
    denial = TouchDenial(plan)
    compliance = Compliance(
      plan,
      rejected: solution.rejected,
      iapar: sensor.fakes?.iapar,
      secrets: AttackOptions.secrets(context)
    )
    guard isSensitive else {
      sensitivity = nil
      return
    }
    let sensitivity = try SensitivityReport(plan, solution, [], context)
    guard sensitivity.isComplete else { return nil }
    self.sensitivity = sensitivity
  }
}
