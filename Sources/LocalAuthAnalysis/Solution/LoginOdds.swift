import LocalAuthCore
import LocalAuthSensor

/// A two-by-two matrix, good first: from a finger's state when the login begins to its state now.
struct Transfer {
  var goodToGood = 0.0
  var goodToImpaired = 0.0
  var impairedToGood = 0.0
  var impairedToImpaired = 0.0

  static let identity = Transfer(goodToGood: 1, impairedToImpaired: 1)

  /// Returns the product: `first`, then `next`.
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

  /// (I - X)^-1, for a matrix X whose rows add up to less than 1.
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

  /// The row sums: the total for each initial state.
  var sums: FingerShares {
    FingerShares(good: goodToGood + goodToImpaired, impaired: impairedToGood + impairedToImpaired)
  }
}

extension Transfer {
  /// The change of a finger's state.
  init(_ change: FingerStateStep) {
    self.init(
      goodToGood: 1 - change.worsening,
      goodToImpaired: change.worsening,
      impairedToGood: change.recovering,
      impairedToImpaired: 1 - change.recovering
    )
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

  /// Returns the shares after `transfer`.
  func moved(by transfer: Transfer) -> FingerShares {
    FingerShares(
      good: good * transfer.goodToGood + impaired * transfer.impairedToGood,
      impaired: good * transfer.goodToImpaired + impaired * transfer.impairedToImpaired
    )
  }

  /// Returns the mean of `values`, weighted by these shares.
  func weighting(_ values: FingerShares) -> Double {
    good * values.good + impaired * values.impaired
  }
}

/// The outcome of a login for people of one class: the absorbing chain of its ``LoginGraph``,
/// solved.
///
/// Nodes precede their successors, so N = (I - Q)^-1 is a sum from first to last; only the loop of
/// presentations without a sample needs a two-by-two inversion.
struct LoginOdds {
  /// B: the probability of reaching each end.
  var ends: [Transfer]
  /// The same, only for logins in which no miss closed the sensor.
  var endsWithoutLockout: [Transfer]
  /// The seconds until each end, weighted by the probability of reaching it.
  var seconds: [Transfer]
  /// The expected number of misses that close the sensor.
  var lockouts = FingerShares()
  /// The probability of at least one such miss.
  var lockedOut = FingerShares()
  /// The expected number of presentations, judged or not.
  var presentations = FingerShares()

  init(_ graph: LoginGraph, _ people: PersonClass, _ plan: PolicyCase) {
    let nothing = [Transfer](repeating: Transfer(), count: graph.nodes.count)
    (ends, endsWithoutLockout, seconds) = (nothing, nothing, nothing)
    ends[0] = .identity
    endsWithoutLockout[0] = .identity
    let changes = FingerChanges(plan)
    let touch = Touch(people, plan.sensor, changes.presenting)
    let typed = Transfer(changes.typing)
    for (number, node) in graph.nodes.enumerated() {
      switch node {
      case .finger(let match, let miss, let isLockout):
        present(touch, at: number, match, miss, isLockout)
      case .passcode(let right, let wrong):
        let typing = plan.habits.typing / .seconds(1)
        move(from: number, to: right, 1 - plan.habits.mistyped, typed, typing)
        move(from: number, to: wrong, plan.habits.mistyped, typed, typing)
      case .wait(let time, let next):
        move(from: number, to: next, 1, Transfer(changes.waiting(time)), time / .seconds(1))
      case .end: break
      }
    }
  }

  private mutating func move(
    from: Int,
    to: Int,
    _ share: Double,
    _ change: Transfer,
    _ time: Double
  ) {
    ends[to] += share * (ends[from] * change)
    endsWithoutLockout[to] += share * (endsWithoutLockout[from] * change)
    seconds[to] += share * (seconds[from] * change)
    seconds[to] += share * time * (ends[from] * change)
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
      lockedOut += (open * touch.misses).sums
    } else {
      endsWithoutLockout[miss] += open * touch.misses
    }
  }
}

/// The outcome of one presentation for people of one class.
struct Touch {
  /// The probability of no sample, from the finger's state before to its state after.
  var lost: Transfer
  /// The expected number of presentations until one is judged: (I - a T)^-1.
  var tries: Transfer
  /// The probability of a match, from the finger's state before to its state after.
  var matches: Transfer
  var misses: Transfer
  var seconds: Double

  init(_ people: PersonClass, _ sensor: SensorModel, _ change: FingerStateStep) {
    let states = Transfer(change)
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
