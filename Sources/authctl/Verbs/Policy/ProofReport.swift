import LocalAuthCore
import LocalAuthJSON

/// The report of `policy prove`.
struct ProofReport {
  /// What was proven; the last may be incomplete.
  let proofs: [PolicyProof]
  /// What was proven of machines beside the device's; the last may be incomplete.
  let machines: [MachineProof]
  /// How many proofs were to be made.
  let planned: Int
  /// Why some policies, profiles or tables could not be used.
  let unusable: [Failure]
  /// Whether a signal ended it early.
  let isInterrupted: Bool

  private var states: Int {
    proofs.reduce(0) { $0 + $1.states } + machines.reduce(0) { $0 + $1.states }
  }
  private var broken: [[String]] {
    proofs.filter { !$0.holds }.map(\.lines) + machines.filter { !$0.holds }.map(\.lines)
  }

  /// Whether a property of a policy was never at risk.
  private var isVacuous: Bool { proofs.contains(where: \.isVacuous) }

  private var outcome: OutcomeCode {
    if isInterrupted { return .userCancel }
    if !broken.isEmpty { return .authenticationFailed }
    return unusable.isEmpty ? .success : .badConfiguration
  }

  private var message: String {
    var parts: [String] = []
    if isInterrupted {
      let done = proofs.count(where: \.isComplete) + machines.count(where: \.isComplete)
      parts.append("Interrupted: \(done) of \(planned) were explored to the end.")
    }
    parts.append(
      broken.isEmpty
        ? "\(isVacuous ? "No property is broken" : "All properties hold") in \(states) states."
        : "\(broken.count) of \(proofs.count + machines.count) do not hold."
    )
    if isVacuous { parts.append("What was not exercised was not shown to hold.") }
    parts += unusable.map { "Not proven: \($0.message)" }
    return parts.joined(separator: " ")
  }

  /// The report, for people and programs.
  var report: Report {
    let (message, broken) = (message, broken)
    var report = Report(outcome, message) { writer in
      writer.member("states", Int64(states))
      writer.member("complete", !isInterrupted)
      writer.member("items", proofs) { proof, writer in proof.write(to: &writer) }
      writer.member("machines", machines) { proof, writer in proof.write(to: &writer) }
      writer.member("unusable", unusable.map(\.message))
    }
    report.answer =
      planned == 1 && proofs.count == 1
      ? proofs[0].lines
      : Columns.table(PolicyProof.rows(proofs)) + machineLines + broken.flatMap { [""] + $0 } + [
        "", message,
      ]
    if report.outcome != .success, report.outcome != .authenticationFailed {
      report.remark = message
    }
    return report
  }

  private var machineLines: [String] {
    guard !machines.isEmpty else { return [] }
    return ["", "Machines that no policy changes:"] + Columns.table(machines.map(\.row))
  }
}
