/// A sensor and the people who use it, as statistics that decide how a presentation ends.
///
/// The model draws nothing itself; the caller passes the ``EventStream`` of the event.
public struct SensorModel: Hashable, Sendable {
  /// The distribution of scores.
  public var scores: ScoreModel
  /// The differences between people.
  public var population: Population
  /// The changes of a finger's state.
  public var fingerState: FingerStateProcess
  /// The differences between people as impostors.
  public var impostors: Impostors
  /// The failure rates before scores are compared.
  public var acquisition: AcquisitionRates
  /// The duration of a presentation.
  public var latency: LognormalLatency

  /// Creates a model from these parts.
  public init(
    scores: ScoreModel,
    population: Population,
    fingerState: FingerStateProcess = .standard,
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

  /// The default sensor, as defined in `policies/sensor/standard.json`.
  public static let standard = SensorModel(
    scores: .standard,
    population: ScoreModel.standard.population
  )

  /// How far apart the touches of a simulated sensor are for the finger's state: half a minute, our
  /// own assumption.
  ///
  /// It is not read from a clock, so that the same touches always give the same results.
  public static let betweenTouches = Duration.seconds(30)

  /// The maximum number of presentations, even if no sample is ever taken.
  public static let presentationLimit: UInt32 = 100

  /// The result of one presentation of a genuine finger.
  public enum Presentation: Hashable, Sendable {
    /// No sample was taken; nothing is counted.
    case notAcquired
    /// The finger was taken for a fake, which counts as a miss.
    case takenForFake
    /// The sample was compared; the value is its score relative to the threshold, negative if
    /// below.
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
  /// All three draws are always made, so a different FTA or BPCER does not change any score.
  @inlinable
  @inline(__always)  // A call would copy the whole model.
  public func present(
    _ finger: EnrolledFinger,
    in conditions: CaptureConditions = CaptureConditions(),
    using stream: inout EventStream
  ) -> Presentation {
    let failed = stream.happens(acquisition.failureToAcquire)
    let suspected = stream.happens(acquisition.takenForFake)
    let shift = scores.effects.shift(in: conditions, noise: finger.noise)
    let score = finger.score(shift: shift, using: &stream)
    if failed { return .notAcquired }
    return suspected ? .takenForFake : .compared(score)
  }

  /// Returns those of `count` fingers of `person` that could be enrolled; each has its own stream.
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

  /// Returns finger `number` of the person who is `user`, as if enrolment always succeeded.
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
    let finger = person.finger(scores.effects, using: &stream)
    return (finger.calibrated(fingerState, scores.effects), fails)
  }
}
