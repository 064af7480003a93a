import CLocalAuthMath
import LocalAuthSensor

/// People with the same miss rates, and their share of all people.
struct PersonClass: Sendable {
  /// Their share of all people.
  var weight: Double
  /// The miss rate of a judged finger in good state, including rejections as a fake.
  var miss: Double
  /// The same for an impaired finger.
  var impairedMiss: Double
  /// Whether a finger of theirs could be enrolled.
  var hasFinger = true
}

extension SensorModel {
  /// Returns the people of this model as a finite mixture with shares that add up to 1.
  ///
  /// They are the nodes and weights of a quadrature over people and, if fingers differ, over
  /// fingers.
  func classes(prints: UInt32) -> [PersonClass] {
    let none = Chance.all(of: UInt64(prints), each: acquisition.failureToEnrol)
    var classes = mixture().flatMap { person, weight in
      fingers(of: person).map { finger, share in
        personClass(weight * share * (1 - none), finger)
      }
    }
    if none > 0 {
      classes.append(PersonClass(weight: none, miss: 1, impairedMiss: 1, hasFinger: false))
    }
    return classes
  }

  /// Returns the people whom this share of people, those without a print first, miss at most as often
  /// as; they are no part of the mixture.
  func people(at share: Double, prints: UInt32) -> PersonClass {
    let none = Chance.all(of: UInt64(prints), each: acquisition.failureToEnrol)
    guard share > none else {
      return PersonClass(weight: 0, miss: 1, impairedMiss: 1, hasFinger: false)
    }
    return personClass(0, finger(at: min((share - none) / (1 - none), 1)))
  }

  private func personClass(_ weight: Double, _ stated: EnrolledFinger) -> PersonClass {
    let finger = stated.calibrated(fingerState, scores.effects)
    return PersonClass(
      weight: weight,
      miss: judgedMiss(finger, .good),
      impairedMiss: judgedMiss(finger, .impaired)
    )
  }

  private func judgedMiss(_ finger: EnrolledFinger, _ state: FingerState) -> Double {
    let shift = scores.effects.shift(in: CaptureConditions(finger: state), noise: finger.noise)
    let fake = acquisition.takenForFake
    return fake + (1 - fake) * finger.miss(shift: shift)
  }

  private func fingers(of person: Person) -> [(EnrolledFinger, Double)] {
    let share = scores.effects.fingerShare
    let noise = (1 - share).squareRoot() * person.deviation
    return Quadrature.normal(scale: share > 0 ? 0.25 : nil).map { value, weight in
      let margin = person.margin + share.squareRoot() * person.deviation * value
      return (EnrolledFinger(margin: margin, noise: noise), weight)
    }
  }

  /// Returns people with their shares of all people.
  func mixture() -> [(Person, Double)] {
    switch population {
    case .mixture(let mixture):
      return [
        (Person(miss: mixture.goatMiss), mixture.goats),
        (Person(miss: mixture.sheepMiss), 1 - mixture.goats),
      ]
    case .probit(let rates):
      let user = rates.correlation.squareRoot()
      let noise = (1 - rates.correlation).squareRoot()
      let centre = StandardNormal.upperQuantile(rates.miss)
      // The step resolves the narrower of the density of people and the slope of their miss rate.
      let scale = user > 0 ? min(0.25, max(noise / user / 4, 1.0 / 64)) : nil
      return Quadrature.normal(scale: scale).map { value, weight in
        (Person(margin: centre + user * value, deviation: noise), weight)
      }
    case .beta(let rates):
      return Quadrature.beta(rates.alpha, rates.beta).map { rate, weight in
        (Person(miss: rate), weight)
      }
    }
  }
}

/// Quadrature nodes, with weights that add up to 1.
enum Quadrature {
  /// The standard normal distribution by the trapezoidal rule with steps of `scale`, to 9
  /// deviations; one node if `scale` is nil.
  static func normal(scale: Double?) -> [(Double, Double)] {
    guard let scale else { return [(0, 1)] }
    let steps = Int((9 / scale).rounded(.up))
    return normalized(
      (-steps...steps).map { step in
        let value = Double(step) * scale
        return (value, StandardNormal.density(value))
      }
    )
  }

  /// A Beta distribution by the trapezoidal rule over the logit, on which both tails are
  /// exponential.
  static func beta(_ alpha: Double, _ beta: Double) -> [(Double, Double)] {
    let step = 0.5
    let lowest = Int(-40 / alpha / step) - 1
    let highest = Int(40 / beta / step) + 1
    return normalized(
      (lowest...highest).map { index in
        let logit = Double(index) * step
        // alpha x - (alpha + beta) log(1 + e^x), which does not overflow.
        let softplus = logit > 0 ? logit + la_log1p(la_exp(-logit)) : la_log1p(la_exp(logit))
        let peak = alpha * la_log(alpha / (alpha + beta)) + beta * la_log(beta / (alpha + beta))
        let density = la_exp(alpha * logit - (alpha + beta) * softplus - peak)
        return (1 / (1 + la_exp(-logit)), density)
      }
    )
  }

  private static func normalized(_ nodes: [(Double, Double)]) -> [(Double, Double)] {
    let total = nodes.reduce(0) { $0 + $1.1 }
    return nodes.map { ($0.0, $0.1 / total) }
  }
}
