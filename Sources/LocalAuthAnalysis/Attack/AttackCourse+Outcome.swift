import LocalAuthCore
import LocalAuthSensor

/// What the machines make of a move.
extension AttackCourse {
  /// The chance that `move` succeeds at `position`; 1 if nothing is tried.
  mutating func chance(of move: AttackMove, at position: AttackPosition) -> Double {
    switch move {
    case .touch where position.isEnrolled:
      position.ownMisses < Attack.ownMissesMax ? max(odds.own, fake) : 1
    case .touch: odds.touch(position.seen)
    case .type, .unlock, .enrol: position.knows ? 1 : odds.passcodes.chance(after: position.wrong)
    case .redeem, .restart, .wait: 1
    }
  }

  /// How often a fake matches, which they may use instead of their own finger.
  private var fake: Double {
    if case .fake(let species) = attack.attacker.finger { species.iapar } else { 0 }
  }

  /// Where `move` leads from `position` if it succeeds, or if it does not.
  func reach(_ move: AttackMove, from position: AttackPosition, succeeds: Bool) -> AttackReach {
    switch move {
    case .touch(let evaluation):
      return judged(.biometry, evaluation, position, succeeds: succeeds)
    case .type(let evaluation):
      return judged(.passcode, evaluation, position, succeeds: succeeds)
    case .redeem: return .won
    case .unlock: return opened(position, enrols: false, succeeds: succeeds)
    case .enrol: return opened(position, enrols: true, succeeds: succeeds)
    case .restart: return settled(restarted(position))
    case .wait(let length):
      var position = position
      position.now += length
      return settled(position)
    }
  }

  /// An attempt at `factor` in `evaluation`: charged, judged, settled and reported, as the daemon
  /// does it.
  private func judged(
    _ factor: Factor,
    _ evaluation: EvaluationMachine,
    _ position: AttackPosition,
    succeeds: Bool
  ) -> AttackReach {
    var (evaluation, position) = (evaluation, position)
    guard case .attempt = evaluation.offered(factor, conditions: conditions(position)),
      charge(factor, &position)
    else { return .lost }
    position.now += (factor == .biometry ? attack.presenting : attack.typing).wholeNanoseconds
    let verdict = verdict(factor, position, succeeds)
    settle(factor, verdict, &position)
    note(factor, &position, succeeds)
    let action = evaluation.judged(factor, verdict, conditions: conditions(position))
    switch action {
    case .finish where evaluation.outcome?.code == .success: return .won
    case .present: position.evaluation = evaluation
    case .finish, .enqueue, .redeem, .attempt, .ignore: position.evaluation = nil
    }
    return settled(position)
  }

  /// An act that takes the passcode: opening the device, or enrolling a finger.
  private func opened(
    _ position: AttackPosition,
    enrols: Bool,
    succeeds: Bool
  ) -> AttackReach {
    var position = position
    guard charge(.passcode, &position) else { return .lost }
    position.now += attack.typing.wholeNanoseconds
    settle(.passcode, verdict(.passcode, position, succeeds), &position)
    note(.passcode, &position, succeeds)
    if enrols, succeeds {
      position.now += attack.enrolling.wholeNanoseconds
      position.facts.hasFinger = true
      position.isEnrolled = true
    }
    return settled(position)
  }

  private func charge(_ factor: Factor, _ position: inout AttackPosition) -> Bool {
    let charge = position.facts.attempts.charge(factor, under: plan.rules, at: position.moment)
    return charge == .charged
  }

  private func settle(_ factor: Factor, _ verdict: Verdict, _ position: inout AttackPosition) {
    position.facts.attempts.settle(
      factor,
      verdict,
      wasSubmitted: true,
      under: plan.rules,
      at: position.moment
    )
  }

  /// A finger proves the set that is enrolled now, which is a new one once theirs is in it.
  private func verdict(
    _ factor: Factor,
    _ position: AttackPosition,
    _ succeeds: Bool
  ) -> Verdict {
    guard succeeds else { return .miss }
    guard factor == .biometry else { return .proven(finger: nil, generation: nil) }
    return .proven(finger: .rightIndex, generation: position.isEnrolled ? 1 : 0)
  }

  /// Notes what the attacker learns.
  private func note(_ factor: Factor, _ position: inout AttackPosition, _ succeeds: Bool) {
    switch (factor, succeeds) {
    case (.biometry, true) where !position.isEnrolled: position.seen.matches += 1
    case (.biometry, false) where !position.isEnrolled: position.seen.misses += 1
    case (.biometry, false): position.ownMisses = min(Attack.ownMissesMax, position.ownMisses + 1)
    case (.passcode, true): position.knows = true
    case (.passcode, false): position.wrong += 1
    case (.biometry, true), (.applicationPassword, _), (.companion, _), (.possession, _): break
    }
  }

  /// The position reduced, or its end.
  private func settled(_ position: AttackPosition) -> AttackReach {
    if position.knows, isPasscodeEnough { return .won }
    guard position.now <= deadline else { return .lost }
    var position = position
    position.reduce(self)
    return .position(position)
  }
}
