public import LocalAuthCore

/// The name of a lockout profile: the number of misses that locks fingers, and for how long.
public struct LockoutProfileName: Hashable, Sendable, CustomStringConvertible {
  /// The name itself.
  public let description: String

  private init(_ name: String) { description = name }

  /// Three misses in a row lock fingers until the passcode is proven; the default.
  public static let threeStrikes = LockoutProfileName(DeviceRecord.ownLockoutProfile)
  /// Three misses end an evaluation; five in a row lock fingers until the passcode is proven.
  public static let apple = LockoutProfileName("apple")
  /// A delay of thirty seconds after every fifth miss, and a lock after twenty.
  public static let android = LockoutProfileName("android")

  /// The profile of this name.
  public static func named(_ name: String) -> LockoutProfileName { LockoutProfileName(name) }
}

/// The hardware and settings of a new simulated device, except its passcode.
public struct DeviceSetup: Sendable {
  /// Whether it has a simulated fingerprint sensor.
  public var hasSensor = true
  /// The fingers that are enrolled initially.
  public var fingers: [Finger] = []
  /// The lockout profile.
  public var lockout = LockoutProfileName.threeStrikes
  /// The name of the table of delays after wrong passcodes; nil for the default.
  public var passcodeDelays: String?
  /// Whether its clock moves only when advanced.
  package var hasStoppedClock = false

  /// A device with a sensor and nothing else.
  public init() {}
}
