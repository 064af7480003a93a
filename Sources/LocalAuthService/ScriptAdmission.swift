import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor

extension LiveDevice {
  /// Whether a script waits for the next evaluation.
  var hasScript: Bool { scripts.plannedCount != 0 }
}

extension EvaluationRequest {
  /// The request of a caller without a user interface, changed so that the script waiting on
  /// `device` answers it and no agent is asked; nil if no script waits.
  func answeredByScript(on device: LiveDevice) -> EvaluationRequest? {
    guard asksAgent, isInteractive, device.hasScript else { return nil }
    var request = self
    request.asksAgent = false
    request.hasPerson = false
    return request
  }
}

extension Engine {
  /// The script that plays for a request: its own, or else the next one queued on the device.
  func player(
    for request: EvaluationRequest,
    on device: LiveDevice
  ) throws(EngineError) -> ScriptPlayer? {
    if let source = request.script {
      let loaded = try LoadedScript(source)
      try check(loaded, source.isArgument, on: device)
      return ScriptPlayer(loaded)
    }
    guard request.isInteractive, let loaded = device.scripts.next() else { return nil }
    return ScriptPlayer(loaded)
  }

  /// Applies a sensor event other than a touch.
  func changeSensor(of device: LiveDevice, _ event: ScriptEvent) {
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
      // The parser and `checkSettings` accepted only values that the setting allows.
      try? driver.set(key.rawValue, value)
    case .present, .sleep, .cancel, .fallback, .passcode, .answer, .insert, .remove, .list: break
    }
    storeSettings(of: device, driver)
    deviceChanged(device)
  }

  /// Checks the settings a script makes; only the engine, and not the parser, knows the sensor
  /// profiles.
  func checkSettings(in events: [ScriptEvent], on driver: SensorDriver) throws(EngineError) {
    var settings = driver.sensor.settings
    for case .set(let key, let value) in events {
      do throws(SettingError) {
        try settings.set(key, value)
      } catch {
        throw refusal(error) ?? .scriptInvalid("\(error)")
      }
    }
  }

  /// Why the sensor profile named in `error` cannot be loaded; nil if there is no such profile.
  func refusal(_ error: SettingError) -> EngineError? {
    guard case .unknownProfile(let name, _) = error,
      catalog.origin(of: name, kind: .sensor) != nil,
      case .failure(let problem) = catalog.sensorProfile(named: name)
    else { return nil }
    return .policyUnusable(policy: name, message: "\(problem)")
  }

  /// Throws if a script may not run on this device.
  ///
  /// Its sensor events need a simulated sensor, and a passcode on a command line must be a
  /// simulated device's own.
  func check(
    _ loaded: LoadedScript,
    _ isArgument: Bool,
    on device: LiveDevice
  ) throws(EngineError) {
    let script = loaded.script
    guard !script.drivesSensor || device.record.isSimulated && device.sensor != nil else {
      throw .notPermitted("Sensor events need a device with a simulated sensor; name it.")
    }
    guard !script.events.contains(where: \.changesEnrolment) || device.record.passcode == .none
    else { throw .notPermitted("A script cannot enrol or remove fingers while a passcode is set.") }
    if let driver = device.sensor { try checkSettings(in: script.events, on: driver) }
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
}
