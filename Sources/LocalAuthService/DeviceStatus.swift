public import LocalAuthCore
public import LocalAuthKeychain

/// The current state of a device, for display.
public struct DeviceStatus: Sendable {
  /// The device's durable record.
  public var record: DeviceRecord
  /// Whether it has a sensor of its own, which is simulated, or a reader outside of LocalAuth.
  public var sensor: Sensor
  /// Whether it is locked.
  public var lockState: LockState
  /// Whether it can keep items.
  public var keychain: Keychain
  /// Whether a finger can be used.
  public var biometry: BiometryCondition
  /// Whether the passcode can be used.
  public var passcode: PasscodeCondition
  /// Why a passcode that could be used cannot be judged, or nil.
  public var passcodeObstacle: Outcome?
  /// Misses left before the lock, or nil without a lock.
  public var attemptsLeft: UInt32?
  /// Wrong passcodes counted against the caller.
  public var wrongPasscodes: UInt32
  /// Wrong passcodes left before the lock, even while a delay applies, or nil without a lock.
  public var passcodesLeft: UInt32?
  /// A token that changes with the enrolled set, or nil without fingers.
  public var domainState: [UInt8]?
  /// Whether a prompt is showing.
  public var isPrompting: Bool
  /// The number of evaluations waiting for the prompt.
  public var waiting: Int

  /// The sensor of a device.
  public enum Sensor: String, Sendable {
    case none
    case simulated
    case reader
  }

  /// Whether a device can keep items.
  public enum Keychain: String, Sendable {
    /// No keybag was made yet: PAM judges the passcode, and it has not been set here.
    case none
    case ready
    /// The keybag cannot be read, so nothing opens.
    case damaged
  }
}

extension Engine {
  /// The caller's devices, sorted by name; the user's own machine is always among them.
  public func statuses(of caller: Caller) -> [DeviceStatus] {
    _ = try? device(named: nil, of: caller)
    return devices(of: caller).map { status($0, for: caller) }
  }

  /// One device of the caller.
  public func status(of name: String?, caller: Caller) throws(EngineError) -> DeviceStatus {
    status(try device(named: name, of: caller), for: caller)
  }

  /// What keeps the passcode of `device` from being judged at all; nil if nothing is known.
  func passcodeObstacle(of device: LiveDevice) -> Outcome? {
    guard case .pam(let service, let directory) = device.record.passcode else { return nil }
    return runner.pam.obstacle(service: service, directory: directory)
  }

  private func status(_ device: LiveDevice, for caller: Caller) -> DeviceStatus {
    let machine = device.current(clock.now())
    let now = device.now(clock.now())
    let anyFinger = Policy(name: "", requirement: .biometry(.any), minimumStrength: .convenience)
    let conditions = machine.conditions(for: anyFinger, from: caller.origin, at: now)
    return DeviceStatus(
      record: device.record,
      sensor: device.sensor != nil ? .simulated : device.reader != nil ? .reader : .none,
      lockState: device.lockState(at: now.boot),
      keychain: device.sealedKeybag == nil ? .none : device.opensKeybag ? .ready : .damaged,
      biometry: conditions.biometry,
      passcode: conditions.passcode,
      passcodeObstacle: passcodeObstacle(of: device),
      attemptsLeft: machine.attemptsLeft(from: caller.origin, at: now),
      wrongPasscodes: machine.wrongPasscodes(from: caller.origin, at: now),
      passcodesLeft: machine.passcodesLeft(from: caller.origin, at: now),
      domainState: domainState(of: device),
      isPrompting: machine.promptHolder != nil,
      waiting: machine.waitingCount
    )
  }
}
