import LocalAuthCore

/// How far an attack is: the state of the device and of the evaluation, and what the attacker knows.
///
/// Positions from which everything goes on alike are equal, so that they are solved once.
struct AttackPosition: Hashable {
  /// The state of the device.
  var facts: DeviceFacts
  /// The evaluation under way; nil if a new one offers at least as much.
  var evaluation: EvaluationMachine?
  /// The time since the attack began, in nanoseconds.
  var now: Int64 = 0
  /// How often the device was restarted.
  var restarts: UInt32 = 0
  /// Wrong passcodes tried.
  var wrong: UInt64 = 0
  /// Whether the passcode is known.
  var knows = false
  /// Whether a finger of the attacker is enrolled.
  var isEnrolled = false
  /// How often that finger missed.
  var ownMisses: UInt8 = 0
  /// Misses and matches of the finger that is not enrolled, which tell how good it is.
  var seen = Sightings()

  /// What a finger that is not enrolled did so far.
  struct Sightings: Hashable {
    var misses: UInt32 = 0
    var matches: UInt32 = 0
  }

  /// The beginning of an attack: the owner used the device last.
  init(_ plan: borrowing PolicyCase, knows: Bool) {
    facts = plan.device(hasFinger: plan.prints > 0, at: .virtual(0))
    facts.attempts.freshness.matched(at: .virtual(0))
    self.knows = knows
  }

  /// The moment of the position on the device's clocks.
  var moment: Moment { Self.moment(now, restarts) }

  /// The moment `now` after the beginning, in the boot after so many restarts.
  static func moment(_ now: Int64, _ restarts: UInt32) -> Moment {
    var moment = Moment.virtual(now)
    moment.bootID.generation = restarts
    return moment
  }

  /// Reduces the position to what decides how it can go on.
  mutating func reduce(_ course: borrowing AttackCourse) {
    facts.attempts = facts.attempts.reduced(under: course.plan.rules, at: moment)
    let end = Self.moment(course.deadline, restarts)
    if !facts.attempts.freshness.needsPasscode(under: course.plan.policy.freshness, at: end) {
      // The passcode does not fall due before the end, so nothing depends on when it was typed.
      facts.attempts.freshness.passcodeUsed(at: moment)
      facts.attempts.freshness.matched(at: moment)
    }
    if knows { wrong = 0 }
    if !course.odds.isLearning { seen = Sightings() }
    guard let under = evaluation, under.proven.factors.isEmpty else { return }
    // A new evaluation offers the same, unless the fallback is offered only after some misses.
    let rules = course.rules
    if rules.fallback == .forbidden || under.misses == 0 || rules.fallbackAfterMisses == 0
      || !rules.requirement.factors.contains(.passcode)
    {
      evaluation = nil
    }
  }
}

extension DeviceFacts {
  /// Whether something is allowed here that is refused to `other`, now or later.
  ///
  /// It asks the machines for everything that decides the next attempts: whether fingers and
  /// passcodes may be judged, when, how many failures count, and whether the passcode comes first.
  func isLaxer(
    at now: Moment,
    than other: DeviceFacts,
    at then: Moment,
    _ plan: borrowing PolicyCase
  ) -> Bool {
    let rules = plan.rules
    func isLaxer(_ left: Standing, _ right: Standing) -> Bool { left.stricter(right) != left }
    func fewer(_ left: Tally, _ right: Tally, _ table: DelayTable) -> Bool {
      left.failures(under: table, at: now) < right.failures(under: table, at: then)
    }
    let freshness = plan.policy.freshness
    let needsPasscode = attempts.freshness.needsPasscode(under: freshness, at: now)
    return
      !needsPasscode && other.attempts.freshness.needsPasscode(under: freshness, at: then)
      || isLaxer(
        attempts.fingers(under: rules, at: now),
        other.attempts.fingers(under: rules, at: then)
      )
      || isLaxer(
        attempts.throttle.standing(under: rules.delays, at: now),
        other.attempts.throttle.standing(under: rules.delays, at: then)
      )
      || fewer(attempts.lockout.tally, other.attempts.lockout.tally, rules.lockout.delays)
      || fewer(attempts.throttle.tally, other.attempts.throttle.tally, rules.delays.delays)
  }
}
