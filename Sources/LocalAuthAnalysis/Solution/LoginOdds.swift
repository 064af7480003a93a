import LocalAuthCore
import LocalAuthSensor

/// Two by two numbers: from a finger's state at a login's beginning to its state now, good first.
struct Transfer {
  var goodToGood = 0.0
  var goodToImpaired = 0.0
  var impairedToGood = 0.0
  var impairedToImpaired = 0.0

  static let identity = Transfer(goodToGood: 1, impairedToImpaired: 1)

  /// First this, then `next`.
  static func * (_ first: Transfer, _ next: Transfer) -> Transfer {
    Transfer(
      goodToGood: first.goodToGood * next.goodToGood + first.goodToImpaired * next.impairedToGood,
      goodToImpaired: first.goodToGood * next.goodToImpaired
        + first.goodToImpaired * next.impairedToImpaired,
      impairedToGood: first.impairedToGood * next.goodToGood
        + first.impairedToImpaired * next.impairedToGood,
      impairedToImpaired: first.impairedToGood * next.goodToImpaired
        + first.impairedToImpaired * next.impairedToImpaired
    )
  }

  static func * (_ factor: Double, _ all: Transfer) -> Transfer {
    Transfer(
      goodToGood: factor * all.goodToGood,
      goodToImpaired: factor * all.goodToImpaired,
      impairedToGood: factor * all.impairedToGood,
      impairedToImpaired: factor * all.impairedToImpaired
    )
  }

  static func += (_ sum: inout Transfer, _ other: Transfer) {
    sum.goodToGood += other.goodToGood
    sum.goodToImpaired += other.goodToImpaired
    sum.impairedToGood += other.impairedToGood
    sum.impairedToImpaired += other.impairedToImpaired
  }

  /// (I - X)^-1, for an X whose rows add up to less than 1.
  var geometricSum: Transfer {
    let (a, b, c, d) = (1 - goodToGood, -goodToImpaired, -impairedToGood, 1 - impairedToImpaired)
    let determinant = a * d - b * c
    return Transfer(
      goodToGood: d / determinant,
      goodToImpaired: -b / determinant,
      impairedToGood: -c / determinant,
      impairedToImpaired: a / determinant
    )
  }

  /// What came of both states at the beginning.
  var sums: FingerShares {
    FingerShares(good: goodToGood + goodToImpaired, impaired: impairedToGood + impairedToImpaired)
  }
}

/// A number for each state of a finger.
struct FingerShares {
  var good = 0.0
  var impaired = 0.0

  var total: Double { good + impaired }

  static func += (_ sum: inout FingerShares, _ other: FingerShares) {
    sum.good += other.good
    sum.impaired += other.impaired
  }

  /// The shares after `transfer`.
  func moved(by transfer: Transfer) -> FingerShares {
    FingerShares(
      good: good * transfer.goodToGood + impaired * transfer.impairedToGood,
      impaired: good * transfer.goodToImpaired + impaired * transfer.impairedToImpaired
    )
  }

  /// The mean of `values` by these shares.
  func weighting(_ values: FingerShares) -> Double {
    good * values.good + impaired * values.impaired
  }
}

/// What a login comes to for people of one class: the absorbing chain of its ``LoginGraph``, solved.
///
/// Nodes come before those that they lead to, so that N = (I - Q)^-1 is a sum from the first to the last; what
/// remains of it is the loop of presentations that give no sample, two by two.
struct LoginOdds {
  /// B: how each end is reached.
  var ends: [Transfer]
  /// The same without logins in which a miss closed the sensor.
  var endsWithoutLockout: [Transfer]
  /// Seconds of logins that end so, weighted with how likely they are.
  var seconds: [Transfer]
  /// How often a miss closes the sensor.
  var lockouts = FingerShares()
  /// Presentations, judged or not.
  var presentations = FingerShares()

  init(_ graph: LoginGraph, _ people: PersonClass, _ plan: PolicyCase) {
    let nothing = [Transfer](repeating: Transfer(), count: graph.nodes.count)
    (ends, endsWithoutLockout, seconds) = (nothing, nothing, nothing)
    ends[0] = .identity
    endsWithoutLockout[0] = .identity
    let touch = Touch(people, plan.sensor)
    for (number, node) in graph.nodes.enumerated() {
      switch node {
      case .finger(let match, let miss, let isLockout):
        present(touch, at: number, match, miss, isLockout)
      case .passcode(let right, let wrong):
        let typing = plan.habits.typing / .seconds(1)
        move(from: number, to: right, 1 - plan.habits.mistyped, typing)
        move(from: number, to: wrong, plan.habits.mistyped, typing)
      case .wait(let time, let next): move(from: number, to: next, 1, time / .seconds(1))
      case .end: break
      }
    }
  }

  private mutating func move(from: Int, to: Int, _ share: Double, _ time: Double) {
    ends[to] += share * ends[from]
    endsWithoutLockout[to] += share * endsWithoutLockout[from]
    seconds[to] += share * seconds[from]
    seconds[to] += share * time * ends[from]
  }

  private mutating func present(
    _ touch: Touch,
    at number: Int,
    _ match: Int,
    _ miss: Int,
    _ isLockout: Bool
  ) {
    let visits = ends[number] * touch.tries
    var time = seconds[number] * touch.tries
    time += touch.seconds * (visits * touch.tries)
    presentations += visits.sums
    ends[match] += visits * touch.matches
    ends[miss] += visits * touch.misses
    seconds[match] += time * touch.matches
    seconds[miss] += time * touch.misses
    let open = endsWithoutLockout[number] * touch.tries
    endsWithoutLockout[match] += open * touch.matches
    if isLockout {
      lockouts += (visits * touch.misses).sums
    } else {
      endsWithoutLockout[miss] += open * touch.misses
    }
  }
}

/// One presentation of people of one class.
struct Touch {
  /// How it gives no sample, from a finger's state before to its state after.
  var lost: Transfer
  /// How often one is begun until it is judged: (I - a T)^-1.
  var tries: Transfer
  /// How it matches, from a finger's state before to its state after.
  var matches: Transfer
  var misses: Transfer
  var seconds: Double

  init(_ people: PersonClass, _ sensor: SensorModel) {
    let chain = sensor.fingerState
    let states = Transfer(
      goodToGood: 1 - chain.worsening,
      goodToImpaired: chain.worsening,
      impairedToGood: chain.recovering,
      impairedToImpaired: 1 - chain.recovering
    )
    let failing = sensor.acquisition.failureToAcquire
    lost = failing * states
    tries = lost.geometricSum
    func judged(good: Double, impaired: Double) -> Transfer {
      (1 - failing) * (Transfer(goodToGood: good, impairedToImpaired: impaired) * states)
    }
    matches = judged(good: 1 - people.miss, impaired: 1 - people.impairedMiss)
    misses = judged(good: people.miss, impaired: people.impairedMiss)
    seconds = sensor.latency.mean / .seconds(1)
  }
}
