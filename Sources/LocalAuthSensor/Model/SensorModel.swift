/// A sensor and the people before it, as statistics: everything that decides how a presentation ends.
///
/// It draws nothing itself. Whoever asks hands it the ``EventStream`` of the event.
public struct SensorModel: Hashable, Sendable {
  /// How scores lie.
  public var scores: ScoreModel
  /// How people differ.
  public var population: Population
  /// How a finger's state changes.
  public var fingerState: FingerStateChain
  /// How people differ as somebody else.
  public var impostors: Impostors
  /// What goes wrong before scores are compared.
  public var acquisition: AcquisitionRates
  /// How long a presentation takes.
  public var latency: LognormalLatency

  /// The model with these parts.
  public init(
    scores: ScoreModel,
    population: Population,
    fingerState: FingerStateChain = .standard,
    impostors: Impostors = .alike,
    acquisition: AcquisitionRates = .standard,
    latency: LognormalLatency = .standard
  ) {
    self.scores = scores
    self.population = population
    self.fingerState = fingerState
    self.impostors = impostors
    self.acquisition = acquisition
    self.latency = latency
  }

  /// The sensor of which nothing more is known, as `policies/sensor/standard.json` says it.
  public static let standard = SensorModel(
    scores: .standard,
    population: ScoreModel.standard.population
  )

  /// Presentations that nobody goes beyond, however often no sample is taken.
  public static let presentationLimit: UInt32 = 100

  /// How one presentation of a genuine finger ended.
  public enum Presentation: Hashable, Sendable {
    /// No sample was taken; nothing is counted.
    case notAcquired
    /// The finger was taken for a fake, and counted as a miss.
    case takenForFake
    /// The sample was compared; it scored this far above the threshold, or below where negative.
    case compared(Double)

    /// Whether it counts as an attempt.
    public var isJudged: Bool {
      switch self {
      case .notAcquired: false
      case .takenForFake, .compared: true
      }
    }

    /// Whether it is accepted.
    public var matches: Bool {
      switch self {
      case .notAcquired, .takenForFake: false
      case .compared(let score): score >= 0
      }
    }
  }

  /// Presents a genuine finger once.
  ///
  /// All three draws are made whatever they decide, so that another FTA or BPCER moves no score.
  public func present(
    _ finger: EnrolledFinger,
    in conditions: CaptureConditions = CaptureConditions(),
    using stream: inout EventStream
  ) -> Presentation {
    let failed = stream.happens(acquisition.failureToAcquire)
    let suspected = stream.happens(acquisition.takenForFake)
    let score = finger.score(shift: scores.effects.shift(in: conditions), using: &stream)
    if failed { return .notAcquired }
    return suspected ? .takenForFake : .compared(score)
  }

  /// The fingers of `person` that could be enrolled out of `count`; each has a stream of its own.
  public func enrol(
    _ person: Person,
    user: UInt32,
    count: UInt32,
    from random: EventRandom
  ) -> [EnrolledFinger] {
    (0..<count).compactMap { number in
      let (finger, fails) = finger(number, of: person, user: user, from: random)
      return fails ? nil : finger
    }
  }

  /// The finger `number` of the person who is `user`, enrolled at whatever trouble.
  public func finger(
    _ number: UInt32,
    ofUser user: UInt32,
    from random: EventRandom
  )
    -> EnrolledFinger
  {
    var stream = random.stream(.person, user: user)
    return finger(number, of: population.person(using: &stream), user: user, from: random).finger
  }

  private func finger(
    _ number: UInt32,
    of person: Person,
    user: UInt32,
    from random: EventRandom
  ) -> (finger: EnrolledFinger, fails: Bool) {
    var stream = random.stream(.enrolment, user: user, event: number)
    let fails = stream.happens(acquisition.failureToEnrol)
    return (person.finger(scores.effects, using: &stream), fails)
  }
}
