/// Names a device: the user it belongs to and its name.
public struct DeviceIdentity: Hashable, Sendable {
  /// The uid of the user it belongs to.
  public var owner: UInt32
  /// Its name; `default` is the user's own machine.
  public var name: String

  /// The device called `name` of the user `owner`.
  public init(owner: UInt32, name: String) {
    self.owner = owner
    self.name = name
  }

  /// The name of the device that exists without being created.
  public static let defaultName = "default"

  /// The prefix of the names of the service's own devices, which no client can name.
  public static let reservedPrefix = "localauth."

  /// Whether the device is the service's own.
  public var isReserved: Bool { name.hasPrefix(Self.reservedPrefix) }

  /// Whether `name` can name a device: 1 to 64 letters, digits, `-`, `_` and `.`, a letter or
  /// digit first.
  public static func isValid(name: String) -> Bool {
    guard (1...64).contains(name.utf8.count), let first = name.utf8.first else { return false }
    return isAlphanumeric(first)
      && name.utf8.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

/// Who judges a device's passcode.
public enum PasscodeProvider: Hashable, Sendable {
  /// No passcode is set.
  case none
  /// The device itself: the passcode opens its keybag, and nothing else of it is stored.
  case device
  /// PAM, through the service of this name, read from `directory` if given, else from the system's
  /// directories.
  case pam(service: String, directory: String?)
}

/// The durable state of one device.
///
/// ``attempts``, ``enrolment`` and ``passcode`` decide what a thief may do; the store authenticates
/// the whole record, so that none of them can be edited or rolled back.
public struct DeviceRecord: Hashable, Sendable {
  /// What acts of the owner set and no attempt changes.
  private struct Settings: Hashable {
    var identity: DeviceIdentity
    var isSimulated: Bool
    var sensorSettings: [String: String]?
    var enrolment = EnrolmentSet()
    var passcode = PasscodeProvider.none
    var lockoutProfile = ownLockoutProfile
    var passcodeDelays = ownPasscodeDelays
  }

  private var settings: Shared<Settings>
  /// The owner and name of the device.
  public var identity: DeviceIdentity {
    get { settings.value.identity }
    set { settings.value.identity = newValue }
  }
  /// Whether its sensor, clock and reboots are simulated.
  public var isSimulated: Bool {
    get { settings.value.isSimulated }
    set { settings.value.isSimulated = newValue }
  }
  /// The simulated sensor's settings that differ from their defaults, or nil without a sensor.
  public var sensorSettings: [String: String]? {
    get { settings.value.sensorSettings }
    set { settings.value.sensorSettings = newValue }
  }
  /// The enrolled fingers.
  public var enrolment: EnrolmentSet {
    get { settings.value.enrolment }
    set { settings.value.enrolment = newValue }
  }
  /// Who judges the passcode.
  public var passcode: PasscodeProvider {
    get { settings.value.passcode }
    set { settings.value.passcode = newValue }
  }
  /// The name of the lockout profile.
  public var lockoutProfile: String {
    get { settings.value.lockoutProfile }
    set { settings.value.lockoutProfile = newValue }
  }
  /// The name of the passcode delay table.
  public var passcodeDelays: String {
    get { settings.value.passcodeDelays }
    set { settings.value.passcodeDelays = newValue }
  }
  /// The state that the owner's attempts change.
  public var attempts = DeviceAttempts()
  /// The state that all other attempts change.
  public var others = OtherAttempts()
  /// How far a simulated device's clock runs ahead of the machine's.
  public var clockOffset: Duration
  /// How often a simulated device was rebooted.
  public var reboots: UInt32
  /// The grants, which answer later requests.
  public var grants: Grants
  /// Stands for the programs that judged for the device when its passcode was last proven; 0 for
  /// none.
  public var programs: UInt64 = 0
  /// Stands for the prints at a reader that keeps them itself, when ``enrolment`` was last adopted
  /// from it; 0 if it never was.
  public var prints: UInt64 = 0

  /// The lockout profile of a device that specifies none.
  public static let ownLockoutProfile = "three-strikes"
  /// The delays of a device's own passcode, which a thief would have to guess: after the tenth
  /// wrong guess only erasing the device helps.
  public static let ownPasscodeDelays = "apple"
  /// The delays of an account's password, which outlives every device: refusals grow to a day and
  /// never become final.
  public static let accountPasscodeDelays = "gatekeeper"

  /// A device without sensor, fingers or passcode.
  public init(identity: DeviceIdentity, isSimulated: Bool) {
    settings = Shared(Settings(identity: identity, isSimulated: isSimulated))
    clockOffset = .zero
    reboots = 0
    grants = Grants()
  }
}
