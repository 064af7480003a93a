import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@Suite struct SensorModelTests {
  private let random = EventRandom(seed: SeededGenerator.ofThisRun.seed)
  private let standard = SensorModel.standard

  /// A finger of the first user, the same in each test of one run.
  private func finger(_ model: SensorModel) -> EnrolledFinger {
    var person = random.stream(.person)
    var enrolment = random.stream(.enrolment)
    return model.population.person(using: &person)
      .finger(model.scores.effects, using: &enrolment)
  }

  /// The transactions of a day, and the finger's state after each.
  private func day(_ model: SensorModel, events: Range<UInt32>) -> [TransactionResult] {
    let finger = finger(model)
    return events.map { event in
      var stream = random.stream(.transaction, user: 0, day: 1, event: event)
      var state = FingerState.good
      return model.genuineTransaction(finger, attempts: 3, state: &state, using: &stream)
    }
  }

  @Test func theSameSeedGivesTheSameDay() {
    #expect(day(standard, events: 0..<200) == day(standard, events: 0..<200))
  }

  @Test func moreEventsLeaveThoseThatWere() {
    #expect(day(standard, events: 0..<100)[...] == day(standard, events: 0..<150).prefix(100))
  }

  @Test func aHigherThresholdAcceptsNothingThatALowerOneRefused() throws {
    var strict = standard
    strict.scores = try standard.scores.withFalseMatch(1e-7)
    strict.population = strict.scores.population
    let (high, low) = (finger(strict), finger(standard))
    for event in 0..<2_000 as Range<UInt32> {
      var one = random.stream(.transaction, event: event)
      var other = one
      let isStrictMatch = strict.present(high, using: &one).matches
      let isMatch = standard.present(low, using: &other).matches
      #expect(isMatch || !isStrictMatch, "SEED=\(random.seed)")
    }
  }

  @Test func anotherFailureToAcquireMovesNoScore() throws {
    var clumsy = standard
    clumsy.acquisition = try AcquisitionRates(failureToAcquire: 0.5, failureToEnrol: 0, bpcer: 0)
    let finger = finger(standard)
    for event in 0..<500 as Range<UInt32> {
      var one = random.stream(.transaction, event: event)
      var other = one
      if case .compared(let score) = clumsy.present(finger, using: &one),
        case .compared(let same) = standard.present(finger, using: &other)
      {
        #expect(score == same)
      }
    }
  }

  @Test func onlyWhatIsJudgedCounts() {
    #expect(!SensorModel.Presentation.notAcquired.isJudged)
    #expect(!SensorModel.Presentation.notAcquired.matches)
    #expect(SensorModel.Presentation.takenForFake.isJudged)
    #expect(!SensorModel.Presentation.takenForFake.matches)
    #expect(SensorModel.Presentation.compared(0).matches)
    #expect(!SensorModel.Presentation.compared(-0.001).matches)
  }

  @Test func aTransactionEndsAtItsAttempts() throws {
    var hopeless = standard
    hopeless.population = .mixture(try GoatMixture(goats: 1, goatMiss: 1, sheepMiss: 1))
    for result in day(hopeless, events: 0..<100) {
      #expect(!result.isAccepted && result.attempts == 3 && result.presentations >= 3)
      #expect(result.elapsed > .zero)
    }
  }

  @Test func nobodyTriesForEver() throws {
    var blind = standard
    blind.acquisition = try AcquisitionRates(
      failureToAcquire: 1 - 1e-15,
      failureToEnrol: 0,
      bpcer: 0
    )
    var stream = random.stream(.transaction)
    var state = FingerState.good
    let result = blind.genuineTransaction(
      finger(blind),
      attempts: 3,
      state: &state,
      using: &stream
    )
    #expect(result.presentations == SensorModel.presentationLimit && result.attempts == 0)
    let attack = blind.presentationAttack(.talos, attempts: 3, using: &stream)
    #expect(attack.presentations == SensorModel.presentationLimit && !attack.isAccepted)
  }

  @Test func noAttemptsAreNoTransaction() {
    var stream = random.stream(.transaction)
    let result = standard.impostorTransaction(prints: 5, attempts: 0, using: &stream)
    #expect(result == TransactionResult())
  }

  @Test func nothingMatchesNoPrints() {
    for event in 0..<100 as Range<UInt32> {
      var stream = random.stream(.impostor, event: event)
      let result = standard.impostorTransaction(prints: 0, attempts: 50, using: &stream)
      #expect(!result.isAccepted && result.attempts == 50)
    }
  }

  @Test func anotherFingerLeavesTheOthersAsTheyWere() {
    var stream = random.stream(.person, user: 7)
    let person = standard.population.person(using: &stream)
    let three = standard.enrol(person, user: 7, count: 3, from: random)
    let five = standard.enrol(person, user: 7, count: 5, from: random)
    #expect(three[...] == five.prefix(three.count))
  }

  @Test func fingersThatCannotBeEnrolledAreMissing() throws {
    var model = standard
    model.acquisition = try AcquisitionRates(failureToAcquire: 0, failureToEnrol: 1, bpcer: 0)
    var stream = random.stream(.person)
    let person = model.population.person(using: &stream)
    #expect(model.enrol(person, user: 0, count: 5, from: random).isEmpty)
    model.acquisition = .flawless
    #expect(model.enrol(person, user: 0, count: 5, from: random).count == 5)
  }
}
