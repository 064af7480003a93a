public import LocalAuthCore

extension SimulatedSensor {
  /// The current enrolment, if any.
  public var enrolling: Enrolment? {
    switch state {
    case .enrolling(let enrolment), .enrolmentSampling(let enrolment, _, _): enrolment
    case .idle, .armed, .sampling, .captured, .draining: nil
    }
  }

  /// Begins to enrol `finger`; each touch is presented and sampled as in an evaluation.
  public mutating func beginEnrolment(of finger: Finger, at now: Moment) -> Readiness {
    if let refusal = obstacle(at: now) { return refusal }
    guard hasRoom(for: finger) else { return .refused(.storageFull) }
    enter(.enrolling(Enrolment(of: finger, stages: settings.enrolmentStages)))
    mustLift = isFingerDown
    return .ready(liftFinger: mustLift)
  }

  /// Cancels the enrolment; nothing of it is stored.
  public mutating func cancelEnrolment() -> Cancellation {
    guard enrolling != nil else { return .notRunning }
    return stop()
  }

  /// Returns the set without `finger`, to be made durable and adopted; nil if it is not enrolled.
  public func removing(_ finger: Finger) -> EnrolmentSet? {
    guard enrolment.fingers.contains(finger) else { return nil }
    return successor(fingers: enrolment.fingers.filter { $0 != finger })
  }

  /// Returns the empty set, to be made durable and adopted; nil if no finger is enrolled.
  public func removingAll() -> EnrolmentSet? {
    enrolment.fingers.isEmpty ? nil : successor(fingers: [])
  }

  /// Returns the set with `finger` added without a touch, to be made durable and adopted.
  public func inserting(_ finger: Finger) -> EnrolmentStep {
    if settings.checksDuplicates && enrolment.fingers.contains(finger) {
      return .failed(.duplicate)
    }
    guard hasRoom(for: finger), let set = successor(fingers: fingers(with: finger)) else {
      return .failed(.storageFull)
    }
    return .completed(set)
  }

  /// Returns the finger that `identity` stands for, if the sensor knows it.
  public func finger(of identity: PrintIdentity) -> Finger? {
    switch identity {
    case .finger(let finger): finger
    case .label(let label): settings.prints[label]
    }
  }

  /// Adopts a set that was made durable.
  ///
  /// - Returns: False, without any change, if its generation is not newer. The set has then changed
  ///   since the new one was computed, which must be computed again.
  public mutating func adopt(_ set: EnrolmentSet) -> Bool {
    guard set.generation > enrolment.generation else { return false }
    enrolment = set
    return true
  }

  mutating func read(_ presentation: Presentation, for enrolment: Enrolment) -> Reading {
    if let fault = presentation.fault ?? (mustLift ? nil : settings.enrolmentFault.take()) {
      return fail(fault)
    }
    var enrolment = enrolment
    let seen = mustLift ? Presentation.retry(.removeFinger) : presentation
    let status = enrolment.sample(seen, self.enrolment, settings)
    switch status.consequence {
    case .failed(let fault): return fail(fault)
    case .again(let acquisition):
      enter(.enrolling(enrolment))
      return .enrolment(.again(status, seen.flaw ?? acquisition))
    case .passed:
      enrolment.pass()
      return advance(enrolment)
    }
  }

  private mutating func advance(_ enrolment: Enrolment) -> Reading {
    guard enrolment.passed >= enrolment.stages else {
      enter(.enrolling(enrolment))
      return .enrolment(.passed(enrolment.passed, of: enrolment.stages))
    }
    guard let set = successor(fingers: fingers(with: enrolment.finger)) else {
      return fail(.storageFull)
    }
    if let label = enrolment.label { settings.prints.assign(label, to: enrolment.finger) }
    enter(.idle)
    return .enrolment(.completed(set))
  }

  private mutating func fail(_ fault: SensorFault) -> Reading {
    enter(.idle)
    return .enrolment(.failed(fault))
  }

  private func hasRoom(for finger: Finger) -> Bool {
    enrolment.fingers.contains(finger) || enrolment.fingers.count < settings.maximumEnrolments
  }

  private func fingers(with finger: Finger) -> [Finger] {
    enrolment.fingers.contains(finger) ? enrolment.fingers : enrolment.fingers + [finger]
  }

  /// Returns the next set; nil after the last generation, so that none is reused.
  private func successor(fingers: [Finger]) -> EnrolmentSet? {
    let (generation, overflow) = enrolment.generation.addingReportingOverflow(1)
    return overflow ? nil : EnrolmentSet(fingers: fingers, generation: generation)
  }
}
