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

  /// What comes of three presentations at each event of a day.
  private func day(_ model: SensorModel, events: Range<UInt32>) -> [SensorModel.Presentation] {
    let finger = finger(model)
    return events.flatMap { event in
      var stream = random.stream(.transaction, user: 0, day: 1, event: event)
      return (0..<3).map { _ in model.present(finger, using: &stream) }
    }
  }

  @Test func theSameSeedGivesTheSameDay() {
    #expect(day(standard, events: 0..<200) == day(standard, events: 0..<200))
  }

  @Test func moreEventsLeaveThoseThatWere() {
    #expect(day(standard, events: 0..<100)[...] == day(standard, events: 0..<150).prefix(300))
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
