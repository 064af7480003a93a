import LocalAuthCore

/// The best course of an attack, solved.
///
/// Whoever both touches and types has a time for each try, and if a table forgets failures, the
/// orders of both are too many to be solved. Then the two are solved by themselves, as if made at
/// the same time: a wrong try of one never changes what the other may do, and a right one ends the
/// attack, so no order of both does better.
struct AttackPlan {
  /// A course and its solution.
  struct Part {
    let course: AttackCourse
    let start: AttackPosition
    let graph: AttackGraph

    init(_ course: AttackCourse, knows: Bool, _ isStopped: () -> Bool) throws(AttackError) {
      var course = course
      start = AttackPosition(course.plan, knows: knows)
      graph = try AttackGraph(&course, from: start, isStopped: isStopped)
      self.course = course
    }
  }

  /// One course of all moves, or one of touches and one of guesses that are made at the same time.
  let parts: [Part]

  /// The share of attacks that were decided by a time.
  var curve: AttackCurve { AttackCurve(together: parts.map { AttackCurve($0.graph) }) }

  /// Solves `attack`, which knows at its start what it knows; see ``Attack/ways``.
  init(_ plan: PolicyCase, _ attack: Attack, isStopped: () -> Bool) throws(AttackError) {
    let knows = attack.attacker == .knownPIN
    let certainty = try Self.certainty(plan, attack, isStopped)
    var course = AttackCourse(plan, attack)
    if knows, let certainty, certainty < attack.time {
      // What is certain within less time needs no more.
      var hasty = attack
      hasty.time = certainty
      course = AttackCourse(plan, hasty).withoutStrangers
    }
    course.isPasscodeEnough = !knows && certainty != nil
    do throws(AttackError) {
      guard !course.isSplit else { throw .tooManyStates(Attack.statesMax) }
      parts = [try Part(course, knows: knows, isStopped)]
    } catch {
      guard error != .stopped, course.isSplittable else { throw error }
      parts = [
        try Part(course.ofTouches, knows: false, isStopped),
        try Part(course.ofGuesses, knows: false, isStopped),
      ]
    }
  }

  /// The time within which whoever knows the passcode gets in for certain; nil if there is none.
  ///
  /// A right passcode leaves every device alike: nothing is refused, and the passcode is fresh. So
  /// this is solved once, from a device on which a passcode was just proven.
  private static func certainty(
    _ plan: PolicyCase,
    _ attack: Attack,
    _ isStopped: () -> Bool
  ) throws(AttackError) -> Duration? {
    guard attack.attacker.types else { return nil }
    var known = attack
    known.time = attack.knownTime
    let course = AttackCourse(plan, known).withoutStrangers
    return try Part(course, knows: true, isStopped).graph.value(0) > 1 - 1e-12 ? known.time : nil
  }
}

extension AttackCourse {
  /// Whether touches and guesses can be solved by themselves.
  fileprivate var isSplittable: Bool { isPasscodeEnough && touches && types }

  /// Whether they are, because a table that forgets makes their orders too many.
  fileprivate var isSplit: Bool {
    let tables = plan.rules.fingerTables + [plan.rules.delays.delays]
    return isSplittable && plan.isFingerEnough && tables.contains { $0.forgets != nil }
  }

  /// The same for a finger that never matches before it is enrolled.
  fileprivate var withoutStrangers: AttackCourse {
    var course = self
    course.odds = AttackOdds(own: odds.own, matches: [(1, 0)], passcodes: odds.passcodes)
    return course
  }

  fileprivate var ofTouches: AttackCourse {
    var course = self
    course.types = false
    return course
  }

  fileprivate var ofGuesses: AttackCourse {
    var course = self
    course.touches = false
    return course
  }
}

extension Attack {
  /// The time within which whoever knows the passcode gets in, if they do for certain.
  fileprivate var knownTime: Duration {
    typing * 3 + enrolling + (presenting + typing) * (Int(Self.ownMissesMax) + 1)
  }

  /// Whether every act of it is over before what the owner proved at its beginning is too old under `rules`,
  /// which then decide nothing.
  func ends(within rules: FreshnessRules) -> Bool {
    // What begins in time takes no longer than all that somebody does who knows the passcode.
    let end = max(time, knownTime) + knownTime
    return [rules.anyWithin, rules.passcodeWithin].compactMap(\.self).allSatisfy { $0 > end }
  }

  /// What the attacker may turn out to know, with the share of each.
  var ways: [(share: Double, attack: Attack)] {
    guard case .shoulder(let glimpse) = attacker else { return [(1, self)] }
    var (known, part) = (self, self)
    known.attacker = .knownPIN
    part.attacker = .pin
    part.passcodes = passcodes.knowing(digits: glimpse.digits)
    return [(glimpse.whole, known), (1 - glimpse.whole, part)].filter { $0.0 > 0 }
  }
}
