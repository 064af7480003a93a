/// The messages of `io.localauth.Devices`; the interface description documents the fields.
public enum DeviceMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Devices"

  /// The current state of a device.
  public struct Device: WireReply, Sendable {
    /// Its name.
    public var name: String = ""
    /// Whether it is simulated.
    public var simulated: Bool = false
    /// `none` or `simulated`.
    public var sensor: String = ""
    /// The enrolled fingers.
    public var fingers: [String] = []
    /// `none`, `device` or `pam`.
    public var passcode: String = ""
    /// The PAM service.
    public var pamService: String?
    /// `beforeFirstUnlock`, `unlocked` or `locked`.
    public var lockState: String = ""
    /// `none` before it has a keybag, `ready` or `damaged`.
    public var keychain: String = ""
    /// The lockout profile.
    public var lockout: String = ""
    /// The passcode delay table.
    public var passcodeDelays: String = ""
    /// `usable`, or the outcome of a touch.
    public var biometry: String = ""
    /// `usable`, or the outcome of a passcode.
    public var passcodeState: String = ""
    /// Why a passcode that could be used cannot be judged.
    public var passcodeObstacle: String?
    /// Misses of fingers left before the lockout.
    public var attemptsLeft: Int64?
    /// Seconds until a finger may be tried again.
    public var retryAfterSeconds: Int64?
    /// Wrong passcodes counted for the caller's origin; for an account's password, those of all
    /// devices together.
    public var wrongPasscodes: Int64?
    /// Wrong passcodes left before the lockout, also while passcodes are refused.
    public var passcodeAttemptsLeft: Int64?
    /// Seconds until a passcode may be tried again.
    public var passcodeRetryAfterSeconds: Int64?
    /// A value that changes with the enrolled set, in hexadecimal.
    public var domainState: String?
    /// Whether a prompt is shown.
    public var prompting: Bool = false
    /// The number of evaluations that wait for the prompt.
    public var waiting: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.required("simulated", &simulated)
      try mapper.required("sensor", &sensor)
      try mapper.required("fingers", &fingers)
      try mapper.required("passcode", &passcode)
      try mapper.optional("pamService", &pamService)
      try mapper.required("lockState", &lockState)
      try mapper.required("keychain", &keychain)
      try mapper.required("lockout", &lockout)
      try mapper.required("passcodeDelays", &passcodeDelays)
      try mapper.required("biometry", &biometry)
      try mapper.required("passcodeState", &passcodeState)
      try mapper.optional("passcodeObstacle", &passcodeObstacle)
      try mapper.optional("attemptsLeft", &attemptsLeft)
      try mapper.optional("retryAfterSeconds", &retryAfterSeconds)
      try mapper.optional("wrongPasscodes", &wrongPasscodes)
      try mapper.optional("passcodeAttemptsLeft", &passcodeAttemptsLeft)
      try mapper.optional("passcodeRetryAfterSeconds", &passcodeRetryAfterSeconds)
      try mapper.optional("domainState", &domainState)
      try mapper.required("prompting", &prompting)
      try mapper.required("waiting", &waiting)
    }
  }

  /// The parameters of a method that takes a device and nothing else.
  public struct DeviceCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
    }
  }

  /// The parameters of `Delete`.
  public struct DeleteCall: WireObject, Sendable {
    /// The device.
    public var device: String = ""
    /// The current passcode.
    public var passcode: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("device", &device)
      try mapper.optional("passcode", &passcode)
    }
  }

  /// The parameters of `Erase`.
  public struct EraseCall: WireObject, Sendable {
    /// The device.
    public var device: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("device", &device)
    }
  }

  /// The reply to `List`.
  public struct ListReply: WireReply, Sendable {
    /// The caller's devices.
    public var devices: [Device] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("devices", &devices)
    }
  }

  /// A reply to `Watch`.
  public struct WatchReply: WireReply, Sendable {
    /// `beforeFirstUnlock`, `unlocked`, `locking`, `locked` or `noPasscode`.
    public var state: String = ""
    /// While it is `locking`, how long the keys of an unlocked device stay, in milliseconds.
    public var lostInMilliseconds: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("state", &state)
      try mapper.optional("lostInMilliseconds", &lostInMilliseconds)
    }
  }

  /// The reply to `Status`.
  public struct StatusReply: WireReply, Sendable {
    /// The device.
    public var device: Device = Device()
    /// What is asked: first what has the prompt, then what waits for it.
    public var asked: [Asked] = []
    /// The service.
    public var daemon: DaemonMessages.Daemon = DaemonMessages.Daemon()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("device", &device)
      try mapper.required("asked", &asked)
      try mapper.required("daemon", &daemon)
    }
  }

  /// The reply to `Create`.
  public struct DeviceReply: WireReply, Sendable {
    /// The device.
    public var device: Device = Device()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("device", &device)
    }
  }

  /// The parameters of `Create`.
  public struct CreateCall: WireObject, Sendable {
    /// The new device's name.
    public var device: String = ""
    /// `none` or `simulated`; a simulated one when absent.
    public var sensor: String?
    /// The fingers that are enrolled from the start.
    public var fingers: [String]?
    /// The device's own passcode.
    public var passcode: WireSecret?
    /// The PAM service that judges its passcode.
    public var pamService: String?
    /// The directory that describes that service, instead of the system's directories.
    public var pamDirectory: String?
    /// The lockout profile.
    public var lockout: String?
    /// The passcode delay table.
    public var passcodeDelays: String?
    /// Whether its clock stands still unless advanced.
    public var stoppedClock: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("device", &device)
      try mapper.optional("sensor", &sensor)
      try mapper.optional("fingers", &fingers)
      try mapper.optional("passcode", &passcode)
      try mapper.optional("pamService", &pamService)
      try mapper.optional("pamDirectory", &pamDirectory)
      try mapper.optional("lockout", &lockout)
      try mapper.optional("passcodeDelays", &passcodeDelays)
      try mapper.optional("stoppedClock", &stoppedClock)
    }
  }

  /// The parameters of `Unlock`.
  public struct UnlockCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// The passcode; a finger is asked for when absent.
    public var passcode: WireSecret?
    /// How long to wait for a finger.
    public var timeoutMilliseconds: Int64?
    /// The script that stands in for a person.
    public var script: WireSecret?
    /// Whether the script came from a command line.
    public var scriptIsArgument: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("passcode", &passcode)
      try mapper.optional("timeoutMilliseconds", &timeoutMilliseconds)
      try mapper.optional("script", &script)
      try mapper.optional("scriptIsArgument", &scriptIsArgument)
    }
  }

  /// The parameters of `AdvanceClock`.
  public struct AdvanceClockCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// How far to advance the clock, in milliseconds.
    public var milliseconds: Int64 = 0
    /// The passcode, which ends refusals of passcodes; without it they last as long as before.
    public var passcode: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.required("milliseconds", &milliseconds)
      try mapper.optional("passcode", &passcode)
    }
  }

  /// The parameters of `SetPasscode`.
  public struct SetPasscodeCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// The passcode to set.
    public var new: WireSecret = WireSecret.none
    /// The current passcode.
    public var passcode: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.required("new", &new)
      try mapper.optional("passcode", &passcode)
    }
  }

  /// The parameters of `RemovePasscode`.
  public struct RemovePasscodeCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// The current passcode.
    public var passcode: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("passcode", &passcode)
    }
  }

  /// The parameters of `SetLockout`.
  public struct SetLockoutCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// The lockout profile.
    public var lockout: String?
    /// The passcode delay table.
    public var passcodeDelays: String?
    /// The current passcode.
    public var passcode: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("lockout", &lockout)
      try mapper.optional("passcodeDelays", &passcodeDelays)
      try mapper.optional("passcode", &passcode)
    }
  }
}
