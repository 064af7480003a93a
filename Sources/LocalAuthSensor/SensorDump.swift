public import LocalAuthCore

extension SimulatedSensor {
  /// Everything a tester may want to see of the sensor, in a fixed order.
  ///
  /// It lists the state, the fingers, the lockout, the touches drawn by a model, then every setting
  /// by its key.
  public func dump(at now: Moment) -> [(key: String, value: String)] {
    let fingers = enrolment.fingers.map(\.rawValue).joined(separator: ",")
    return [
      ("state", stateWord),
      ("finger", isFingerDown ? (mustLift ? "must be lifted" : "down") : "up"),
      ("enrolled", fingers.isEmpty ? "none" : fingers),
      ("generation", String(enrolment.generation)),
      ("misses", String(lockout.misses)),
      ("lock", lockWord(at: now)),
      ("touches", String(settings.history.touches)),
    ] + settings.all
  }

  private var stateWord: String {
    switch state {
    case .idle: "idle"
    case .armed: "waiting for a finger"
    case .sampling: "taking a sample"
    case .captured: "holding a sample to be judged"
    case .enrolling(let enrolment), .enrolmentSampling(let enrolment, _, _):
      "enrolling \(enrolment.finger.rawValue), stage \(enrolment.passed + 1) of \(enrolment.stages)"
    case .draining: "canceled, waiting for the touch that ends it"
    }
  }

  private func lockWord(at now: Moment) -> String {
    switch standing(at: now) {
    case .open: "open"
    case .refused(let remaining): "for \(DurationText.format(remaining))"
    case .locked: "until the passcode"
    }
  }
}
