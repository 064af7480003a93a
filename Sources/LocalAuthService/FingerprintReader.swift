public import LocalAuthCore

/// The port to a reader outside LocalAuth, which captures and judges fingers, and keeps their
/// prints, by itself.
public protocol FingerprintReader: Authenticator {
  /// Whether it can be asked.
  var presence: SensorPresence { get }
  /// What the device's owner has enrolled at it; nil while that is not known.
  var prints: EnrolledPrints? { get }
  /// Whether nothing can be enrolled at it unnoticed.
  var noticesChanges: Bool { get }

  /// Enrols `finger`; the result cancels. `onEvent` ends with exactly one `ended`.
  func enroll(
    _ finger: Finger,
    onEvent: @escaping (ReaderEnrolmentEvent) -> Void
  ) -> () -> Void
  /// Removes the print of `finger`, or all prints of the owner; `body` is given why it cannot.
  func remove(_ finger: Finger?, then body: @escaping (_ refusal: String?) -> Void)
}

/// An event of an enrolment at a reader.
public enum ReaderEnrolmentEvent: Hashable, Sendable {
  /// The number of stages passed, out of the total.
  case passed(Int, of: Int)
  /// The stage must be repeated.
  case again(Acquisition)
  /// It is over, for this reason if nothing was enrolled.
  case ended(refusal: String?)
}

extension Engine {
  /// Adopts what is enrolled at the reader of `device`, if that changed.
  func adoptPrints(on device: LiveDevice) {
    guard let prints = device.reader?.prints else { return }
    let isOwn = device.isChangingPrints
    guard runner.meet(device, { machine, _ in machine.found(prints, byAct: isOwn) }) else { return }
    device.enrolmentChanged()
    // If this is not stored, the next start finds the same again.
    runner.storeDevice(device, .guarded) { _ in }
  }

  /// Enrols a finger at the reader of the device, for an act that is authorized.
  func begin(_ run: EnrolmentRun, _ act: DeviceAct, at reader: any FingerprintReader) {
    let device = act.device
    device.enrolmentRun = run
    device.isChangingPrints = true
    run.onEvent(.again(feedback: "Lay the finger on the reader and lift it, until it is enrolled."))
    run.cancelAtReader = reader.enroll(run.finger) { [weak self, weak run] event in
      guard let self, let run, device.enrolmentRun === run else { return }
      switch event {
      case .passed(let passed, let stages): run.onEvent(.passed(passed, of: stages))
      case .again(let acquisition): run.onEvent(.again(feedback: acquisition.advice))
      case .ended(nil):
        leave(run)
        complete(act, then: ending(act, run.completion))
      case .ended(let refusal?): fail(run, act, "reader", refusal)
      }
    }
  }

  /// Removes prints from the reader of the device, for an act that is authorized.
  func remove(
    _ finger: Finger?,
    from reader: any FingerprintReader,
    _ act: DeviceAct,
    then body: @escaping Completion
  ) {
    act.device.isChangingPrints = true
    reader.remove(finger) { [self] refusal in
      act.device.isChangingPrints = false
      guard let refusal else {
        complete(act, then: ending(act, body))
        return deviceChanged(act.device)
      }
      var line = act.audit
      line.detail = "reader: \(refusal)"
      close(&line, .sensorError, on: act.device)
      runner.store([line]) { _ in
        body(.failure(.enrolmentFailed(code: "reader", message: refusal)))
      }
    }
  }
}
