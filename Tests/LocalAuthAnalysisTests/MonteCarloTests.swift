import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor
import LocalAuthTestSupport
import Testing

/// What is drawn from the model, against its closed forms.
///
/// There are fewer than `cells` comparisons; a right model fails any of them once in a million runs.
@Suite struct MonteCarloTests {
  private let random = EventRandom(seed: SeededGenerator.ofThisRun.seed)
  private static let users = 50_000
  private static let cells = 20.0

  /// How many of `users` users `happens` is true of, against `rate`.
  private func check(
    _ rate: Double,
    users: Int = users,
    _ name: String,
    happens: (UInt32) -> Bool
  ) {
    let successes = (0..<UInt32(users)).count { happens($0) }
    let seen = Proportion(successes: UInt64(successes), trials: UInt64(users))
    #expect(
      seen.pValue(rate: rate) > 1e-6 / Self.cells,
      "\(name): \(seen.share) against \(rate), SEED=\(random.seed)"
    )
  }

  /// A model in which nothing but the score decides.
  private func bare(_ population: Population) -> SensorModel {
    SensorModel(
      scores: .standard,
      population: population,
      fingerState: .alwaysGood,
      acquisition: .flawless
    )
  }

  /// Whether `user` is refused in a first transaction of `attempts`.
  private func isRefused(_ user: UInt32, by model: SensorModel, attempts: UInt32) -> Bool {
    var stream = random.stream(.person, user: user)
    let person = model.population.person(using: &stream)
    var enrolment = random.stream(.enrolment, user: user)
    let finger = person.finger(model.scores.effects, using: &enrolment)
      .calibrated(model.fingerState, model.scores.effects)
    var settling = random.stream(.fingerState, user: user)
    var state = model.fingerState.settled(using: &settling)
    var events = random.stream(.transaction, user: user)
    return model.attemptsUntilAccepted(finger, most: attempts, state: &state, using: &events) == nil
  }

  @Test(arguments: [1, 2, 3] as [UInt32])
  func transactionsOfEachPopulationAreRefusedAsOften(_ attempts: UInt32) throws {
    let populations: [Population] = [
      .goats, .beta(.standard), SensorModel.standard.population,
      .probit(try ProbitRates(miss: 0.2, correlation: 0)),
      .probit(try ProbitRates(miss: 0.2, correlation: 0.7)),
    ]
    for population in populations {
      check(population.falseReject(attempts: UInt64(attempts)), "\(population), \(attempts)") {
        isRefused($0, by: bare(population), attempts: attempts)
      }
    }
  }

  /// Chi-squared on where transactions end: at the first, second or third attempt, or refused.
  @Test func transactionsEndAtEachAttemptAsOften() {
    var counts = [0, 0, 0, 0]
    for user in 0..<UInt32(Self.users) {
      var stream = random.stream(.person, user: user)
      let finger = Population.goats.person(using: &stream).finger(.standard, using: &stream)
      var events = random.stream(.transaction, user: user, day: 5)
      var state = FingerState.good
      let attempts = bare(.goats)
        .attemptsUntilAccepted(finger, most: 3, state: &state, using: &events)
      counts[attempts.map { Int($0) - 1 } ?? 3] += 1
    }
    let left = (0...3).map { Population.goats.falseReject(attempts: $0) }
    let shares = [left[0] - left[1], left[1] - left[2], left[2] - left[3], left[3]]
    let chi = zip(counts, shares).reduce(0.0) { sum, cell in
      let expected = cell.1 * Double(Self.users)
      return sum + (Double(cell.0) - expected) * (Double(cell.0) - expected) / expected
    }
    // Three degrees of freedom exceed 38 with probability 2.9e-8.
    #expect(chi < 38, "\(counts), SEED=\(random.seed)")
  }

  @Test func captureFailuresAreNotCountedAndSuspectedFakesAre() throws {
    let people = Population.probit(try ProbitRates(miss: 0.2, correlation: 0.5))
    var model = bare(people)
    model.acquisition = try AcquisitionRates(failureToAcquire: 0.2, failureToEnrol: 0, bpcer: 0.1)
    check(people.falseReject(attempts: 3, takenForFake: 0.1), "suspected") {
      isRefused($0, by: model, attempts: 3)
    }
  }

  @Test func impairedFingersMissInBursts() throws {
    var model = bare(.probit(try ProbitRates(miss: 0.1, correlation: 0)))
    model.fingerState = .standard
    let (good, impaired) = model.fingerState.rates(meaning: 0.1, model.scores.effects)
    check(
      model.fingerState.falseReject(
        attempts: 3,
        apart: model.latency.mean,
        good: good,
        impaired: impaired
      ),
      "finger state"
    ) { isRefused($0, by: model, attempts: 3) }
  }

  @Test func wolvesAndLambsLeaveTheMeanOfOneAttempt() throws {
    var model = bare(.goats)
    model.scores = try ScoreModel.standard.withFalseMatch(0.02)
    model.impostors = try Impostors(wolfShare: 0.2, lambShare: 0.2)
    check(0.02, "wolves and lambs") { event in
      var attacker = random.stream(.attacker, event: event)
      var target = random.stream(.target, user: event)
      var stream = random.stream(.impostor, user: event, event: event)
      let rate = model.impostors.falseMatch(
        model.scores,
        wolf: model.impostors.wolf(using: &attacker),
        lamb: model.impostors.lamb(using: &target)
      )
      return stream.happens(rate)
    }
  }
}
