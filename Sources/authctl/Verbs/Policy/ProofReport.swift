import LocalAuthCore
import LocalAuthJSON
import LocalAuthTerminal

/// The report of `policy prove`.
struct ProofReport {
  /// What was proven; the last may be incomplete.
  let proofs: [PolicyProof]
  /// How many proofs were to be made.
  let planned: Int
  /// Why some policies, profiles or tables could not be used.
  let unusable: [Failure]
  /// The signal that ended it early; nil for none.
  let signal: TerminalSignal?

  private var states: Int { proofs.reduce(0) { $0 + $1.states } }
  private var broken: [PolicyProof] { proofs.filter { !$0.holds } }

  /// Whether a property was never at risk.
  private var isVacuous: Bool { proofs.contains { !$0.notExercised.isEmpty } }

  private var outcome: OutcomeCode {
    if signal != nil { return .userCancel }
    if !broken.isEmpty { return .authenticationFailed }
    return unusable.isEmpty ? .success : .badConfiguration
  }

  private var message: String {
    var parts: [String] = []
    if signal != nil {
      let done = proofs.count { $0.isComplete }
      parts.append("Interrupted: \(done) of \(planned) were explored to the end.")
    }
    parts.append(
      broken.isEmpty
        ? "\(isVacuous ? "No property is broken" : "All properties hold") in \(states) states."
        : "\(broken.count) of \(proofs.count) do not hold."
    )
    if isVacuous { parts.append("What was not exercised was not shown to hold.") }
    parts += unusable.map { "Not proven: \($0.message)" }
    return parts.joined(separator: " ")
  }

  /// The report, for people and programs; a signal gives it the status that shells give one.
  var report: Report {
    let (message, broken) = (message, broken)
    var report = Report(outcome, message) { writer in
      writer.member("states", Int64(states))
      writer.member("complete", signal == nil)
      writer.member("items", proofs) { proof, writer in proof.write(to: &writer) }
      writer.member("unusable", unusable.map(\.message))
    }
    report.answer =
      planned == 1 && proofs.count == 1
      ? proofs[0].lines
      : Columns.table(PolicyProof.rows(proofs)) + broken.flatMap { [""] + $0.lines } + [
        "", message,
      ]
    if report.outcome != .success, report.outcome != .authenticationFailed {
      report.remark = message
    }
    if let signal { report.exit = 128 + signal.number }
    return report
  }
}
