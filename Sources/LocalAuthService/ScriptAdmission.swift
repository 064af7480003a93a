import LocalAuthCore
import LocalAuthSensor

extension Engine {
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
  func check(
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
}
