import LocalAuthAnalysis
import LocalAuthCore

/// The answer of `authctl policy solve`.
struct SolvedCase {
  let report: CaseReport
  let solution: Solution
  let quantities: [Quantity]
  /// Lines about what is assumed of attackers.
  let assumptions: [String]
  let compliance: Compliance
  /// What our own numbers decide, if that was asked.
  let sensitivity: SensitivityReport?
  /// The files that the chain was written into, if that was asked.
  let written: PrismFiles.Written?
  /// The days that were asked for.
  let days: UInt32
  /// Whether no signal came before everything was solved.
  let isWhole: Bool

  private var isComplete: Bool { isWhole && sensitivity?.isComplete ?? true }

  /// Returns the answer, for people or as a CSV file, and as JSON; it is a failure if a file could not be written.
  func report(asCSV: Bool, _ unwritten: Failure?) -> Report {
    var result = Report(
      isComplete ? .success : .userCancel,
      isComplete ? "The policy is solved." : QuantityReport.interrupted
    ) { writer in
      report.write(solution.days, &writer)
      writer.member("complete", isComplete)
      writer.member("states", Int64(solution.states))
      writer.member("prism", written)
      writer.member("quantities", quantities) { $0.write(&$1) }
      sensitivity?.write(&writer)
      writer.member("rules", compliance.rules) { rule, writer in
        writer.member("rule", rule.rule)
        writer.member("source", rule.source)
        writer.member("finding", rule.finding.rawValue)
        writer.member("clauses", rule.clauses) { clause, writer in
          writer.member("clause", clause.clause)
          writer.member("source", clause.source)
          writer.member("found", clause.found)
          writer.member("finding", clause.finding.rawValue)
        }
      }
    }
    result.answer = asCSV ? shown(quantities + (sensitivity?.named ?? [])) : shown(quantities)
    result.remark = isComplete ? nil : QuantityReport.interrupted
    if let unwritten { result.fail(unwritten.outcome, unwritten.message) }
    return result

    func shown(_ quantities: [Quantity]) -> [String] {
      QuantityReport(
        head: report.head + [
          "\(CountText.of(solution.days, "day")), \(CountText.of(solution.states, "state")), "
            + (solution.days == days ? "exact" : "partial: of \(CountText.of(days, "day"))")
        ] + assumptions,
        quantities: quantities,
        tail: (sensitivity?.text ?? []) + [""] + rules,
        reached: [("days", UInt64(solution.days))],
        isComplete: isComplete
      ).answer(asCSV: asCSV)
    }
  }

  /// A line per rule, and below it each clause that is not met.
  private var rules: [String] {
    compliance.rules.flatMap { rule in
      let open = rule.clauses.filter { $0.finding != .met }
      return Columns.table([[rule.rule, Self.verdict(rule), rule.source]])
        + open.map { "  \(Self.word($0.finding)): \($0.clause); here: \($0.found)" }
    }
  }

  /// The verdict on a rule: of one whose assessed clauses are all met, that some were not assessed.
  static func verdict(_ rule: ComplianceRule) -> String {
    guard rule.finding == .notAssessed else { return word(rule.finding) }
    return rule.isMoot ? "not assessed" : "met as far as assessed"
  }

  /// The word for a finding.
  static func word(_ finding: ComplianceClause.Finding) -> String {
    switch finding {
    case .met: "met"
    case .failed: "not met"
    case .unknown: "not known"
    case .notAssessed: "not assessed"
    }
  }
}
