public import LocalAuthCore
import LocalAuthSensor

extension Engine {
  /// Puts a finger on the sensor, now or when a prompt waits for one.
  ///
  /// A waiting touch has an identifier; cancel it with ``cancelTouch(_:)``.
  @discardableResult
  public func touch(
    _ finger: Finger,
    on name: String?,
    waitingFor limit: Duration?,
    caller: Caller,
    then body: @escaping (Result<SensorEffect, EngineError>) -> Void
  ) -> TouchID? {
    var id: TouchID?
    let failed: Completion = { result in
      if case .failure(let error) = result { body(.failure(error)) }
    }
    onSensor(name, of: caller, failed) { [self] device, _ throws(EngineError) in
      if let limit, armedSession(on: device)?.isWaitingForFinger != true {
        id = lay(finger, on: device, within: limit, body)
        return
      }
      present(.touch(.finger(finger)), on: device, isScripted: false, then: body)
    }
    return id
  }

  /// Cancels a waiting touch whose caller is gone.
  public func cancelTouch(_ id: TouchID) {
    for device in devices.values {
      guard let index = device.awaitedTouches.firstIndex(where: { $0.id == id }) else { continue }
      device.timers.cancel(device.awaitedTouches.remove(at: index).timer)
    }
  }

  /// Performs one event of the script grammar now.
  public func present(
    event source: ScriptSource,
    on name: String?,
    caller: Caller,
    then body: @escaping (Result<SensorEffect, EngineError>) -> Void
  ) {
    let failed: Completion = { result in
      if case .failure(let error) = result { body(.failure(error)) }
    }
    onSensor(name, of: caller, failed) { [self] device, driver throws(EngineError) in
      let events = try LoadedScript(source).script.events
      guard events.count == 1, let event = events.first else {
        throw .scriptInvalid("Give one event; 'sensor script' takes several.")
      }
      guard event.drivesSensor, !event.changesEnrolment else {
        throw .scriptInvalid("That event is no event of the sensor.")
      }
      guard case .present(let presentation) = event else {
        try checkSettings(in: events, on: driver)
        changeSensor(of: device, event)
        return complete(act("sensor present", on: device, caller: caller)) { result in
          body(result.map { .done })
        }
      }
      present(presentation, on: device, isScripted: true, then: body)
    }
  }

  /// The most bytes that the queued scripts of one user may take: scripts wait as long as the daemon
  /// runs, and take from the memory of all users.
  private static let scriptBytesMax = 1024 * 1024

  /// Queues a script for the next `times` evaluations, or for all if `times` is 0.
  ///
  /// Returns the number of its events.
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
    let waiting = devices(of: caller).flatMap(\.scripts.scripts)
    guard waiting.reduce(loaded.byteCount, { $0 + $1.byteCount }) <= Self.scriptBytesMax else {
      throw .limitReached("The queued scripts of all devices are too long; reset a sensor first.")
    }
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
        throw refusal(error) ?? .invalidArgument("\(error)")
      }
      storeSettings(of: device, driver)
      complete(act("sensor set", on: device, caller: caller), detail: key, then: body)
      deviceChanged(device)
    }
  }

  /// Resets the sensor to the settings of a new one, and drops queued scripts.
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
      deviceChanged(device)
    }
  }

  /// The complete state of the sensor, for display.
  public func dumpSensor(
    on name: String?,
    caller: Caller
  ) throws(EngineError) -> [(key: String, value: String)] {
    let device = try device(named: name, of: caller)
    guard let driver = device.sensor else { throw .noSimulatedSensor }
    return driver.sensor.dump(at: device.now(clock.now()))
  }

  // MARK: Steps

  func onSensor(
    _ name: String?,
    of caller: Caller,
    _ completion: Completion,
    _ body: (LiveDevice, SensorDriver) throws(EngineError) -> Void
  ) {
    onDevice(name, of: caller, completion) { device throws(EngineError) in
      guard let driver = device.sensor else { throw .noSimulatedSensor }
      try body(device, driver)
    }
  }

  private func lay(
    _ finger: Finger,
    on device: LiveDevice,
    within limit: Duration,
    _ body: @escaping (Result<SensorEffect, EngineError>) -> Void
  ) -> TouchID? {
    guard device.awaitedTouches.count < options.queue.waiting else {
      body(.failure(.limitReached("Too many touches wait already.")))
      return nil
    }
    lastTouch += 1
    let id = TouchID(number: lastTouch)
    let timer = device.timers.add(at: device.now(clock.now()).boot + limit) { [weak device] in
      device?.awaitedTouches.removeAll { $0.id == id }
      body(.failure(.notArmed))
    }
    device.awaitedTouches.append(AwaitedTouch(id: id, timer: timer, finger: finger, body: body))
    return id
  }

  func storeSettings(of device: LiveDevice, _ driver: SensorDriver) {
    let changed = driver.sensor.settings.changed
    runner.meet(device) { machine, _ in machine.sensorSettings(changed) }
  }
}
