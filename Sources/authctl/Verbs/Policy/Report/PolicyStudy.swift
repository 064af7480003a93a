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
  /// The attacks, solved.
  let attacks: [StudiedAttack]
  /// How long an attacker has.
  let attackTime: Duration
  /// What touching on purpose costs.
  let denial: TouchDenial
  let compliance: Compliance
  /// What our own numbers decide; nil if that is not to be told.
  let sensitivity: SensitivityReport?
  /// Whether no signal came before everything was computed.
  let isComplete: Bool

  var policy: Policy { report.plan.policy }

  /// Whether the passcode alone can meet the policy.
  var isPasscodeEnough: Bool {
    policy.requirement.isMet(by: Proven(factors: .passcode, biometryGeneration: 0))
  }

  /// The numbers of the attacks that are ours.
  var attackNumbers: [AssumptionText.Number] {
    AssumptionText.numbersOfAttacks(attacks.map { .attack($0.attack) }, on: report.plan)
      .filter(\.isOurs)
  }

  /// Computes what `choice` comes to, for the people and the sensor that `context` describes, as far as it
  /// gets before a signal; nil if that is not one day.
  init?(
    _ choice: PolicyChoice,
    _ sensor: SensorChoice,
    isSensitive: Bool,
    _ context: VerbContext
  ) throws(Failure) {
    let plan = try CaseOptions.plan(choice, sensor, context)
    let (solved, isComplete) = try PolicySolveVerb.solve(plan, context)
    guard let solution = solved, solution.days > 0 else { return nil }
    self.solution = solution
    let logins = solution.times()
    times = logins.percentiles(PolicySolveVerb.shares.map(\.0)).map(\.upperBound)
    attackTime = context.arguments[AttackOptions.time].duration
    let named = context.arguments[AttackOptions.attackers]
    let choices = named.isEmpty ? AttackOptions.all(context) : named
    let questions = try AttackOptions.questions(choices, sensor, context)
    report = CaseReport(plan, sensor, questions)
    var attacks: [StudiedAttack] = []
    for case (let choice, .attack(let attack)) in zip(choices, questions) where isComplete {
      let solution = try AttackReport.solution(plan, attack)
      attacks.append(StudiedAttack(choice: choice, attack: attack, solution: solution))
    }
    self.attacks = attacks
    denial = TouchDenial(plan)
    compliance = Compliance(
      plan,
      rejected: solution.rejected,
      iapar: sensor.fakes?.iapar,
      secrets: AttackOptions.secrets(context)
    )
    guard isSensitive, isComplete else {
      sensitivity = nil
      self.isComplete = isComplete
      return
    }
    // The page says what touching on purpose costs, whoever else was asked about.
    let asked = attacks.map { AttackQuestion.attack($0.attack) } + [.denial]
    let base =
      PolicySolveVerb.quantities(solution, logins, plan)
      + attacks.map { AttackReport.success($0.attack, $0.solution.success) }
      + AttackReport.denial(denial)
    let sensitivity = try SensitivityReport(plan, solution.days, base, asked, context)
    self.sensitivity = sensitivity
    self.isComplete = sensitivity.isComplete
  }
}

/// An attack of a study, and how it goes.
struct StudiedAttack {
  let choice: AttackerChoice
  let attack: Attack
  let solution: AttackSolution
}
