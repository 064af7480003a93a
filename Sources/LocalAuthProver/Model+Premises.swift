import LocalAuthCore

/// The situations in which a wrong machine could break a property.
///
/// A property that was never at risk says nothing of the machine: nobody who never met a refusal knows
/// that refusals hold.
extension Model {
  /// Notes what `event` puts at risk, before it happens.
  mutating func notePremises(of event: Event) {
    switch event {
    case .request(_, let request):
      if state.machine.record.passcode == .none, setup.wantsPasscode {
        premises.insert(Premises(.passcodeIsSet))
      }
      for factor in setup.policy.requirement.factors.factors {
        tried(factor, forOthers: request.isOthers)
      }
      if let wish = request.wish { asked(wish) }
    case .touch: triedAtThePrompt(.biometry)
    case .passcode: triedAtThePrompt(.passcode)
    case .act: tried(.passcode, forOthers: false)
    case .word(let number, _):
      let all = started
      if all.indices.contains(number) { tried(all[number].factor, forOthers: false) }
    case .fallback, .fault, .cancel, .timeout, .stray, .question, .agent, .commit, .verdict,
      .refusal, .presence, .prints, .programs,
      .settle,
      .lock, .revoke, .pass, .wall, .reboot, .crash:
      break
    }
    if state.asked.contains(where: { $0.agent == .placed && !$0.isAnswered }) {
      premises.insert(Premises(.promptIsSeen))
    }
    if state.asked.count(where: { !$0.isAnswered }) > 1 { premises.insert(Premises(.onePrompt)) }
  }

  /// Somebody tries `factor`, or asks for it to be tried, although it may have to be refused.
  private mutating func tried(_ factor: Factor, forOthers isOthers: Bool) {
    let count = Counted(factor, forOthers: isOthers)
    if count.refusing.contains(where: { state.history[$0].left > 0 }) {
      premises.insert(Premises(.refusalHolds))
    }
    if count.locking.contains(where: isUsedUp) { premises.insert(Premises(.boundedAttempts)) }
    guard !count.isOfPasscode else { return }
    if state.history.isDistrusted || isStrange { premises.insert(Premises(.distrustHolds)) }
    if case .ready(let strength) = state.machine.sensor, count.isOfFinger,
      strength < setup.policy.minimumStrength
    {
      premises.insert(Premises(.sensorIsStrong))
    }
    guard count.isOfFinger, state.machine.record.passcode != .none, !isFresh else { return }
    premises.insert(Premises(.freshnessHolds))
  }

  /// Somebody at the prompt tries `factor`.
  private mutating func triedAtThePrompt(_ factor: Factor) {
    let holder = state.machine.armed.flatMap { state.index(of: $0.id) }
    tried(factor, forOthers: holder.map { state.asked[$0].request.isOthers } ?? false)
  }

  /// A program takes an earlier success that may not answer it, or not any more.
  private mutating func asked(_ wish: Wish) {
    for promise in state.history.promises {
      if promise.usesLeft == 0 { premises.insert(Premises(.grantUsedOnce)) }
      if !promise.answers(wish) { premises.insert(Premises(.grantEnds)) }
    }
  }

  /// Something that may be taken for another answer reaches an evaluation that has ended.
  mutating func reached(_ owner: EvaluationID) {
    guard let index = state.machine.index(of: owner) else { return }
    if state.machine.evaluations[index].machine.outcome != nil {
      premises.insert(Premises(.oneAnswer))
    }
  }
}

extension History.Promise {
  /// Whether the grant may answer `wish`, if a use is left.
  func answers(_ wish: Wish) -> Bool {
    scope == wish.scope && endsIn == nil && age < min(maxAge, wish.maxAge.wholeNanoseconds)
      && unused < (idle ?? .max)
  }
}
