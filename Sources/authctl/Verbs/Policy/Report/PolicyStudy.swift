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
    _ context: VerbContext,
    until interruption: inout Interruption
  ) throws(Failure) {
    let plan = try CaseOptions.plan(choice, sensor, context)
    let solved = try PolicySolveVerb.solve(plan, context, until: &interruption)
    guard let solution = solved, solution.days > 0 else { return nil }
    self.solution = solution
    let logins = solution.times()
    times = logins.percentiles(PolicySolveVerb.shares.map(\.0)).map(\.upperBound)
    attackTime = context.arguments[AttackOptions.time].duration
    let named = context.arguments[AttackOptions.attackers]
    let choices = named.isEmpty ? AttackOptions.all(context) : named
    let questions = try AttackOptions.questions(choices, sensor, context)
    report = CaseReport(plan, sensor, questions)
    let (attacks, isAttacked) = try Self.attacks(
      plan,
      choices,
      questions,
      context,
      until: &interruption
    )
    self.attacks = attacks
    denial = TouchDenial(plan)
    compliance = Compliance(
      plan,
      rejected: solution.rejected,
      iapar: sensor.fakes?.iapar,
      secrets: AttackOptions.secrets(context)
    )
    if isSensitive, isAttacked {
      // The page says what touching on purpose costs, whoever else was asked about.
      let asked = attacks.map { AttackQuestion.attack($0.attack) } + [.denial]
      let base =
        PolicySolveVerb.quantities(solution, logins, plan)
        + attacks.map { AttackReport.success($0.attack, $0.solution.success) }
        + AttackReport.denial(denial)
      let sensitivity = try SensitivityReport(
        plan,
        solution.days,
        base,
        asked,
        context,
        until: &interruption
      )
      self.sensitivity = sensitivity
      isComplete = sensitivity.isComplete
    } else {
      sensitivity = nil
      isComplete = isAttacked
    }
  }

  private static func attacks(
    _ plan: PolicyCase,
    _ choices: [AttackerChoice],
    _ questions: [AttackQuestion],
    _ context: VerbContext,
    until interruption: inout Interruption
  ) throws(Failure) -> (attacks: [StudiedAttack], isComplete: Bool) {
    let asked = zip(choices, questions).filter { $1.attack != nil }
    let (attacks, isComplete) = try QuestionRun(asked, in: "attacks")
      .perform(until: &interruption, context) { (asked, isStopped) throws(Failure) in
        try StudiedAttack(asked.0, asked.1, on: plan, isStopped: isStopped)
      }
    return (attacks, isComplete)
  }
}

/// An attack of a study, and how it goes.
struct StudiedAttack {
  let choice: AttackerChoice
  let attack: Attack
  let solution: AttackSolution

  /// Solves the attack that `question` is; nil if it is none, or if it was stopped.
  init?(
    _ choice: AttackerChoice,
    _ question: AttackQuestion,
    on plan: PolicyCase,
    isStopped: () -> Bool
  ) throws(Failure) {
    guard let attack = question.attack,
      let solution = try AttackReport.solution(plan, attack, isStopped: isStopped)
    else { return nil }
    (self.choice, self.attack, self.solution) = (choice, attack, solution)
  }
}
