import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON

/// Two policies or lockout profiles, compared in every quantity; each is solved exactly.
struct CaseComparison {
  /// One quantity under both.
  struct Row {
    let left: Quantity
    let right: Quantity

    /// The label and both values.
    var cells: [String] { [left.label, left.shown, right.shown] }

    func write<Sink: ~Copyable>(_ writer: inout JSONWriter<Sink>) {
      writer.member("name", left.name)
      writer.member("unit", left.unit.rawValue)
      writer.member("a", number: left.value)
      writer.member("b", number: right.value)
    }
  }

  let rows: [Row]
  /// Whether all was computed that can be.
  let isComplete: Bool
  private let names: (String, String)
  /// Why there is no number; nil if there is one, or if it was stopped.
  private let reason: String?

  /// Solves both `choices` for the people, sensor and attackers that `context` describes; without
  /// a row if `goesOn` is false before both are solved, which is asked before each day, and within
  /// attacks.
  init(
    _ names: (String, String),
    _ choices: (PolicyChoice, PolicyChoice),
    _ context: VerbContext,
    goesOn: () -> Bool
  ) throws(Failure) {
    self.names = names
    let sensor = try SensorChoice(context)
    let unmet = [choices.0, choices.1].first { !$0.policy.isMetWithoutPossession }
    reason = unmet.map { Self.reason($0.policy.name) }
    guard unmet == nil else {
      (rows, isComplete) = ([], true)
      return
    }
    guard let left = try Self.quantities(choices.0, sensor, context, goesOn),
      let right = try Self.quantities(choices.1, sensor, context, goesOn)
    else {
      (rows, isComplete) = ([], false)
      return
    }
    isComplete = true
    // What one of both never comes to, such as a refusal that passes, has nothing to be compared with.
    rows = left.compactMap { quantity in
      right.first { $0.name == quantity.name }.map { Row(left: quantity, right: $0) }
    }
  }

  private static func reason(_ name: String) -> String {
    "No numbers are compared: people would need something to have for \(name)."
  }

  /// The table of the rows that one of both can come to, headed by the names, or why there is none.
  var table: [String] {
    if let reason { return [reason] }
    let shown = rows.filter { $0.left.moot == nil || $0.right.moot == nil }
    return shown.isEmpty ? [] : Columns.table([["", names.0, names.1]] + shown.map(\.cells))
  }

  /// Everything that `choice` comes to; nil if it was stopped.
  private static func quantities(
    _ choice: PolicyChoice,
    _ sensor: SensorChoice,
    _ context: VerbContext,
    _ goesOn: () -> Bool
  ) throws(Failure) -> [Quantity]? {
    let plan = try CaseOptions.plan(choice, sensor, context)
    let named = context.arguments[AttackOptions.attackers]
    let attackers = named.isEmpty ? AttackOptions.all(context) : named
    let questions = try AttackOptions.questions(attackers, sensor, context)
    let days = context.arguments[PolicySolveVerb.days].count
    let solution = Solution(
      plan,
      days: days,
      percentiles: PolicySolveVerb.shares.map(\.0),
      isStopped: { !goesOn() }
    )
    guard solution.days == days, let times = solution.times(isStopped: { !goesOn() }) else {
      return nil
    }
    var quantities = PolicySolveVerb.quantities(solution, times, plan)
    for question in questions {
      let answer = try AttackReport.quantities(plan, [question], isStopped: { !goesOn() })
      guard let answer else { return nil }
      quantities += answer
    }
    return quantities
  }
}
