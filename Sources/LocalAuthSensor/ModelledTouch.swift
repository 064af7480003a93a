import LocalAuthCore

/// What a touch comes to by a sensor's model: something that happens for certain, and when.
struct ModelledTouch {
  /// What happens.
  let presentation: Presentation
  /// How long its sample takes.
  let latency: Duration
}

extension SimulatedSensor {
  /// Draws what `presentation` comes to; nil without a model, and for all but a touch, which alone
  /// leaves anything to chance.
  ///
  /// Each drawn touch takes one address of the history, so that no other touch and no other setting
  /// moves its draws.
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
    settings.history.leave(finger, model.fingerState.next(after: state, using: &stream))
    if !presented.isJudged {
      return ModelledTouch(presentation: .retry(state.flaw), latency: latency)
    }
    return ModelledTouch(
      presentation: presented.matches ? .matching(finger) : .miss,
      latency: latency
    )
  }

  /// Somebody whose finger is not enrolled is taken for each enrolled one by the rate of false matches.
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

  /// A touch's own draws; four thousand million touches are a day of its stream's address.
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
  /// Whose touch it is, where that alone is said.
  fileprivate var identity: PrintIdentity? {
    switch self {
    case .touch(let identity): identity
    case .match, .matching, .miss, .retry, .interaction, .stage, .fault: nil
    }
  }
}

extension FingerState {
  /// What the sensor says when it takes no sample.
  fileprivate var flaw: Acquisition {
    switch self {
    case .good: .partial
    case .impaired: .dirty
    }
  }
}

extension Finger {
  /// Its number among a person's fingers.
  fileprivate var place: UInt32 { UInt32(Self.allCases.firstIndex(of: self) ?? 0) }
}
