import LocalAuthCore
import LocalAuthSensor

/// A device's simulated sensor, judged on request; supplies the randomness and timers its pure
/// model needs.
final class SensorDriver: Authenticator {
  let description = AuthenticatorDescription(
    name: "simulated-sensor",
    kind: .fingerprint,
    judging: .onRequest,
    asking: .touch,
    method: "fingerprint",
    reference: "fpt",
    isSimulated: true
  )
  private(set) var sensor: SimulatedSensor
  private var random: SensorRandomness
  private let timers: DeviceTimers
  private let now: () -> Moment
  private var noInputToken: UInt64?
  /// Receives what happens to the current operation other than as a call's result.
  var onInterruption: (SimulatedSensor.Interruption) -> Void = { _ in }

  /// The number of fingers that a new sensor can hold.
  static let enrolmentsMaxByDefault = SensorSettings().maximumEnrolments

  init(
    settings: SensorSettings,
    enrolment: EnrolmentSet,
    seed: UInt64,
    timers: DeviceTimers,
    now: @escaping () -> Moment
  ) {
    sensor = SimulatedSensor(settings: settings, enrolment: enrolment)
    random = SensorRandomness(seed: settings.seed ?? seed)
    self.timers = timers
    self.now = now
  }

  var isReady: Bool { sensor.settings.isPlugged }

  var presence: SensorPresence {
    sensor.settings.isPlugged ? .ready(sensor.settings.strength) : .unplugged
  }

  /// The evaluation that waits for a finger.
  var armedFor: EvaluationID? {
    switch sensor.operation {
    case .evaluation(let id): id
    case .enrolment, .none: nil
    }
  }

  func arm(for id: EvaluationID) -> SimulatedSensor.Readiness {
    defer { restartNoInputTimer() }
    return sensor.arm(for: id, at: now())
  }

  func disarm(for id: EvaluationID) {
    _ = sensor.disarm(for: id)
    restartNoInputTimer()
  }

  func present(_ presentation: Presentation) -> SimulatedSensor.Response {
    defer { restartNoInputTimer() }
    return sensor.present(presentation, at: now(), using: &random)
  }

  func sampled(_ sample: Sample) -> SimulatedSensor.Reading {
    defer { restartNoInputTimer() }
    return sensor.sampled(sample)
  }

  /// Judges a capture at once, against the enrolled set that the device's record gave the sensor.
  func judge(
    _ sample: Submission,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> (any Judgment)? {
    guard case .capture(let capture) = sample else {
      onEvent(.ended(.unjudged(Outcome(.biometryDisconnected))))
      return nil
    }
    let match = sensor.judge(capture, at: now())
    restartNoInputTimer()
    onEvent(.ended(Verdict(match)))
    return nil
  }

  func discard(_ capture: Capture) {
    _ = sensor.discard(capture)
    restartNoInputTimer()
  }

  /// Changes the sensor and reports the effect on the current operation.
  func change(_ body: (inout SimulatedSensor) -> SimulatedSensor.Interruption) {
    let interruption = body(&sensor)
    restartNoInputTimer()
    onInterruption(interruption)
  }

  /// Changes a setting; the error tells which values are allowed.
  func set(_ key: String, _ value: String) throws(SettingError) {
    let interruption = try sensor.set(key, value)
    if let seed = sensor.settings.seed, key == "seed" { random = SensorRandomness(seed: seed) }
    restartNoInputTimer()
    onInterruption(interruption)
  }

  func update<Result>(_ body: (inout SimulatedSensor) -> Result) -> Result {
    defer { restartNoInputTimer() }
    return body(&sensor)
  }

  private func restartNoInputTimer() {
    if let token = noInputToken { timers.cancel(token) }
    noInputToken = nil
    guard let timer = sensor.timer else { return }
    noInputToken = timers.add(at: now().boot + timer.after) { [weak self] in
      guard let self else { return }
      noInputToken = nil
      change { $0.timedOut(timer) }
    }
  }
}

extension Verdict {
  fileprivate init(_ match: SimulatedSensor.Judgement) {
    switch match {
    case .match(let finger, let generation): self = .proven(finger: finger, generation: generation)
    case .miss: self = .miss
    case .stale: self = .unjudged(Outcome(.systemCancel))
    }
  }
}
