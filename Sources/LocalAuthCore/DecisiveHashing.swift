// What decides the answers to come, for a search that keeps one of all situations that it finds no
// difference between. Why a factor is not used any more, and which denial was given, is told to
// people and to the audit log; nothing that happens depends on it.

extension DeviceMachine {
  /// Hashes what decides, as ``hash(into:)`` does, without the wording of denials.
  package func hashDecisive(into hasher: inout Hasher) {
    record.hashDecisive(into: &hasher)
    hasher.combine((isDistrusted ? 1 : 0) | (failure == nil ? 0 : 2) | (isRemoved ? 4 : 0))
    hasher.combine(unlock)
    hasher.combine(arbiter)
    hasher.combine(evaluations.count)
    for run in evaluations { run.hashDecisive(into: &hasher) }
    hasher.combine(acts)
  }
}

extension DeviceMachine.EvaluationRun {
  fileprivate func hashDecisive(into hasher: inout Hasher) {
    hasher.combine(id.low)
    machine.hashDecisive(into: &hasher)
    hasher.combine(phase)
    hasher.combine(finger)
    hasher.combine(passcode)
    hasher.combine(possession)
    hasher.combine(provenAt)
    hasher.combine(redeemed)
    hasher.combine(matched)
    let flags = (isForgotten ? 1 : 0) | (isSimulated ? 2 : 0) | (isHidden ? 4 : 0)
    hasher.combine(flags | (isAnswered ? 8 : 0) | Outcome.decisive(auditedOutcome) << 4)
  }
}

extension Outcome {
  /// Whether there is an outcome, and whether it is the success.
  static func decisive(_ outcome: Outcome?) -> Int {
    guard let outcome else { return 0 }
    return outcome.code == .success ? 1 : 2
  }
}
