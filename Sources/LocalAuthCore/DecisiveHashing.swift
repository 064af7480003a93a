// What decides the answers to come, for a search that keeps one of all situations that it finds no
// difference between. Why a factor is not used any more, and which denial was given, is told to
// people and to the audit log; nothing that happens depends on it.

/// Hashes situations so that two are equal if they differ only in names that are only compared.
package struct DecisiveHasher {
  @usableFromInline var hasher = Hasher()
  private var evaluations: [EvaluationID] = []
  private var sets: [UInt64]
  private let renamesSets: Bool

  /// A hasher that numbers sets of fingers anew, after those that a requirement names; nil leaves
  /// their numbers alone.
  package init(sets: [UInt64]?) {
    self.sets = sets ?? []
    renamesSets = sets != nil
    evaluations.reserveCapacity(4)
  }

  /// The hash.
  package consuming func finalize() -> Int { hasher.finalize() }

  /// Hashes `value` as it is.
  @inlinable
  @inline(__always)
  package mutating func value(_ value: some Hashable) { hasher.combine(value) }

  /// Hashes `value`, and in one step if it is `common`, which it mostly is.
  @inlinable
  @inline(__always)
  package mutating func value<Value: Hashable>(_ value: Value, mostly common: Value) {
    guard value != common else { return hasher.combine(0 as UInt8) }
    hasher.combine(1 as UInt8)
    hasher.combine(value)
  }

  /// Hashes the order of the first mention of `id`; what is no evaluation keeps its name.
  package mutating func name(_ id: EvaluationID?) {
    guard let id else { return hasher.combine(-1) }
    guard id.high == 0 else { return hasher.combine(id) }
    if let index = evaluations.firstIndex(of: id) { return hasher.combine(index) }
    hasher.combine(evaluations.count)
    evaluations.append(id)
  }

  /// Hashes the order of the first mention of a set of fingers.
  package mutating func set(_ generation: UInt64?) {
    guard let generation else { return hasher.combine(-1) }
    guard renamesSets else { return hasher.combine(generation) }
    if let index = sets.firstIndex(of: generation) { return hasher.combine(index) }
    hasher.combine(sets.count)
    sets.append(generation)
  }

  package mutating func combine(_ attempt: AttemptID) {
    name(attempt.owner)
    value(attempt.factor)
  }

  package mutating func combine(_ proven: Proven) {
    hasher.combine(proven.factors.rawValue)
    set(proven.biometryGeneration)
  }

  /// Hashes whether there is an outcome, and whether it is the success.
  mutating func combine(_ outcome: Outcome?) {
    hasher.combine(outcome.map { $0.code == .success ? 1 : 2 } ?? 0)
  }

  package mutating func combine(_ moment: Moment?) {
    guard let moment else { return hasher.combine(-1) }
    hasher.combine(moment.boot.nanoseconds)
    hasher.combine(moment.bootID.low)
    hasher.combine(moment.wall.milliseconds)
  }

  mutating func combine(_ verdict: Verdict) {
    switch verdict {
    case .proven(_, let generation):
      hasher.combine(0)
      set(generation)
    case .miss: hasher.combine(1)
    case .unjudged: hasher.combine(2)
    }
  }

  mutating func combine(_ grant: Grant?) {
    guard let grant else { return hasher.combine(-1) }
    name(grant.id)
    hasher.combine(grant.scope)
    hasher.combine(grant.rule)
    combine(grant.proven)
    combine(grant.provenAt)
    hasher.combine(grant.usedAt.nanoseconds)
    hasher.combine(grant.usesLeft)
  }

  package mutating func combine(_ record: DeviceRecord) {
    set(record.enrolment.generation)
    let flags = record.enrolment.fingers.isEmpty ? 4 : 0
    switch record.passcode {
    case .none: hasher.combine(flags)
    case .device: hasher.combine(flags | 1)
    case .pam: hasher.combine(flags | 2)
    }
    value(record.attempts.lockout, mostly: Lockout())
    value(record.attempts.throttle, mostly: PasscodeThrottle())
    value(record.attempts.freshness)
    value(record.others, mostly: .none)
    hasher.combine(record.grants.all.count)
    for grant in record.grants.all { combine(grant) }
  }

  /// Hashes what waits for a commit.
  package mutating func combine(_ purpose: DeviceMachine.Purpose) {
    switch purpose {
    case .charge(let attempt):
      hasher.combine(0)
      combine(attempt)
    case .answer(let attempt):
      hasher.combine(1)
      combine(attempt)
    case .settle(let attempt):
      hasher.combine(2)
      combine(attempt)
    case .redeem(let id):
      hasher.combine(3)
      name(id)
    case .remember(let id):
      hasher.combine(4)
      name(id)
    case .close(let id):
      hasher.combine(5)
      name(id)
    case .act(let id):
      hasher.combine(6)
      name(id)
    case .housekeeping: hasher.combine(7)
    case .reopen(let continuation):
      hasher.combine(8)
      combine(continuation)
    }
  }

  private mutating func combine(_ continuation: DeviceMachine.Continuation) {
    switch continuation {
    case .begin(let id):
      hasher.combine(0)
      name(id)
    case .check(let id):
      hasher.combine(1)
      name(id)
    case .charge(let attempt):
      hasher.combine(2)
      combine(attempt)
    case .answer(let attempt):
      hasher.combine(3)
      combine(attempt)
    case .commit(let purpose, let kind, let audit):
      hasher.combine(4)
      combine(purpose)
      hasher.combine(kind)
      combine(audit?.outcome)
      name(audit?.redeemed)
    }
  }

  package mutating func combine(_ machine: DeviceMachine) {
    combine(machine.record)
    hasher.combine(
      (machine.isDistrusted ? 1 : 0) | (machine.failure == nil ? 0 : 2)
        | (machine.isRemoved ? 4 : 0)
    )
    hasher.combine(machine.evaluations.count)
    for run in machine.evaluations { combine(run) }
    name(machine.arbiter.armed)
    let waiting = machine.arbiter.waiting
    value(waiting.count)
    for id in waiting { name(id) }
    hasher.combine(machine.acts.count)
    for act in machine.acts {
      name(act.id)
      combine(act.attempt)
    }
    combine(machine.unlock)
  }

  private mutating func combine(_ run: DeviceMachine.EvaluationRun) {
    name(run.id)
    run.machine.hashDecisive(into: &self)
    combine(run.finger)
    combine(run.passcode)
    combine(run.possession)
    combine(run.provenAt)
    name(run.redeemed)
    combine(run.auditedOutcome)
    let flags = (run.isForgotten ? 1 : 0) | (run.isSimulated ? 2 : 0) | (run.isHidden ? 4 : 0)
    hasher.combine(flags | (run.isAnswered ? 8 : 0) | (run.matched == nil ? 0 : 16))
    hasher.combine(run.phase)
  }

  private mutating func combine(_ attempt: DeviceMachine.AttemptRun?) {
    guard let attempt else { return hasher.combine(-1) }
    attempt.machine.hashDecisive(into: &self)
    let flags =
      (attempt.wasSubmitted ? 1 : 0) | (attempt.isAsking ? 2 : 0) | (attempt.isAborted ? 4 : 0)
      | (attempt.refund == .all ? 8 : 0) | (attempt.isForgotten ? 16 : 0)
    let kinds =
      (attempt.isSimulated ? 32 : 0) | (attempt.reportsPresence ? 64 : 0)
      | (attempt.capturesItself ? 128 : 0) | (attempt.refund == .failure ? 256 : 0)
    hasher.combine(flags | kinds)
    hasher.combine(attempt.guess)
  }
}

extension EvaluationMachine {
  /// Hashes what decides: neither the rules, which never change, nor the wording of denials.
  fileprivate func hashDecisive(into hasher: inout DecisiveHasher) {
    hasher.combine(proven)
    switch state {
    case .idle: hasher.value(0)
    case .redeeming(let granted, let way):
      hasher.value(way == .enqueue ? 1 : 2)
      hasher.combine(granted)
    case .waiting: hasher.value(3)
    case .presenting: hasher.value(4)
    case .finished: hasher.value(5)
    }
    hasher.value(UInt64(judgedCount) << 32 | UInt64(misses))
    hasher.value(UInt64(wrongPasscodes) << 32 | UInt64(otherMisses))
    let sets = Int(inFlight.rawValue) << 8 | Int(excluded.rawValue)
    hasher.value(sets << 2 | (isUnlockReused ? 1 : 0) | (isGranted ? 2 : 0))
    hasher.combine(outcome)
  }
}
