public import LocalAuthCore

/// Names a lockout profile: after how many misses fingers are locked, and for how long.
public struct LockoutProfileName: Hashable, Sendable, CustomStringConvertible {
  /// The name itself.
  public let description: String

  private init(_ name: String) { description = name }

  /// Three misses in a row lock fingers until the passcode; the default.
  public static let threeStrikes = LockoutProfileName("three-strikes")
  /// Three misses end an evaluation, five in a row lock fingers until the passcode.
  public static let apple = LockoutProfileName("apple")
  /// Thirty seconds after every fifth miss, and a lock after twenty.
  public static let android = LockoutProfileName("android")

  /// The profile of this name.
  public static func named(_ name: String) -> LockoutProfileName { LockoutProfileName(name) }
}

/// What a new simulated device is made of, its passcode apart.
public struct DeviceSetup: Sendable {
  /// Whether it has a simulated fingerprint sensor.
  public var hasSensor = true
  /// The fingers that are enrolled from the start.
  public var fingers: [Finger] = []
  /// When misses lock fingers.
  public var lockout = LockoutProfileName.threeStrikes
  /// The name of the table by which wrong passcodes are delayed; nil for the default.
  public var passcodeDelays: String?
  /// Whether its clock stands still unless it is advanced.
  package var hasStoppedClock = false

  /// A device with a sensor and nothing else.
  public init() {}
}
