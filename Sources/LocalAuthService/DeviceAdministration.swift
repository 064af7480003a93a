public import LocalAuthCore
import LocalAuthPolicies
public import LocalAuthSecret
import LocalAuthSensor

/// What a new device is made of.
public struct DeviceDescription {
  /// Its name.
  public var name: String
  /// Whether it has a simulated sensor.
  public var hasSensor: Bool
  /// The fingers that are enrolled from the start.
  public var fingers: [Finger]
  /// Its own passcode.
  public var passcode: SecretBox?
  /// The PAM service that judges its passcode instead, and where that is described.
  public var pam: (service: String, directory: String?)?
  /// The lockout profile, or nil for the default.
  public var lockout: String?
  /// The passcode delay table, or nil for the default.
  public var passcodeDelays: String?
  /// Whether its clock stands still unless it is advanced.
  public var hasStoppedClock: Bool

  /// A device with a simulated sensor and nothing else.
  public init(name: String) {
    self.name = name
    hasSensor = true
    fingers = []
    passcode = nil
    pam = nil
    lockout = nil
    passcodeDelays = nil
    hasStoppedClock = false
  }
}

extension Engine {
  /// Hears how an administrative act ended.
  public typealias Completion = (Result<Void, EngineError>) -> Void

  /// The longest passcode, in bytes; what PAM takes.
  public static let passcodeLengthMax = 511

  // MARK: Making and ending devices

  /// Makes a simulated device that is ready to use and unlocked.
  public func create(
    _ description: DeviceDescription,
    caller: Caller,
    then body: @escaping Completion
  ) {
    do throws(EngineError) {
      let record = try record(for: description, owner: caller.uid)
      guard let passcode = description.passcode else {
        return install(record, description, caller, body)
      }
      try checkPasscode(passcode)
      interpreter.makeVerifier(for: passcode, of: record.identity) { [self] made in
        guard let made else { return body(.failure(.internalError("No verifier was made."))) }
        var record = record
        record.passcode = .device(verifier: made)
        install(record, description, caller, body)
      }
    } catch {
      body(.failure(error))
    }
  }

  /// Forgets a device and all that hangs on it.
  public func delete(
    _ name: String,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      guard device.record.isSimulated else {
        throw .notPermitted("The user's own machine cannot be deleted.")
      }
      authorize("device delete", on: device, passcode: passcode, caller: caller) { [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act): remove(act, body)
        }
      }
    }
  }

  /// Forgets fingers, passcode and counters, as a factory reset does; it needs no passcode because
  /// nothing that the passcode protected survives it.
  ///
  /// PAM's passcode survives, and so do the attempts that were charged against it.
  public func erase(_ name: String?, caller: Caller, then body: @escaping Completion) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      cancelAll(on: device)
      adopt(EnrolmentSet(generation: device.record.enrolment.generation + 1), on: device)
      switch device.record.passcode {
      case .none, .device:
        device.record.passcode = .none
        device.record.throttle = Tally()
        device.record.lockout = Tally()
        device.isDistrusted = false
      case .pam: break
      }
      device.lockState = LockState(hasPasscode: device.record.passcode != .none)
      complete(act("device erase", on: device, caller: caller), then: body)
    }
  }

  // MARK: Lock state

  /// Locks the device; what runs on it is cancelled.
  public func lock(_ name: String?, caller: Caller, then body: @escaping Completion) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      guard device.record.passcode != .none else {
        throw .refused(Outcome(.passcodeNotSet, detail: "There is nothing to lock it with."))
      }
      cancelAll(on: device)
      _ = device.lockState.lock()
      device.fingerUnlock = nil
      complete(act("lock", on: device, caller: caller), then: body)
    }
  }

  /// Unlocks with the passcode.
  public func unlock(
    _ name: String?,
    passcode: SecretBox,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      authorize("unlock", on: device, passcode: passcode, caller: caller) { [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act):
          _ = device.lockState.unlock(with: .passcode)
          complete(act, then: body)
        }
      }
    }
  }

  /// Unlocks with a finger, which works only after a first unlock with the passcode.
  public func unlockWithFinger(
    _ request: EvaluationRequest,
    caller: Caller,
    onEvent: @escaping (SessionEvent) -> Void
  ) throws(EngineError) -> EvaluationID {
    let device = try device(named: request.device, of: caller)
    guard device.lockState.position != .beforeFirstUnlock else {
      throw .refused(
        Outcome(.biometryLockout, detail: "The first unlock after a start takes the passcode.")
      )
    }
    return try evaluate(request, caller: caller, onEvent: onEvent)
  }

  /// Restarts a simulated device. No counter is cleared by it.
  public func reboot(_ name: String?, caller: Caller, then body: @escaping Completion) {
    onSimulated(name, of: caller, body) { [self] device in
      cancelAll(on: device)
      device.reboot()
      _ = device.noteBoot(at: device.now(clock.now()))
      complete(act("device reboot", on: device, caller: caller), then: body)
    }
  }

  /// Moves a simulated device's clock forward; whatever falls due by it happens.
  public func advanceClock(
    _ name: String?,
    by duration: Duration,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onSimulated(name, of: caller, body) { [self] device throws(EngineError) in
      guard duration >= .zero, duration <= .seconds(10 * 365 * 86_400) else {
        throw .invalidArgument("A clock moves forward by at most ten years.")
      }
      advance(device, by: duration)
      complete(act("clock advance", on: device, caller: caller), then: body)
    }
  }

  func advance(_ device: Device, by duration: Duration) {
    device.advanceClock(by: duration)
    device.timers.fire(at: device.now(clock.now()).boot)
  }

  // MARK: Passcode and lockout

  /// Sets a device's own passcode, or changes it.
  public func setPasscode(
    _ new: SecretBox,
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      try checkOwnPasscode(device)
      try checkPasscode(new)
      let verb = device.record.passcode == .none ? "passcode set" : "passcode change"
      authorize(verb, on: device, passcode: passcode, caller: caller) { [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act): replacePasscode(new, act, body)
        }
      }
    }
  }

  /// Removes a device's own passcode.
  public func removePasscode(
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      try checkOwnPasscode(device)
      guard device.record.passcode != .none else { throw .refused(Outcome(.passcodeNotSet)) }
      authorize("passcode remove", on: device, passcode: passcode, caller: caller) {
        [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act):
          device.record.passcode = .none
          device.lockState = LockState(hasPasscode: false)
          complete(act, then: body)
          armedSession(on: device)?.deviceChanged()
        }
      }
    }
  }

  /// Chooses another lockout profile or passcode delay table. Counters stay.
  public func setLockout(
    _ lockout: String?,
    delays: String?,
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      let profile = try profile(lockout ?? device.record.lockoutProfile)
      let table = try passcodeDelays(delays ?? device.record.passcodeDelays)
      authorize("lockout set", on: device, passcode: passcode, caller: caller) { [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act):
          device.profile = profile
          device.delays = table
          device.record.lockoutProfile = profile.name
          device.record.passcodeDelays = table.name
          complete(act, then: body)
          armedSession(on: device)?.deviceChanged()
        }
      }
    }
  }

  // MARK: Steps

  /// Runs `body` on the named device and reports what it throws.
  func onDevice(
    _ name: String?,
    of caller: Caller,
    _ completion: Completion,
    _ body: (Device) throws(EngineError) -> Void
  ) {
    do throws(EngineError) {
      try body(try device(named: name, of: caller))
    } catch {
      completion(.failure(error))
    }
  }

  private func onSimulated(
    _ name: String?,
    of caller: Caller,
    _ completion: Completion,
    _ body: (Device) throws(EngineError) -> Void
  ) {
    onDevice(name, of: caller, completion) { device throws(EngineError) in
      guard device.record.isSimulated else {
        throw .notPermitted("Only a simulated device can be told to do that.")
      }
      try body(device)
    }
  }

  private func record(
    for description: DeviceDescription,
    owner: UInt32
  ) throws(EngineError) -> DeviceRecord {
    let identity = DeviceIdentity(owner: owner, name: description.name)
    guard DeviceIdentity.isValid(name: description.name) else {
      throw .invalidArgument(
        "A device's name has 1 to 64 letters, digits, '-', '_' or '.', a letter or digit first."
      )
    }
    guard devices[identity] == nil, description.name != DeviceIdentity.defaultName else {
      throw .deviceExists(description.name)
    }
    guard devices.keys.count(where: { $0.owner == owner }) < options.devicesMax else {
      throw .limitReached("A user has at most \(options.devicesMax) devices.")
    }
    guard description.passcode == nil || description.pam == nil else {
      throw .invalidArgument("A device has a passcode of its own or PAM's, not both.")
    }
    guard !description.hasStoppedClock || options.isEphemeral else {
      throw .notPermitted("Only an ephemeral device's clock can stand still.")
    }
    var record = DeviceRecord(identity: identity, isSimulated: true)
    record.lockoutProfile = try profile(description.lockout ?? record.lockoutProfile).name
    record.passcodeDelays = try passcodeDelays(description.passcodeDelays ?? record.passcodeDelays)
      .name
    record.sensorSettings = description.hasSensor ? [:] : nil
    if let pam = description.pam {
      record.passcode = .pam(service: pam.service, directory: pam.directory)
    }
    record.enrolment = try enrolment(of: description)
    return record
  }

  private func enrolment(of description: DeviceDescription) throws(EngineError) -> EnrolmentSet {
    let fingers = description.fingers
    guard fingers.isEmpty || description.hasSensor else { throw .noSimulatedSensor }
    guard Set(fingers).count == fingers.count else {
      throw .invalidArgument("A finger is named twice.")
    }
    let most = SensorDriver.enrollmentsMaxByDefault
    guard fingers.count <= most else {
      throw .limitReached("A new sensor has room for \(most) fingers.")
    }
    return EnrolmentSet(fingers: fingers, generation: UInt64(fingers.count))
  }

  private func install(
    _ record: DeviceRecord,
    _ description: DeviceDescription,
    _ caller: Caller,
    _ body: @escaping Completion
  ) {
    // A verifier was made meanwhile; somebody else may have taken the name.
    guard devices[record.identity] == nil else {
      return body(.failure(.deviceExists(record.identity.name)))
    }
    let stopped = description.hasStoppedClock ? clock.now() : nil
    guard let device = adopt(record, isDistrusted: false, stoppedAt: stopped) else {
      return body(.failure(.internalError("The device's lockout profile cannot be loaded.")))
    }
    if description.passcode != nil {
      device.passcodeProven(at: device.now(clock.now()))
      _ = device.lockState.unlock(with: .passcode)
    }
    complete(act("device create", on: device, caller: caller)) { [self] result in
      if case .failure = result { devices[record.identity] = nil }
      body(result)
    }
  }

  private func remove(_ act: Act, _ body: @escaping Completion) {
    cancelAll(on: act.device)
    var line = act.audit
    close(&line, .success, on: act.device)
    let identity = act.device.identity
    interpreter.commit([.deviceRemoved(identity), .audit(line)], .guarded) { [self] result in
      switch result {
      case .failure: body(.failure(.internalError("The state cannot be written.")))
      case .success:
        devices[identity] = nil
        awaitedTouches[identity] = nil
        body(.success(()))
      }
    }
  }

  private func replacePasscode(_ new: SecretBox, _ act: Act, _ body: @escaping Completion) {
    interpreter.makeVerifier(for: new, of: act.device.identity) { [self] made in
      guard let made else { return body(.failure(.internalError("No verifier was made."))) }
      let device = act.device
      device.record.passcode = .device(verifier: made)
      device.passcodeProven(at: device.now(clock.now()))
      _ = device.lockState.unlock(with: .passcode)
      complete(act, then: body)
      armedSession(on: device)?.deviceChanged()
    }
  }

  private func checkOwnPasscode(_ device: Device) throws(EngineError) {
    if case .pam = device.record.passcode {
      throw .notPermitted("PAM keeps this device's passcode; change it with passwd(1).")
    }
  }

  private func checkPasscode(_ passcode: SecretBox) throws(EngineError) {
    guard (1...Self.passcodeLengthMax).contains(passcode.count) else {
      throw .invalidArgument("A passcode has 1 to \(Self.passcodeLengthMax) bytes.")
    }
  }

  func profile(_ name: String) throws(EngineError) -> LockoutProfile {
    switch catalog.lockoutProfile(named: name) {
    case .success(let profile): return profile
    case .failure(let error): throw .invalidArgument("\(error)")
    }
  }

  func passcodeDelays(_ name: String) throws(EngineError) -> PasscodeDelays {
    switch catalog.passcodeDelays(named: name) {
    case .success(let delays): return delays
    case .failure(let error): throw .invalidArgument("\(error)")
    }
  }
}
