public import LocalAuthCore
import LocalAuthSensor

/// The effect of an event at the sensor.
public enum SensorEffect: Hashable, Sendable {
  /// The finger matched.
  case match
  /// The finger did not match.
  case miss
  /// The sample was unusable.
  case retry(Acquisition)
  /// Presence was detected, but nothing was judged.
  case interaction
  /// It counted as a stage of the enrolment.
  case enrolment
  /// The sensor failed.
  case fault(SensorFault)
  /// The sensor or the device is locked.
  case lockedOut
  /// An earlier touch was still being judged.
  case occupied
  /// The sensor does not support it: the setting is off.
  case notSupported
  /// The operation ended before the touch was judged.
  case dropped
  /// The event changed the sensor and nothing else.
  case done

  /// The effect in one word.
  public var word: String {
    switch self {
    case .match: "match"
    case .miss: "miss"
    case .retry(let acquisition): "retry:\(acquisition.word)"
    case .interaction: "interaction"
    case .enrolment: "enrolment"
    case .fault(let fault): "error:\(fault.word)"
    case .lockedOut: "locked-out"
    case .occupied: "occupied"
    case .notSupported: "not-supported"
    case .dropped: "dropped"
    case .done: "done"
    }
  }
}

/// Identifies a touch that waits for a prompt.
public struct TouchID: Hashable, Sendable {
  let number: UInt64
}

/// A touch that waits for a prompt.
struct AwaitedTouch {
  let id: TouchID
  /// The timer that ends the wait.
  let timer: UInt64
  let finger: Finger
  let body: (Result<SensorEffect, EngineError>) -> Void
}

extension Engine {
  /// Attaches the sensor described by the device's record.
  func attachSensor(to device: LiveDevice) {
    guard let stored = device.record.sensorSettings else { return }
    // Fall back to the settings of a new sensor if this version cannot parse the stored ones.
    let settings =
      (try? SensorSettings(stored: stored, profiles: sensorProfiles))
      ?? SensorSettings(profiles: sensorProfiles)
    // Unowned because the device owns the sensor, which is reached only through it.
    let driver = SensorDriver(
      settings: settings,
      enrolment: device.record.enrolment,
      seed: random.next(),
      timers: device.timers
    ) { [clock, unowned device] in device.now(clock.now()) }
    driver.onInterruption = { [weak self, weak device] interruption in
      guard let self, let device else { return }
      interrupted(interruption, on: device)
    }
    device.sensor = driver
  }

  /// Makes something happen at the sensor; `body` receives the effect, once.
  ///
  /// If `isScripted`, a stopped clock advances by the time this takes.
  func present(
    _ presentation: Presentation,
    on device: LiveDevice,
    isScripted: Bool,
    then body: @escaping (Result<SensorEffect, EngineError>) -> Void
  ) {
    guard let driver = device.sensor else { return body(.failure(.noSimulatedSensor)) }
    let session = armedSession(on: device)
    let response = driver.present(presentation)
    // What a model drew for the touch is durable before its effect is reported.
    if driver.sensor.settings.model != nil { storeSettings(of: device, driver) }
    switch response {
    case .ignored(.notArmed): body(.failure(.notArmed))
    case .ignored(.occupied): body(.success(.occupied))
    case .ignored(.notSupported): body(.success(.notSupported))
    case .lockedOut(let retryAfter):
      session?.sensorLocked(retryAfter: retryAfter)
      body(.success(.lockedOut))
    case .sampling(let sample, let delay):
      after(delay, on: device, isScripted: isScripted) { [self] in
        sampled(sample, on: device, body)
      }
    }
  }

  /// Calls `body` when `delay` has passed on the device's clock, or at once if it is zero.
  func after(
    _ delay: Duration,
    on device: LiveDevice,
    isScripted: Bool,
    _ body: @escaping () -> Void
  ) {
    guard delay > .zero else { return body() }
    _ = device.timers.add(at: device.now(clock.now()).boot + delay, body)
    if isScripted, device.clock.isStopped { advance(device, by: delay) }
  }

  private func sampled(
    _ sample: Sample,
    on device: LiveDevice,
    _ body: @escaping (Result<SensorEffect, EngineError>) -> Void
  ) {
    guard let driver = device.sensor else { return body(.success(.dropped)) }
    let session = armedSession(on: device)
    switch driver.sampled(sample) {
    case .captured(let capture, _):
      guard let session, session.captured(capture, then: { body(.success($0)) }) else {
        driver.discard(capture)
        return body(.success(.dropped))
      }
    case .retry(let acquisition, _):
      whenTouchIsStored(by: driver, of: device) { isDurable in
        guard isDurable else {
          session?.end(device.machine.unwritable)
          return body(.success(.dropped))
        }
        session?.retry(acquisition)
        body(.success(.retry(acquisition)))
      }
    case .interaction:
      session?.noticed()
      body(.success(.interaction))
    case .enrolment(let step):
      enrolled(step, on: device)
      body(.success(.enrolment))
    case .fault(let fault):
      session?.faulted(fault)
      body(.success(.fault(fault)))
    case .stale: body(.success(.dropped))
    }
  }

  /// Calls `body` once the touches drawn by a model are durable; judged touches become durable with
  /// their charge.
  private func whenTouchIsStored(
    by driver: SensorDriver,
    of device: LiveDevice,
    _ body: @escaping (_ isDurable: Bool) -> Void
  ) {
    guard driver.sensor.settings.model != nil else { return body(true) }
    runner.storeDevice(device, .ordinary, then: body)
  }

  /// Performs the oldest waiting touch, because a prompt now waits for a finger.
  func fingerIsAwaited(on device: LiveDevice) {
    guard !device.awaitedTouches.isEmpty else { return }
    let touch = device.awaitedTouches.removeFirst()
    device.timers.cancel(touch.timer)
    present(.touch(.finger(touch.finger)), on: device, isScripted: false, then: touch.body)
  }

  private func interrupted(_ interruption: SimulatedSensor.Interruption, on device: LiveDevice) {
    switch interruption {
    case .none: break
    case .fault(.evaluation(let id), let fault):
      if let session = armedSession(on: device), session.id == id { session.faulted(fault) }
    case .fault(.enrolment, let fault): enrolled(.failed(fault), on: device)
    case .lockedOut(.evaluation(let id), let retryAfter):
      if let session = armedSession(on: device), session.id == id {
        session.sensorLocked(retryAfter: retryAfter)
      }
    case .lockedOut(.enrolment, _): enrolled(.failed(.unavailable), on: device)
    }
  }
}
