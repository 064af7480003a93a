import LocalAuthCore

/// The outcome of a touch, as drawn from a sensor's model.
struct ModelledTouch {
  /// The presentation that results; nothing about it is left to chance.
  let presentation: Presentation
  /// How long its sample takes.
  let latency: Duration
}

extension SimulatedSensor {
  /// Draws the outcome of `presentation`; nil without a model, and for anything but a touch,
  /// because only a touch is left to chance.
  ///
  /// Each drawn touch takes one address of the history, so no other touch or setting affects its
  /// draws.
  mutating func draw(_ presentation: Presentation) -> ModelledTouch? {
    guard let model = settings.model?.model, let identity = presentation.identity else {
      return nil
    }
    let number = settings.history.takeTouch()
    guard let finger = finger(of: identity), enrolment.fingers.contains(finger) else {
      return drawStranger(model, number)
    }
    return drawOwner(finger, model, number)
  }

  private mutating func drawOwner(
    _ finger: Finger,
    _ model: SensorModel,
    _ number: UInt64
  ) -> ModelledTouch {
    let place = finger.place
    var begin = random.stream(.fingerState, user: person, event: place)
    let state = settings.history.state(of: finger) ?? model.fingerState.settled(using: &begin)
    let enrolled = model.finger(place, ofUser: person, from: random)
    let conditions = CaptureConditions(quality: Double(settings.quality), finger: state)
    var stream = stream(.transaction, number)
    let presented = model.present(enrolled, in: conditions, using: &stream)
    let latency = model.latency.draw(using: &stream)
    let change = model.fingerState.step(over: SensorModel.betweenTouches)
    settings.history.leave(finger, change.next(after: state, using: &stream))
    if !presented.isJudged {
      return ModelledTouch(presentation: .retry(state.flaw), latency: latency)
    }
    return ModelledTouch(
      presentation: presented.matches ? .matching(finger) : .miss,
      latency: latency
    )
  }

  /// Draws a stranger's touch, which matches each enrolled finger at the false match rate.
  private func drawStranger(_ model: SensorModel, _ number: UInt64) -> ModelledTouch {
    var stream = stream(.impostor, number)
    let rate = Chance.any(
      of: UInt64(enrolment.fingers.count),
      each: model.impostors.falseMatch(model.scores)
    )
    let failed = stream.happens(model.acquisition.failureToAcquire)
    let accepted = stream.happens(rate)
    let latency = model.latency.draw(using: &stream)
    let taken = enrolment.fingers.randomElement(using: &stream)
    if failed {
      return ModelledTouch(presentation: .retry(FingerState.good.flaw), latency: latency)
    }
    return ModelledTouch(
      presentation: accepted ? taken.map(Presentation.matching) ?? .miss : .miss,
      latency: latency
    )
  }

  private var person: UInt32 { UInt32(clamping: settings.person) }

  private var random: EventRandom { EventRandom(seed: settings.seed ?? 0) }

  /// Returns the stream of one touch; 2^32 touches use up one day of the stream's address.
  private func stream(_ purpose: EventRandom.Purpose, _ number: UInt64) -> EventStream {
    random.stream(
      purpose,
      user: person,
      day: UInt32(truncatingIfNeeded: number >> 32),
      event: UInt32(truncatingIfNeeded: number)
    )
  }
}

extension Presentation {
  /// The identity of a touch that specifies nothing else.
  fileprivate var identity: PrintIdentity? {
    switch self {
    case .touch(let identity): identity
    case .match, .matching, .miss, .retry, .interaction, .stage, .fault: nil
    }
  }
}

extension FingerState {
  /// What the sensor reports when it takes no sample.
  fileprivate var flaw: Acquisition {
    switch self {
    case .good: .partial
    case .impaired: .dirty
    }
  }
}

extension Finger {
  /// The number of the finger among a person's fingers.
  fileprivate var place: UInt32 { UInt32(Self.allCases.firstIndex(of: self) ?? 0) }
}
