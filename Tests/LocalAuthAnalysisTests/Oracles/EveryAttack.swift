import LocalAuthCore
import LocalAuthSensor

@testable import LocalAuthAnalysis

/// The best of all orders of an attacker's moves, found by trying every one.
///
/// Nothing is merged or left out: at each second they can touch, type, fall back, open the device,
/// enrol, restart or wait a second. Times are whole seconds.
struct EveryAttack {
  let plan: PolicyCase
  let attack: Attack
  /// Whether a right passcode ends the attack.
  let endsWithPasscode: Bool
  private let match: Double
  private let own: Double

  init(_ plan: PolicyCase, _ attack: Attack, endsWithPasscode: Bool) {
    (self.plan, self.attack, self.endsWithPasscode) = (plan, attack, endsWithPasscode)
    match = attack.rates(plan)[0].match
    own = (1 - plan.sensor.acquisition.takenForFake) * (1 - plan.sensor.population.mean)
  }

  /// What decides how the attack goes on.
  struct Place {
    var facts: DeviceFacts
    var evaluation: EvaluationMachine?
    var now: Int64 = 0
    var boots: UInt32 = 0
    var wrong: UInt64 = 0
    var knows = false
    var isEnrolled = false
    var ownMisses = 0

    var moment: Moment {
      Moment(
        boot: BootInstant(nanoseconds: now),
        bootID: BootIdentifier(high: 0, low: 1, generation: boots),
        wall: WallInstant(milliseconds: 0)
      )
    }
  }

  /// The chance of success of the best order.
  var success: Double {
    var facts = plan.device(hasFinger: plan.prints > 0, at: .virtual(0))
    facts.attempts.freshness.matched(at: .virtual(0))
    return best(Place(facts: facts, knows: attack.attacker == .knownPIN))
  }

  private func best(_ place: Place) -> Double {
    guard place.now <= attack.time.wholeNanoseconds else { return 0 }
    var value = wait(place)
    if place.boots == 0 { value = max(value, restart(place)) }
    for evaluation in evaluations(place) {
      if attack.attacker.finger != .none {
        value = max(value, attempt(.biometry, evaluation, place))
      }
      if attack.attacker.types { value = max(value, attempt(.passcode, evaluation, place)) }
    }
    guard attack.attacker.types else { return value }
    value = max(value, open(place, enrols: false))
    guard attack.attacker.finger != .none else { return value }
    return max(value, open(place, enrols: true))
  }

  private func wait(_ place: Place) -> Double {
    var place = place
    place.now += 1_000_000_000
    return best(place)
  }

  private func restart(_ place: Place) -> Double {
    var place = place
    place.now += attack.restarting.wholeNanoseconds
    place.boots += 1
    place.evaluation = nil
    _ = place.facts.attempts.booted(at: place.moment)
    return best(place)
  }

  private func conditions(_ place: Place) -> Conditions {
    place.facts.conditions(for: plan.policy, under: plan.rules, at: place.moment)
  }

  private func evaluations(_ place: Place) -> [EvaluationMachine] {
    let conditions = conditions(place)
    var found: [EvaluationMachine] = []
    if var under = place.evaluation {
      if case .present = under.changed(conditions: conditions) { found.append(under) }
    }
    var new = EvaluationMachine(rules: plan.evaluationRules)
    _ = new.begin(conditions: conditions)
    if case .present = new.armed(conditions: conditions) { found.append(new) }
    for evaluation in found {
      var other = evaluation
      if case .present = other.fallback(conditions: conditions) { found.append(other) }
    }
    return found
  }

  private func attempt(
    _ factor: Factor,
    _ evaluation: EvaluationMachine,
    _ place: Place
  ) -> Double {
    let isGuess = factor == .passcode
    let touch = place.isEnrolled ? (place.ownMisses < 3 ? max(own, fake) : 1) : match
    let guess = place.knows ? 1 : attack.passcodes.chance(after: place.wrong)
    return mean(isGuess ? guess : touch) { succeeds in
      var (evaluation, place) = (evaluation, place)
      guard case .attempt = evaluation.offered(factor, conditions: conditions(place)),
        case .charged = place.facts.attempts.charge(factor, under: plan.rules, at: place.moment)
      else { return 0 }
      place.now += (isGuess ? attack.typing : attack.presenting).wholeNanoseconds
      let verdict: Verdict =
        succeeds
        ? .proven(
          finger: isGuess ? nil : .rightIndex,
          generation: isGuess ? nil : place.isEnrolled ? 1 : 0
        ) : .miss
      place.facts.attempts.settle(
        factor,
        verdict,
        wasSubmitted: true,
        under: plan.rules,
        at: place.moment
      )
      let action = evaluation.judged(factor, verdict, conditions: conditions(place))
      if evaluation.outcome == .success { return 1 }
      if isGuess {
        if succeeds, endsWithPasscode { return 1 }
        if succeeds { place.knows = true } else { place.wrong += 1 }
      } else if !succeeds, place.isEnrolled {
        place.ownMisses += 1
      }
      if case .present = action { place.evaluation = evaluation } else { place.evaluation = nil }
      return best(place)
    }
  }

  private var fake: Double {
    if case .fake(let species) = attack.attacker.finger { species.iapar } else { 0 }
  }

  private func open(_ place: Place, enrols: Bool) -> Double {
    mean(place.knows ? 1 : attack.passcodes.chance(after: place.wrong)) { succeeds in
      var place = place
      guard
        case .charged = place.facts.attempts.charge(
          .passcode,
          under: plan.rules,
          at: place.moment
        )
      else { return 0 }
      place.now += attack.typing.wholeNanoseconds
      guard succeeds else {
        place.wrong += 1
        return best(place)
      }
      if endsWithPasscode { return 1 }
      place.facts.attempts.passcodeProven(at: place.moment)
      place.knows = true
      if enrols {
        place.now += attack.enrolling.wholeNanoseconds
        place.isEnrolled = true
        place.facts.hasFinger = true
      }
      return best(place)
    }
  }

  private func mean(_ chance: Double, _ value: (Bool) -> Double) -> Double {
    (chance > 0 ? chance * value(true) : 0) + (chance < 1 ? (1 - chance) * value(false) : 0)
  }
}
