public import LocalAuthCore

/// A simulated fingerprint sensor.
///
/// It never judges unasked: a good sample is only *captured*. The caller charges the attempt and
/// then requests the verdict with the ``Capture``, which is valid once and only while the sensor
/// stays armed as it was.
///
/// | event     | idle      | armed      | sampling     | captured   | enrolling  | draining  |
/// |-----------|-----------|------------|--------------|------------|------------|-----------|
/// | arm       | armed     | busy       | busy         | busy       | busy       | busy      |
/// | enrol     | enrolling | busy       | busy         | busy       | busy       | busy      |
/// | present   | not armed | sampling   | occupied     | occupied   | sampling   | idle      |
/// | sampled   | stale     | stale      | by sample    | stale      | stale      | stale     |
/// | judge     | stale     | stale      | stale        | by verdict | stale      | stale     |
/// | cancel    | -         | idle *     | idle         | idle       | idle *     | -         |
/// | timed out | -         | fault      | -            | -          | fault      | idle      |
/// | unplug    | -         | fault      | fault        | fault      | fault      | idle      |
///
/// `*`: draining if the setting `cancellation` is off. Events that come too late change nothing.
public struct SimulatedSensor: Hashable, Sendable {
  enum State: Hashable, Sendable {
    case idle
    case armed(EvaluationID)
    case sampling(EvaluationID, Sample, Presentation)
    case captured(Capture, Presentation)
    case enrolling(Enrolment)
    case enrolmentSampling(Enrolment, Sample, Presentation)
    case draining
  }

  /// The behaviour of the sensor.
  public internal(set) var settings: SensorSettings
  /// The enrolled fingers.
  public internal(set) var enrolment: EnrolmentSet
  /// Whether a finger is on the sensor.
  public internal(set) var isFingerDown = false
  var mustLift = false
  var state = State.idle
  var lockout = SensorLockout()
  private var serial: UInt64 = 0

  /// Creates an idle sensor.
  public init(settings: SensorSettings = SensorSettings(), enrolment: EnrolmentSet) {
    self.settings = settings
    self.enrolment = enrolment
  }

  /// The current operation; nil if the sensor is idle or draining.
  public var operation: SensorOperation? {
    switch state {
    case .idle, .draining: nil
    case .armed(let evaluation), .sampling(let evaluation, _, _): .evaluation(evaluation)
    case .captured(let capture, _): .evaluation(capture.evaluation)
    case .enrolling(let enrolment), .enrolmentSampling(let enrolment, _, _):
      .enrolment(enrolment.finger)
    }
  }

  /// The running time limit for a finger, if the sensor has one of its own.
  public var timer: NoInputTimer? {
    switch state {
    case .armed, .enrolling, .draining:
      settings.noInputTimeout.map { NoInputTimer(after: $0, serial: serial) }
    case .idle, .sampling, .captured, .enrolmentSampling: nil
    }
  }

  // MARK: Authentication

  /// Waits for a finger for `evaluation`.
  public mutating func arm(for evaluation: EvaluationID, at now: Moment) -> Readiness {
    if let refusal = obstacle(at: now) { return refusal }
    enter(.armed(evaluation))
    mustLift = isFingerDown
    return .ready(liftFinger: mustLift)
  }

  /// Presents an event at the sensor.
  public mutating func present(
    _ presentation: Presentation,
    at now: Moment,
    using generator: inout some RandomNumberGenerator
  ) -> Response {
    switch state {
    case .idle: return .ignored(.notArmed)
    case .draining:
      enter(.idle)
      return .ignored(.notArmed)
    case .sampling, .captured, .enrolmentSampling: return .ignored(.occupied)
    case .armed(let evaluation):
      guard isSupported(presentation) else { return .ignored(.notSupported) }
      if let retryAfter = lock(at: now) {
        enter(.idle)
        return .lockedOut(retryAfter: retryAfter)
      }
      let sample = Sample(serial: nextSerial())
      let drawn = draw(presentation)
      state = .sampling(evaluation, sample, drawn?.presentation ?? presentation)
      let latency = settings.latency.draw(using: &generator)
      return .sampling(
        sample,
        after: settings.latency == .none ? drawn?.latency ?? latency : latency
      )
    case .enrolling(let enrolment):
      let sample = Sample(serial: nextSerial())
      state = .enrolmentSampling(enrolment, sample, presentation)
      return .sampling(sample, after: settings.enrolmentLatency.draw(using: &generator))
    }
  }

  /// Reports that the time to take the sample has passed.
  public mutating func sampled(_ sample: Sample) -> Reading {
    switch state {
    case .sampling(let evaluation, sample, let presentation):
      return read(presentation, for: evaluation)
    case .enrolmentSampling(let enrolment, sample, let presentation):
      return read(presentation, for: enrolment)
    case .idle, .armed, .sampling, .captured, .enrolling, .enrolmentSampling, .draining:
      return .stale
    }
  }

  /// Judges a sample whose attempt has been charged.
  public mutating func judge(_ capture: Capture, at now: Moment) -> Judgement {
    switch state {
    case .captured(capture, let presentation):
      guard let finger = touching(presentation), enrolment.fingers.contains(finger),
        !settings.authenticationFails
      else {
        lockout.missed(settings, at: now)
        enter(.armed(capture.evaluation))
        return .miss
      }
      lockout.clear()
      enter(.idle)
      return .match(finger, generation: enrolment.generation)
    case .idle, .armed, .sampling, .captured, .enrolling, .enrolmentSampling, .draining:
      return .stale
    }
  }

  /// Discards a sample that could not be charged and keeps waiting; false if it is stale.
  public mutating func discard(_ capture: Capture) -> Bool {
    switch state {
    case .captured(capture, _):
      enter(.armed(capture.evaluation))
      return true
    case .idle, .armed, .sampling, .captured, .enrolling, .enrolmentSampling, .draining:
      return false
    }
  }

  /// Stops waiting for `evaluation`.
  public mutating func disarm(for evaluation: EvaluationID) -> Cancellation {
    guard operation == .evaluation(evaluation) else { return .notRunning }
    return stop()
  }

  // MARK: Inside

  mutating func stop() -> Cancellation {
    switch state {
    case .armed, .enrolling:
      enter(settings.cancels ? .idle : .draining)
      return settings.cancels ? .stopped : .lingering
    case .idle, .sampling, .captured, .enrolmentSampling, .draining:
      enter(.idle)
      return .stopped
    }
  }

  /// Changes the state to `next`, which makes earlier timers, samples and captures stale.
  mutating func enter(_ next: State) {
    serial += 1
    state = next
  }

  private mutating func nextSerial() -> UInt64 {
    serial += 1
    return serial
  }

  private func isSupported(_ presentation: Presentation) -> Bool {
    switch presentation {
    case .interaction: settings.detectsInteraction
    case .stage: false
    case .match, .matching, .miss, .touch, .retry, .fault: true
    }
  }

  private mutating func read(_ presentation: Presentation, for evaluation: EvaluationID) -> Reading
  {
    if presentation == .interaction {
      enter(.armed(evaluation))
      return .interaction
    }
    if let fault = presentation.fault ?? (mustLift ? nil : settings.authenticationFault.take()) {
      enter(.idle)
      return .fault(fault)
    }
    let flaw = mustLift ? Acquisition.removeFinger : presentation.flaw
    let saying = flaw.map(AcquiredSequence.init(flaw:)) ?? settings.acquired
    if let flaw = saying.flaw {
      enter(.armed(evaluation))
      return .retry(flaw, saying: saying)
    }
    let capture = Capture(evaluation: evaluation, serial: nextSerial())
    state = .captured(capture, presentation)
    return .captured(capture, saying: saying)
  }

  /// Returns the finger that touches; nil if the sensor cannot know it.
  private func touching(_ presentation: Presentation) -> Finger? {
    switch presentation {
    case .match: enrolment.fingers.first
    case .matching(let finger): finger
    case .touch(let identity): finger(of: identity)
    case .miss, .retry, .interaction, .stage, .fault: nil
    }
  }
}
