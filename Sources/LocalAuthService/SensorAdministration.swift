public import LocalAuthCore
public import LocalAuthSecret
import LocalAuthSensor

/// What an enrolment tells its caller while it runs.
public enum EnrollmentEvent: Hashable, Sendable {
  /// So many stages of so many are passed.
  case passed(Int, of: Int)
  /// The stage is tried again; what the person should do.
  case again(feedback: String)
}

/// An enrolment under way.
final class EnrollmentRun {
  let act: Act
  let finger: Finger
  let isManual: Bool
  let onEvent: (EnrollmentEvent) -> Void
  let completion: Engine.Completion
  /// Samples so far, so that a sensor that is never content does not hold the engine for ever.
  var samples = 0

  init(
    act: Act,
    finger: Finger,
    isManual: Bool,
    onEvent: @escaping (EnrollmentEvent) -> Void,
    completion: @escaping Engine.Completion
  ) {
    self.act = act
    self.finger = finger
    self.isManual = isManual
    self.onEvent = onEvent
    self.completion = completion
  }
}

extension Engine {
  /// Samples that an automatic enrolment takes at most.
  private static let enrollmentSamplesMax = 256

  // MARK: Fingers

  /// Enrols a finger. An automatic enrolment passes all stages by itself, a manual one waits for a
  /// ``present(event:on:caller:then:)`` a stage.
  public func enroll(
    _ finger: Finger,
    on name: String?,
    isManual: Bool,
    passcode: SecretBox?,
    caller: Caller,
    onEvent: @escaping (EnrollmentEvent) -> Void,
    then body: @escaping Completion
  ) {
    onSensor(name, of: caller, body) { [self] device, _ throws(EngineError) in
      guard device.arbiter.armed == nil, enrollments[device.identity] == nil else {
        throw .refused(Outcome(.busy, detail: "The sensor is in use."))
      }
      authorize("enroll \(finger.rawValue)", on: device, passcode: passcode, caller: caller) {
        [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act):
          begin(
            EnrollmentRun(
              act: act,
              finger: finger,
              isManual: isManual,
              onEvent: onEvent,
              completion: body
            )
          )
        }
      }
    }
  }

  /// Breaks an enrolment off; nothing is stored.
  public func cancelEnrollment(on name: String?, caller: Caller) {
    guard let device = try? device(named: name, of: caller),
      let run = enrollments.removeValue(forKey: device.identity)
    else { return }
    _ = device.sensor?.update { $0.cancelEnrolment() }
    run.completion(
      .failure(.enrollmentFailed(code: "interrupted", message: "The enrolment was interrupted."))
    )
  }

  /// Removes a finger, or all of them when `finger` is nil.
  public func remove(
    _ finger: Finger?,
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onSensor(name, of: caller, body) { [self] device, driver throws(EngineError) in
      guard finger.map({ device.record.enrolment.fingers.contains($0) }) ?? true else {
        throw .invalidArgument("That finger is not enrolled.")
      }
      let verb = "remove \(finger?.rawValue ?? "all fingers")"
      authorize(verb, on: device, passcode: passcode, caller: caller) { [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act):
          let set = finger.map { driver.sensor.removing($0) } ?? driver.sensor.removingAll()
          if let set { adopt(set, on: device) }
          complete(act, then: body)
          armedSession(on: device)?.deviceChanged()
        }
      }
    }
  }

  /// The enrolled set, and how many fingers there is room for.
  public func enrolment(
    on name: String?,
    caller: Caller
  ) throws(EngineError) -> (set: EnrolmentSet, maximum: Int) {
    let device = try device(named: name, of: caller)
    return (device.record.enrolment, device.sensor?.sensor.settings.maximumEnrolments ?? 0)
  }

  // MARK: Driving the sensor

  /// Lays a finger on the sensor, at once or when a prompt waits for one.
  ///
  /// A touch that waits has a token, to call it off with ``cancelTouch(_:on:caller:)``.
  @discardableResult
  public func touch(
    _ finger: Finger,
    on name: String?,
    waitingFor limit: Duration?,
    caller: Caller,
    then body: @escaping (Result<SensorEffect, EngineError>) -> Void
  ) -> UInt64? {
    var token: UInt64?
    let failed: Completion = { result in
      if case .failure(let error) = result { body(.failure(error)) }
    }
    onSensor(name, of: caller, failed) { [self] device, _ throws(EngineError) in
      if let limit, armedSession(on: device)?.isWaitingForFinger != true {
        token = lay(finger, on: device, within: limit, body)
        return
      }
      present(.touch(.finger(finger)), on: device, isScripted: false, then: body)
    }
    return token
  }

  /// Calls off a touch that waits for a prompt: whoever wanted it is gone.
  public func cancelTouch(_ token: UInt64, on name: String?, caller: Caller) {
    guard let device = try? device(named: name, of: caller) else { return }
    device.timers.cancel(token)
    awaitedTouches[device.identity]?.removeAll { $0.token == token }
  }

  /// Lets one event of the script grammar happen now.
  public func present(
    event source: ScriptSource,
    on name: String?,
    caller: Caller,
    then body: @escaping (Result<SensorEffect, EngineError>) -> Void
  ) {
    let failed: Completion = { result in
      if case .failure(let error) = result { body(.failure(error)) }
    }
    onSensor(name, of: caller, failed) { [self] device, _ throws(EngineError) in
      let events = try LoadedScript(source).script.events
      guard events.count == 1, let event = events.first else {
        throw .scriptInvalid("Give one event; 'sensor script' takes several.")
      }
      guard event.drivesSensor, !event.changesEnrolment else {
        throw .scriptInvalid("That event is no event of the sensor.")
      }
      guard case .present(let presentation) = event else {
        changeSensor(of: device, event)
        return complete(act("sensor present", on: device, caller: caller)) { result in
          body(result.map { .done })
        }
      }
      present(presentation, on: device, isScripted: true, then: body)
    }
  }

  /// Queues a script for the next evaluations: so many of them, or all when `times` is 0.
  public func queueScript(
    _ source: ScriptSource,
    times: Int,
    on name: String?,
    caller: Caller
  ) throws(EngineError) -> Int {
    let device = try device(named: name, of: caller)
    guard device.sensor != nil else { throw .noSimulatedSensor }
    let loaded = try LoadedScript(source)
    try check(loaded, source.isArgument, on: device)
    do throws(ScriptQueue<LoadedScript>.Refusal) {
      try device.scripts.enqueue(loaded, times == 0 ? .always : .times(times))
    } catch {
      throw .limitReached("\(error)")
    }
    return loaded.script.events.count
  }

  /// Changes a setting of the sensor.
  public func set(
    _ key: String,
    _ value: String,
    on name: String?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onSensor(name, of: caller, body) { [self] device, driver throws(EngineError) in
      do throws(SettingError) {
        try driver.set(key, value)
      } catch {
        throw .invalidArgument("\(error)")
      }
      storeSettings(of: device, driver)
      complete(act("sensor set", on: device, caller: caller), detail: key, then: body)
      armedSession(on: device)?.deviceChanged()
    }
  }

  /// Gives the sensor the settings of a new one, and forgets queued scripts.
  public func resetSensor(
    on name: String?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onSensor(name, of: caller, body) { [self] device, driver throws(EngineError) in
      driver.update { $0.reset() }
      device.scripts.removeAll()
      storeSettings(of: device, driver)
      complete(act("sensor reset", on: device, caller: caller), then: body)
      armedSession(on: device)?.deviceChanged()
    }
  }

  /// Everything there is to see of the sensor.
  public func dumpSensor(
    on name: String?,
    caller: Caller
  ) throws(EngineError) -> [(key: String, value: String)] {
    let device = try device(named: name, of: caller)
    guard let driver = device.sensor else { throw .noSimulatedSensor }
    return driver.sensor.dump(at: device.now(clock.now()))
  }

  // MARK: Scripts

  /// The script that plays for a request: its own, or the one that was queued.
  func player(
    for request: EvaluationRequest,
    on device: Device
  ) throws(EngineError) -> ScriptPlayer? {
    if let source = request.script {
      let loaded = try LoadedScript(source)
      try check(loaded, source.isArgument, on: device)
      return ScriptPlayer(loaded)
    }
    guard request.isInteractive, let loaded = device.scripts.next() else { return nil }
    return ScriptPlayer(loaded)
  }

  /// Applies an event that changes the sensor and is not a touch.
  func changeSensor(of device: Device, _ event: ScriptEvent) {
    guard let driver = device.sensor else { return }
    switch event {
    case .unplug: driver.change { $0.unplug() }
    case .plug: driver.update { $0.plug() }
    case .busy: driver.change { $0.setBusy(true) }
    case .free: driver.change { $0.setBusy(false) }
    case .fingerDown: driver.update { $0.fingerDown() }
    case .fingerUp: driver.update { $0.fingerUp() }
    case .lockout(let isTimed):
      let now = device.now(clock.now())
      driver.change { isTimed ? $0.lockTimed(at: now) : $0.lock() }
    case .set(let key, let value):
      // The parser took only values that the setting allows.
      try? driver.set(key.rawValue, value)
    case .present, .sleep, .cancel, .fallback, .passcode, .answer, .insert, .remove, .list: break
    }
    storeSettings(of: device, driver)
    armedSession(on: device)?.deviceChanged()
  }

  /// What a script may hold depends on the device: its events drive only a simulated sensor, and a
  /// passcode on a command line is nobody's but that device's own.
  private func check(
    _ loaded: LoadedScript,
    _ isArgument: Bool,
    on device: Device
  ) throws(EngineError) {
    let script = loaded.script
    guard !script.drivesSensor || device.record.isSimulated && device.sensor != nil else {
      throw .notPermitted("Sensor events need a device with a simulated sensor; name it.")
    }
    guard !script.events.contains(where: \.changesEnrolment) || device.record.passcode == .none
    else { throw .notPermitted("A script cannot enrol or remove fingers while a passcode is set.") }
    guard script.holdsPasscode, isArgument else { return }
    if case .pam = device.record.passcode {
      throw .notPermitted(
        "An account's password does not belong on a command line; use @FILE, - or --passcode-fd."
      )
    }
    guard device.record.isSimulated else {
      throw .notPermitted("A passcode on the command line needs a simulated device.")
    }
  }

  // MARK: Steps

  private func onSensor(
    _ name: String?,
    of caller: Caller,
    _ completion: Completion,
    _ body: (Device, SensorDriver) throws(EngineError) -> Void
  ) {
    onDevice(name, of: caller, completion) { device throws(EngineError) in
      guard let driver = device.sensor else { throw .noSimulatedSensor }
      try body(device, driver)
    }
  }

  private func lay(
    _ finger: Finger,
    on device: Device,
    within limit: Duration,
    _ body: @escaping (Result<SensorEffect, EngineError>) -> Void
  ) -> UInt64? {
    let identity = device.identity
    guard awaitedTouches[identity, default: []].count < options.queue.waiting else {
      body(.failure(.limitReached("Too many touches wait already.")))
      return nil
    }
    var token: UInt64 = 0
    token = device.timers.add(at: device.now(clock.now()).boot + limit) { [unowned self] in
      awaitedTouches[identity]?.removeAll { $0.token == token }
      body(.failure(.notArmed))
    }
    awaitedTouches[identity, default: []].append(
      AwaitedTouch(token: token, finger: finger, body: body)
    )
    return token
  }

  private func begin(_ run: EnrollmentRun) {
    let device = run.act.device
    let now = device.now(clock.now())
    switch device.sensor?.update({ $0.beginEnrolment(of: run.finger, at: now) }) {
    case .ready:
      enrollments[device.identity] = run
      continueEnrollment(run)
    case .refused(let fault): fail(run, fault)
    case .lockedOut, .none: fail(run, .unavailable)
    }
  }

  private func continueEnrollment(_ run: EnrollmentRun) {
    let device = run.act.device
    guard !run.isManual, enrollments[device.identity] === run else { return }
    run.samples += 1
    guard run.samples <= Self.enrollmentSamplesMax else {
      _ = device.sensor?.update { $0.cancelEnrolment() }
      return enrolled(.failed(.general), on: device)
    }
    present(.match, on: device, isScripted: true) { _ in }
  }

  /// The sensor says how an enrolment goes on.
  func enrolled(_ step: EnrolmentStep, on device: Device) {
    guard let run = enrollments[device.identity] else { return }
    switch step {
    case .passed(let passed, let stages):
      run.onEvent(.passed(passed, of: stages))
      continueEnrollment(run)
    case .again(_, let acquisition):
      run.onEvent(.again(feedback: acquisition.advice))
      continueEnrollment(run)
    case .completed(let set):
      enrollments[device.identity] = nil
      adopt(set, on: device)
      complete(run.act, then: run.completion)
    case .failed(let fault):
      enrollments[device.identity] = nil
      fail(run, fault)
    }
  }

  private func fail(_ run: EnrollmentRun, _ fault: SensorFault) {
    var line = run.act.audit
    line.detail = "sensor: \(fault.word)"
    close(&line, .sensorError, on: run.act.device)
    interpreter.commit([.audit(line)], .ordinary) { _ in
      run.completion(
        .failure(
          .enrollmentFailed(
            code: fault.word,
            message: "The enrolment failed (\(fault.word)); nothing was stored."
          )
        )
      )
    }
  }

  /// Makes `set` the enrolled one, for the record and for the sensor alike.
  func adopt(_ set: EnrolmentSet, on device: Device) {
    device.record.enrolment = set
    device.fingerUnlock = nil
    _ = device.sensor?.update { $0.adopt(set) }
  }

  private func storeSettings(of device: Device, _ driver: SensorDriver) {
    device.record.sensorSettings = driver.sensor.settings.changed
  }
}
