public import LocalAuthCore
public import LocalAuthSecret
import LocalAuthSensor

/// An event of an enrolment in progress.
public enum EnrolmentEvent: Hashable, Sendable {
  /// The number of stages passed, out of the total.
  case passed(Int, of: Int)
  /// The stage must be repeated; tells the person what to do.
  case again(feedback: String)
}

/// Identifies an enrolment.
public struct EnrolmentID: Hashable, Sendable {
  let number: UInt64
}

/// An enrolment in progress.
final class EnrolmentRun {
  let id: EnrolmentID
  let finger: Finger
  let isManual: Bool
  let onEvent: (EnrolmentEvent) -> Void
  let completion: Engine.Completion
  /// The authorized act, once the passcode is proven.
  var act: DeviceAct?
  /// How it ended, if it was interrupted.
  var interruption: OutcomeCode?
  /// Cancels it at the reader, if one enrols by itself.
  var cancelAtReader: () -> Void = {}
  /// The samples taken so far, so that a sensor that rejects every sample does not occupy the
  /// engine for ever.
  var samples = 0

  init(
    id: EnrolmentID,
    finger: Finger,
    isManual: Bool,
    onEvent: @escaping (EnrolmentEvent) -> Void,
    completion: @escaping Engine.Completion
  ) {
    self.id = id
    self.finger = finger
    self.isManual = isManual
    self.onEvent = onEvent
    self.completion = completion
  }
}

extension Engine {
  /// The most samples that an automatic enrolment takes.
  private static let enrolmentSamplesMax = 256

  /// Enrols a finger; cancel with ``cancelEnrolment(_:)``.
  ///
  /// An automatic enrolment passes all stages by itself; a manual one waits for a
  /// ``present(event:on:caller:then:)`` at each stage.
  @discardableResult
  public func enroll(
    _ finger: Finger,
    on name: String?,
    isManual: Bool,
    passcode: SecretBox?,
    caller: Caller,
    onEvent: @escaping (EnrolmentEvent) -> Void,
    then body: @escaping Completion
  ) -> EnrolmentID {
    lastEnrolment += 1
    let run = EnrolmentRun(
      id: EnrolmentID(number: lastEnrolment),
      finger: finger,
      isManual: isManual,
      onEvent: onEvent,
      completion: body
    )
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      guard device.hasSensor else { throw .noSimulatedSensor }
      guard isSensorFree(of: device) else { throw Self.sensorInUse }
      enrolments[run.id] = run
      authorize("enroll \(finger.rawValue)", on: device, passcode: passcode, caller: caller) {
        [self] in authorized(run, $0)
      }
    }
    return run.id
  }

  /// Cancels an enrolment; nothing is stored.
  public func cancelEnrolment(_ id: EnrolmentID) {
    guard let run = enrolments[id] else { return }
    interrupt(run, .appCancel)
  }

  func interruptEnrolment(on device: LiveDevice) {
    if let run = device.enrolmentRun { interrupt(run, .systemCancel) }
  }

  /// Interrupts all enrolments, because the service stops.
  func interruptEnrolments() {
    for run in Array(enrolments.values) { interrupt(run, .systemCancel) }
  }

  private func interrupt(_ run: EnrolmentRun, _ outcome: OutcomeCode) {
    leave(run)
    run.interruption = outcome
    run.cancelAtReader()
    // The line of an act whose passcode is still being judged ends with that.
    guard let act = run.act else { return run.completion(.failure(Self.interrupted)) }
    _ = act.device.sensor?.update { $0.cancelEnrolment() }
    refuse(act, Self.interrupted, as: Outcome(outcome), run.completion)
  }

  private static let interrupted = EngineError.enrolmentFailed(
    code: "interrupted",
    message: "The enrolment was interrupted."
  )

  /// Removes a finger, or all of them when `finger` is nil.
  public func remove(
    _ finger: Finger?,
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      guard device.hasSensor else { throw .noSimulatedSensor }
      guard finger.map({ device.record.enrolment.fingers.contains($0) }) ?? true else {
        throw .invalidArgument("That finger is not enrolled.")
      }
      let verb = "remove \(finger?.rawValue ?? "all fingers")"
      authorize(verb, on: device, passcode: passcode, caller: caller) { [self] in
        whenProven($0, body) { act, end in
          if let reader = device.reader { return remove(finger, from: reader, act, then: body) }
          guard let sensor = device.sensor?.sensor else {
            return end(.failure(.noSimulatedSensor))
          }
          let set = finger.map { sensor.removing($0) } ?? sensor.removingAll()
          if let set { adopt(set, on: device) }
          complete(act, then: end)
          deviceChanged(device)
        }
      }
    }
  }

  /// The enrolled set, and the most fingers the sensor holds.
  public func enrolment(
    on name: String?,
    caller: Caller
  ) throws(EngineError) -> (set: EnrolmentSet, maximum: Int) {
    let device = try device(named: name, of: caller)
    let maximum = device.sensor?.sensor.settings.maximumEnrolments
    return (
      device.record.enrolment, maximum ?? (device.reader == nil ? 0 : Finger.allCases.count)
    )
  }

  // MARK: Stages

  private static let sensorInUse = EngineError.refused(
    Outcome(.busy, detail: "The sensor is in use.")
  )

  private func isSensorFree(of device: LiveDevice) -> Bool {
    device.machine.promptHolder == nil && device.enrolmentRun == nil
  }

  /// Ends the enrolment, whatever happens to its result.
  func leave(_ run: EnrolmentRun) {
    enrolments[run.id] = nil
    guard let device = run.act?.device, device.enrolmentRun === run else { return }
    device.enrolmentRun = nil
    device.isChangingPrints = false
  }

  private func authorized(_ run: EnrolmentRun, _ result: Result<DeviceAct, EngineError>) {
    guard enrolments[run.id] === run else {
      // A caller that left while the passcode was judged has been answered already.
      guard case .success(let act) = result else { return }
      let unheard: Completion = { _ in }
      return refuse(act, Self.interrupted, as: run.interruption.map { Outcome($0) }, unheard)
    }
    switch result {
    case .failure(let error):
      leave(run)
      run.completion(.failure(error))
    case .success(let act):
      do throws(EngineError) { try begin(run, act) } catch {
        leave(run)
        refuse(act, error, run.completion)
      }
    }
  }

  private func begin(_ run: EnrolmentRun, _ act: DeviceAct) throws(EngineError) {
    let device = act.device
    guard !device.machine.isRemoved else { throw .gone(device) }
    // Another enrolment or evaluation may have begun while the passcode was judged.
    guard isSensorFree(of: device) else { throw Self.sensorInUse }
    run.act = act
    if let reader = device.reader { return begin(run, act, at: reader) }
    let now = device.now(clock.now())
    switch device.sensor?.update({ $0.beginEnrolment(of: run.finger, at: now) }) {
    case .ready:
      device.enrolmentRun = run
      continueEnrolment(run, on: device)
    case .refused(let fault): fail(run, act, fault)
    case .lockedOut, .none: fail(run, act, .unavailable)
    }
  }

  private func continueEnrolment(_ run: EnrolmentRun, on device: LiveDevice) {
    guard !run.isManual, device.enrolmentRun === run else { return }
    run.samples += 1
    guard run.samples <= Self.enrolmentSamplesMax else {
      _ = device.sensor?.update { $0.cancelEnrolment() }
      return enrolled(.failed(.general), on: device)
    }
    present(.match, on: device, isScripted: true) { _ in }
  }

  /// Handles the sensor's verdict on one stage.
  func enrolled(_ step: EnrolmentStep, on device: LiveDevice) {
    guard let run = device.enrolmentRun, let act = run.act else { return }
    switch step {
    case .passed(let passed, let stages):
      run.onEvent(.passed(passed, of: stages))
      continueEnrolment(run, on: device)
    case .again(_, let acquisition):
      run.onEvent(.again(feedback: acquisition.advice))
      continueEnrolment(run, on: device)
    case .completed(let set):
      leave(run)
      adopt(set, on: device)
      complete(act, then: ending(act, run.completion))
    case .failed(let fault): fail(run, act, fault)
    }
  }

  private func fail(_ run: EnrolmentRun, _ act: DeviceAct, _ fault: SensorFault) {
    let message = "The enrolment failed (\(fault.word)); nothing was stored."
    fail(run, act, fault.word, message)
  }

  func fail(_ run: EnrolmentRun, _ act: DeviceAct, _ code: String, _ message: String) {
    leave(run)
    var line = act.audit
    line.detail = "sensor: \(code)"
    close(&line, .sensorError, on: act.device)
    runner.store([line]) { _ in
      run.completion(.failure(.enrolmentFailed(code: code, message: message)))
    }
  }

  /// Makes `set` the enrolled set of both the record and the sensor.
  func adopt(_ set: EnrolmentSet, on device: LiveDevice) {
    runner.meet(device) { machine, _ in machine.adopt(set) }
    device.enrolmentChanged()
    _ = device.sensor?.update { $0.adopt(set) }
  }
}
