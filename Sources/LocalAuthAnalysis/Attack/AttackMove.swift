import LocalAuthCore

/// What an attacker can do next.
enum AttackMove: Hashable {
  /// They lay a finger, or a fake, on the sensor for this evaluation.
  case touch(EvaluationMachine)
  /// They type a passcode for this evaluation.
  case type(EvaluationMachine)
  /// They ask for what the owner's last success left.
  case redeem
  /// They open the device with a passcode, which clears a lock.
  case unlock
  /// They give a passcode to enrol a finger of their own.
  case enrol
  /// They restart the device.
  case restart
  /// They wait this long, until something is allowed that is refused now.
  case wait(Int64)

  /// Whether a passcode is tried.
  var isGuess: Bool {
    switch self {
    case .type, .unlock, .enrol: true
    case .touch, .redeem, .restart, .wait: false
    }
  }
}

/// Where a move leads.
enum AttackReach {
  /// The policy is met, or will be for certain.
  case won
  /// Time is up.
  case lost
  /// The attack goes on.
  case position(AttackPosition)
}

extension AttackCourse {
  /// Everything that can be done at `position`, as the machines allow it, and nothing that leaves
  /// the device as strict as doing nothing.
  func moves(_ position: AttackPosition) -> [AttackMove] {
    guard position.now <= deadline else { return [] }
    let conditions = conditions(position)
    var moves: [AttackMove] = []
    for evaluation in evaluations(position, conditions) {
      if evaluation.outcome?.code == .success { return [.redeem] }
      let live = evaluation.live(conditions)
      if touchHelps(position, evaluation), live.contains(.biometry) {
        moves.append(.touch(evaluation))
      }
      if types, live.contains(.passcode) { moves.append(.type(evaluation)) }
    }
    moves += passcodeMoves(position, conditions)
    if let left = nextChange(position, besides: moves) { moves.append(.wait(left)) }
    if restartHelps(position) { moves.append(.restart) }
    return moves
  }

  /// Whether a match may bring the attacker nearer: not if the passcode is needed too, and would be
  /// enough without it.
  private func touchHelps(_ position: AttackPosition, _ evaluation: EvaluationMachine) -> Bool {
    guard touches else { return false }
    guard position.isEnrolled || odds.matches.contains(where: { $0.match > 0 }) else {
      return false
    }
    if position.knows || types && !isPasscodeEnough { return true }
    return rules.requirement.isReachable(from: evaluation.proven, with: .biometry)
  }

  /// The evaluations that can be asked for something: the one under way and a new one, each also
  /// after its fallback was chosen.
  private func evaluations(
    _ position: AttackPosition,
    _ conditions: Conditions
  ) -> [EvaluationMachine] {
    var all: [EvaluationMachine] = []
    func add(_ evaluation: EvaluationMachine, _ action: EvaluationMachine.Action) {
      switch action {
      case .present: if !all.contains(evaluation) { all.append(evaluation) }
      case .finish where evaluation.outcome?.code == .success: all.append(evaluation)
      case .finish, .enqueue, .redeem, .attempt, .ignore: break
      }
    }
    var shown: [(EvaluationMachine, EvaluationMachine.Action)] = []
    if var under = position.evaluation {
      let action = under.changed(conditions: conditions)
      shown.append((under, action))
    }
    var new = EvaluationMachine(rules: rules)
    let action = begin(&new, conditions)
    shown.append((new, action))
    for (evaluation, action) in shown {
      add(evaluation, action)
      guard types, evaluation.offersFallback else { continue }
      var other = evaluation
      let action = other.fallback(conditions: conditions)
      add(other, action)
    }
    return all
  }

  private func begin(
    _ evaluation: inout EvaluationMachine,
    _ conditions: Conditions
  ) -> EvaluationMachine.Action {
    var action = evaluation.begin(conditions: conditions)
    if case .enqueue = action { action = evaluation.armed(conditions: conditions) }
    if case .redeem = action { action = evaluation.redeemed() }
    return action
  }

  /// The uses of a passcode outside an evaluation.
  ///
  /// A known one opens the device only if that makes something laxer than waiting as long, and an
  /// enrolled finger is not enrolled again.
  private func passcodeMoves(
    _ position: AttackPosition,
    _ conditions: Conditions
  ) -> [AttackMove] {
    guard types, case .usable = conditions.passcode else { return [] }
    var moves: [AttackMove] = []
    if !position.knows || openingHelps(position) { moves.append(.unlock) }
    if touches, !position.isEnrolled { moves.append(.enrol) }
    return moves
  }

  private func openingHelps(_ position: AttackPosition) -> Bool {
    let later = AttackPosition.moment(
      position.now + attack.typing.wholeNanoseconds,
      position.restarts
    )
    var opened = position.facts
    opened.attempts.passcodeProven(at: later)
    return opened.isLaxer(at: later, than: position.facts, at: later, plan)
  }

  private func restartHelps(_ position: AttackPosition) -> Bool {
    let restarted = restarted(position)
    let waited = AttackPosition.moment(restarted.now, position.restarts)
    return restarted.facts.isLaxer(at: restarted.moment, than: position.facts, at: waited, plan)
  }

  /// The position after a restart.
  func restarted(_ position: AttackPosition) -> AttackPosition {
    var position = position
    position.now += attack.restarting.wholeNanoseconds
    position.restarts += 1
    position.evaluation = nil
    _ = position.facts.attempts.booted(at: position.moment)
    return position
  }

  /// The time until something is allowed or forgotten that is refused or counted now; nil if nothing
  /// will be before the end, or if waiting for it is no better than one of `moves`.
  ///
  /// No try gets better by waiting. So whoever can try something and end it before the wait ends
  /// loses nothing by trying first, unless the wait makes failures forgotten.
  private func nextChange(_ position: AttackPosition, besides moves: [AttackMove]) -> Int64? {
    let now = position.moment
    let attempts = position.facts.attempts
    var changes: [Int64] = []
    let fastest = moves.map { length(of: $0) }.min() ?? .max
    if case .refused(let left) = attempts.fingers(under: plan.rules, at: now) {
      changes.append(left.wholeNanoseconds)
    }
    if types,
      case .refused(let left) = attempts.throttle.standing(under: plan.rules.delays, at: now)
    {
      changes.append(left.wholeNanoseconds)
    }
    changes.removeAll { $0 >= fastest }
    changes += plan.rules.fingerTables.compactMap {
      forgetting(attempts.lockout.tally, $0, position)
    }
    if let left = forgetting(attempts.throttle.tally, plan.rules.delays.delays, position) {
      changes.append(left)
    }
    guard let next = changes.filter({ $0 > 0 }).min(), position.now + next <= deadline else {
      return nil
    }
    return next
  }

  /// How long a try takes, in nanoseconds.
  private func length(of move: AttackMove) -> Int64 {
    switch move {
    case .touch: attack.presenting.wholeNanoseconds
    case .type, .unlock, .enrol: attack.typing.wholeNanoseconds
    case .redeem, .restart, .wait: 0
    }
  }

  /// The time until `table` forgets the next failures, found by asking it; nil if it does not before
  /// the end.
  private func forgetting(
    _ tally: Tally,
    _ table: DelayTable,
    _ position: AttackPosition
  ) -> Int64? {
    guard table.forgets != nil, tally.failures > 0 else { return nil }
    func counted(_ after: Int64) -> UInt32 {
      tally.failures(
        under: table,
        at: AttackPosition.moment(position.now + after, position.restarts)
      )
    }
    let present = counted(0)
    var (low, high) = (0 as Int64, max(0, deadline - position.now))
    guard counted(high) < present else { return nil }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if counted(middle) < present { high = middle } else { low = middle }
    }
    return high
  }
}
