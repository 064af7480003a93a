import LocalAuthCore

/// The order of effects, as the daemon's interpreter has it.
extension Scene {
  mutating func perform(_ action: Attempt.Action, _ slot: UInt8, _ factor: Factor) {
    switch action {
    case .charge: whenStorageWorks(.charge(slot, factor))
    case .judge: judge(slot, factor)
    case .settle(let verdict): settle(slot, factor, verdict)
    case .report(let verdict): report(slot, factor, verdict)
    case .ignore: break
    }
  }

  /// Counts an attempt and makes that durable.
  mutating func count(_ slot: UInt8, _ factor: Factor) {
    guard let index = world.index(of: slot) else { return }
    if factor == .biometry, let hindrance = conditions(index).biometry.outcome {
      return chargeFailed(slot, factor, hindrance)
    }
    if let refusal = count(factor, under: setup.attempts) {
      return chargeFailed(slot, factor, refusal)
    }
    let count = failures(factor)
    world.sessions[index][factor]?.count = count
    world.sessions[index][factor]?.isLastCount = true
    world.sessions[index].isRecorded = false
    commit(.charge(slot, factor))
  }

  mutating func chargeFailed(_ slot: UInt8, _ factor: Factor, _ outcome: Outcome) {
    guard let index = world.index(of: slot),
      let action = world.sessions[index][factor]?.machine.chargeFailed(outcome)
    else { return }
    perform(action, slot, factor)
  }

  /// The charge of an attempt is durable, or is not.
  mutating func charged(_ slot: UInt8, _ factor: Factor, isDurable: Bool) {
    guard isDurable else {
      if let index = world.index(of: slot), let run = world.sessions[index][factor] {
        takeBack(factor, run)
      }
      return chargeFailed(slot, factor, Self.unwritable)
    }
    guard let index = world.index(of: slot),
      let action = world.sessions[index][factor]?.machine.charged()
    else { return }
    perform(action, slot, factor)
  }

  /// Asks the judge: the sensor answers at once, the others when the environment lets them.
  private mutating func judge(_ slot: UInt8, _ factor: Factor) {
    guard let index = world.index(of: slot), let run = world.sessions[index][factor] else {
      return
    }
    switch run.evidence {
    case .finger(let isRight):
      // The sensor forgets a touch whose evaluation is over.
      guard world.sessions[index].machine.outcome == nil else {
        return judged(slot, factor, .unjudged(Outcome(.systemCancel)))
      }
      judged(slot, factor, verdict(isRight: isRight))
    case .passcode: break
    case .conversation: asks(slot)
    }
  }

  /// PAM asks its question.
  private mutating func asks(_ slot: UInt8) {
    guard let index = world.index(of: slot) else { return }
    // Whoever is over hears no question; the conversation waits to be broken off.
    guard world.sessions[index].machine.outcome == nil else {
      world.sessions[index].passcode?.isAborted = true
      return
    }
    world.sessions[index].passcode?.isAsking = true
  }

  /// The person answers PAM: the first answer is what the conversation was charged for.
  mutating func answerQuestion(_ slot: UInt8, isRight: Bool) {
    guard let index = world.index(of: slot) else { return }
    world.sessions[index].passcode?.wasSubmitted = true
    world.sessions[index].passcode?.isAsking = false
    world.sessions[index].passcode?.evidence = .conversation(isRight: isRight)
  }

  /// The verdict on a passcode comes.
  mutating func passcodeJudged(_ slot: UInt8) {
    guard let index = world.index(of: slot), let run = world.sessions[index].passcode else {
      return
    }
    switch run.evidence {
    case .finger: break
    case .passcode(let isRight), .conversation(let isRight?):
      judged(slot, .passcode, isRight ? .proven(finger: nil, generation: nil) : .miss)
    case .conversation(nil): judged(slot, .passcode, .unjudged(Outcome(.systemCancel)))
    }
  }

  /// PAM says no without having asked.
  mutating func passcodeRefused(_ slot: UInt8) { judged(slot, .passcode, .miss) }

  private func verdict(isRight: Bool) -> Verdict {
    isRight
      ? .proven(finger: .rightIndex, generation: world.memory.enrolment.generation) : .miss
  }

  private mutating func judged(_ slot: UInt8, _ factor: Factor, _ verdict: Verdict) {
    guard let index = world.index(of: slot), let run = world.sessions[index][factor] else {
      return
    }
    witness(run, factor, verdict)
    if case .proven(_, let generation) = verdict {
      world.sessions[index].witnessed.factors.insert(factor.alone)
      if factor == .biometry { world.sessions[index].witnessed.biometryGeneration = generation }
    }
    if verdict == .miss, run.wasSubmitted { checkTries(index, factor) }
    guard let action = world.sessions[index][factor]?.machine.judged(verdict) else { return }
    perform(action, slot, factor)
  }

  private mutating func settle(_ slot: UInt8, _ factor: Factor, _ verdict: Verdict) {
    guard let index = world.index(of: slot), let run = world.sessions[index][factor] else {
      return
    }
    apply(factor, verdict, run)
    noteAudit(slot, factor, verdict)
    commit(.settle(slot, factor))
  }

  mutating func settled(_ slot: UInt8, _ factor: Factor, isDurable: Bool) {
    // What could not be settled does not count, and the evaluation may go on without it.
    if !isDurable, let index = world.index(of: slot) {
      world.sessions[index].witnessed.factors.remove(factor.alone)
      if factor == .biometry { world.sessions[index].witnessed.biometryGeneration = nil }
    }
    guard let index = world.index(of: slot),
      let action = isDurable
        ? world.sessions[index][factor]?.machine.settled()
        : world.sessions[index][factor]?.machine.settleFailed(Self.unwritable)
    else { return }
    perform(action, slot, factor)
  }

  private mutating func report(_ slot: UInt8, _ factor: Factor, _ verdict: Verdict) {
    guard let index = world.index(of: slot) else { return }
    checkCleared(factor, verdict)
    if case .proven = verdict, world.sessions[index].provenAt == nil {
      world.sessions[index].provenAt = now
      world.sessions[index].isForgotten = world.sessions[index][factor]?.isForgotten ?? false
    }
    var machine = world.sessions[index].machine
    let action = apply(verdict: verdict, of: factor, index, on: &machine)
    world.sessions[index].machine = machine
    world.sessions[index][factor] = nil
    perform(action, slot)
    sweep()
  }

  /// Applies a verdict to `machine` or to a copy of it.
  private func apply(
    verdict: Verdict,
    of factor: Factor,
    _ index: Int,
    on machine: inout EvaluationMachine
  ) -> EvaluationMachine.Action {
    let conditions = conditions(index)
    let wasAsked =
      factor == .biometry || world.sessions[index].passcode?.wasSubmitted ?? true
    let action = machine.judged(factor, verdict, conditions: conditions)
    guard case .present = action, verdict == .miss, !wasAsked else { return action }
    return machine.faulted(factor, Outcome(.authenticationFailed), conditions: conditions)
  }

  /// The audit line of a verdict has the outcome that it will lead to.
  private mutating func noteAudit(_ slot: UInt8, _ factor: Factor, _ verdict: Verdict) {
    guard let index = world.index(of: slot), world.sessions[index].machine.outcome == nil else {
      return
    }
    var copy = world.sessions[index].machine
    _ = apply(verdict: verdict, of: factor, index, on: &copy)
    if let outcome = copy.outcome { world.sessions[index].auditedOutcome = outcome }
  }

  // MARK: Counting

  /// Counts an attempt in memory; nil when it may be judged once that is durable.
  mutating func count(_ factor: Factor, under rules: DeviceAttempts.Rules) -> Outcome? {
    let charge = world.memory.attempts.charge(factor, under: rules, at: now)
    guard charge == .charged else { return charge.refusal(of: factor) }
    witnessCharge(factor)
    counted(factor)
    return nil
  }

  /// A count was added to or cleared: only the last charge can be given back.
  mutating func counted(_ factor: Factor) {
    for index in world.sessions.indices { world.sessions[index][factor]?.isLastCount = false }
    if factor == .passcode { world.act?.run.isLastCount = false }
  }

  /// A charge that could not be stored is none: nothing is judged for it.
  mutating func takeBack(_ factor: Factor, _ run: Run) {
    guard run.isLastCount else { return }
    if factor == .passcode {
      world.memory.attempts.throttle.refunded(under: setup.device.delays)
    } else {
      world.memory.attempts.lockout.refunded(under: setup.device.lockout)
    }
  }

  func failures(_ factor: Factor) -> UInt32 { tally(factor).failures }

  /// How long attempts at `factor` are still refused; nil when they are not.
  func wait(at factor: Factor) -> Duration? {
    guard let wait = tally(factor).refusal?.remaining(at: now), wait > .zero else { return nil }
    return wait
  }

  private func tally(_ factor: Factor) -> Tally {
    let attempts = world.memory.attempts
    return factor == .passcode ? attempts.throttle.tally : attempts.lockout.tally
  }

  /// Applies what a verdict changes.
  mutating func apply(_ factor: Factor, _ verdict: Verdict, _ run: Run) {
    world.memory.attempts.settle(
      factor,
      verdict,
      wasSubmitted: run.wasSubmitted || !run.isLastCount,
      under: setup.device,
      at: now
    )
    if case (.passcode, .proven) = (factor, verdict) {
      world.isDistrusted = false
      counted(.biometry)
    }
    if case .proven = verdict { counted(factor) }
  }

  static let unwritable = Outcome(.internalError)
}
