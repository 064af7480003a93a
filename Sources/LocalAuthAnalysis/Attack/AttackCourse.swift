import LocalAuthCore
import LocalAuthSensor

/// What stays the same throughout an attack.
struct AttackCourse {
  let plan: PolicyCase
  let attack: Attack
  /// The rules of each evaluation.
  let rules: EvaluationMachine.Rules
  /// Whether fingers or fakes are presented.
  var touches: Bool
  /// Whether passcodes are typed.
  var types: Bool
  /// The chances of tries.
  var odds: AttackOdds
  /// The grant that the owner's last success left for the programs of their session.
  let grant: Grant?
  /// The time after which no attempt begins, in nanoseconds.
  let deadline: Int64
  /// Whether whoever knows the passcode gets in for certain, whatever the state of the device.
  ///
  /// A right passcode then ends the attack, even if less time is left than the rest takes.
  var isPasscodeEnough = false

  init(_ plan: PolicyCase, _ attack: Attack) {
    // Otherwise a state could follow itself.
    precondition(min(attack.presenting, attack.typing, attack.restarting) > .zero)
    self.plan = plan
    self.attack = attack
    rules = plan.evaluationRules
    touches = attack.attacker.finger != .none
    types = attack.attacker.types
    odds = AttackOdds(plan, attack)
    grant = attack.attacker == .insider ? plan.grantOfLastSuccess : nil
    deadline = attack.time.wholeNanoseconds
  }

  /// The conditions at `position`.
  func conditions(_ position: AttackPosition) -> Conditions {
    let now = position.moment
    var conditions = plan.conditions(of: position.facts, at: now)
    // Enrolling a finger ends every grant.
    if let grant, !position.isEnrolled, grant.timeLeft(at: now) != nil {
      conditions.granted = grant.proven
    }
    return conditions
  }
}

extension PolicyCase {
  /// What the owner's success just before the attack left for later requests of the same session;
  /// nil if the policy lets nothing be remembered.
  fileprivate var grantOfLastSuccess: Grant? {
    let ways: [FactorSet] = [.biometry, .passcode, [.biometry, .passcode]]
    guard let rule = policy.grant,
      let proven = ways.map({ Proven(factors: $0, biometryGeneration: 0) })
        .first(where: policy.requirement.isMet)
    else { return nil }
    return Grant(
      id: EvaluationID(high: 0, low: 0),
      scope: nil,
      rule: rule,
      proven: proven,
      provenAt: .virtual(0),
      origin: Grant.Origin(policy: policy.name, action: nil, callerPID: 0, program: "")
    )
  }
}

/// The chances of an attacker's tries, given what was tried before.
struct AttackOdds {
  /// How often a finger of theirs matches once it is enrolled.
  let own: Double
  /// How often the finger, or the fake, matches before, with the share of attackers for whom it does.
  let matches: [(share: Double, match: Double)]
  /// The chances of guesses.
  let passcodes: PasscodeGuesses
  private var known: [AttackPosition.Sightings: Double] = [:]

  init(own: Double, matches: [(share: Double, match: Double)], passcodes: PasscodeGuesses) {
    self.own = own
    self.matches = matches
    self.passcodes = passcodes
  }

  init(_ plan: PolicyCase, _ attack: Attack) {
    own = (1 - plan.sensor.acquisition.takenForFake) * (1 - plan.sensor.population.mean)
    matches = attack.rates(plan)
    passcodes = attack.passcodes
  }

  /// Whether misses tell how good the finger is.
  var isLearning: Bool { matches.count > 1 }

  /// The chance that the finger matches at the next touch, given what it did so far.
  mutating func touch(_ seen: AttackPosition.Sightings) -> Double {
    guard isLearning else { return matches[0].match }
    if let known = known[seen] { return known }
    let weights = matches.map {
      $0.share * Chance.all(of: UInt64(seen.matches), each: $0.match)
        * Chance.all(of: UInt64(seen.misses), each: 1 - $0.match)
    }
    let all = weights.reduce(0, +)
    let matching = zip(weights, matches).reduce(0) { $0 + $1.0 * $1.1.match }
    known[seen] = all > 0 ? matching / all : 0
    return known[seen] ?? 0
  }
}

extension Attack {
  /// The match rates of a finger, with the share of attacker-target pairs that have each rate.
  ///
  /// Attacker and target each shift a score by a normal amount, so the sum of both shifts is normal
  /// too.
  func rates(_ plan: PolicyCase) -> [(share: Double, match: Double)] {
    let isTargeted: Bool
    switch attacker.finger {
    case .none: return [(1, 0)]
    case .fake(let species): return [(1, species.iapar)]
    case .own(let chosen): isTargeted = chosen
    }
    let impostors = plan.sensor.impostors
    let lamb = isTargeted ? impostors.lamb(percentile: Self.mostEasilyTaken) : 0
    let spread = (impostors.wolfShare + (isTargeted ? 0 : impostors.lambShare)).squareRoot()
    return Quadrature.normal(scale: spread > 0 ? 0.125 : nil).map { pair, share in
      let match = impostors.falseMatch(plan.sensor.scores, wolf: spread * pair, lamb: lamb)
      return (share, Chance.any(of: UInt64(plan.prints), each: match))
    }
  }
}
