public import LocalAuthCore
import LocalAuthPolicies
public import LocalAuthSecret
import LocalAuthSensor

/// The description of a device to create.
public struct DeviceDescription {
  /// Its name.
  public var name: String
  /// Whether it has a simulated sensor.
  public var hasSensor: Bool
  /// The fingers enrolled from the start.
  public var fingers: [Finger]
  /// The device's own passcode.
  public var passcode: SecretBox?
  /// The PAM service that judges the passcode instead, and the directory it is read from.
  public var pam: (service: String, directory: String?)?
  /// The lockout profile, or nil for the default.
  public var lockout: String?
  /// The passcode delay table, or nil for the default.
  public var passcodeDelays: String?
  /// Whether its clock is stopped until it is advanced.
  public var hasStoppedClock: Bool

  /// A device with a simulated sensor and defaults for everything else.
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
  /// Creates a simulated device, unlocked and ready to use.
  public func create(
    _ description: DeviceDescription,
    caller: Caller,
    then body: @escaping Completion
  ) {
    do throws(EngineError) {
      let record = try record(for: description, owner: caller.owner)
      if let passcode = description.passcode { try checkPasscode(passcode) }
      install(record, description, caller, body)
    } catch {
      body(.failure(error))
    }
  }

  private func record(
    for description: DeviceDescription,
    owner: UInt32
  ) throws(EngineError) -> DeviceRecord {
    let identity = DeviceIdentity(owner: owner, name: description.name)
    guard DeviceIdentity.isValid(name: description.name) else {
      throw .invalidArgument(
        "A device's name has 1 to 64 of a to z, A to Z, 0 to 9, '-', '_' and '.', and no sign first."
      )
    }
    guard !identity.isReserved else {
      throw .invalidArgument(
        "Names that begin with '\(DeviceIdentity.reservedPrefix)' are reserved."
      )
    }
    guard devices[identity] == nil, description.name != DeviceIdentity.defaultName else {
      throw .deviceExists(description.name)
    }
    let owned = devices.keys.count { $0.owner == owner && !$0.isReserved }
    guard owned < options.devicesMax else {
      throw .limitReached("A user has at most \(options.devicesMax) devices.")
    }
    guard description.passcode == nil || description.pam == nil else {
      throw .invalidArgument("A device has a passcode of its own or PAM's, not both.")
    }
    // An account's password is counted by the account's own machine: a simulated device would be
    // another place to try it.
    if options.servesEverybody, description.pam != nil {
      throw .notPermitted(
        "A simulated device has a passcode of its own in the system's service, never an account's."
      )
    }
    guard !description.hasStoppedClock || options.isEphemeral else {
      throw .notPermitted("Only an ephemeral device's clock can stand still.")
    }
    var record = DeviceRecord(identity: identity, isSimulated: true)
    record.lockoutProfile = try profile(description.lockout ?? record.lockoutProfile).name
    let delays =
      description.pam == nil
      ? DeviceRecord.ownPasscodeDelays : DeviceRecord.accountPasscodeDelays
    record.passcodeDelays = try passcodeDelays(description.passcodeDelays ?? delays).name
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
    let most = SensorDriver.enrolmentsMaxByDefault
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
    let stopped = description.hasStoppedClock ? clock.now() : nil
    guard let device = adopt(record, isDistrusted: false, stoppedAt: stopped) else {
      return body(.failure(.internalError("The device's lockout profile cannot be loaded.")))
    }
    if orphanedKeybags.removeValue(forKey: record.identity) != nil {
      // The keybag that a lost device of this name left behind; none of the new device's keys opens
      // it.
      runner.remove(record.identity)
    }
    let act = act("device create", on: device, caller: caller)
    makeKeybag(act, passcode: description.passcode) { [self] result in
      if case .failure = result, devices[record.identity] === device { forget(device) }
      body(result)
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
