import LocalAuthCore
public import LocalAuthSensor

/// What people do besides presenting a finger; the default values are our own assumptions.
public struct Habits: Hashable, Sendable {
  /// Logins per day, spread evenly over ``awake``.
  public var loginsPerDay: UInt32 = 10
  /// The part of the day in which logins occur.
  ///
  /// It is seventeen hours so that, with fewer than 17 logins a day, the time between two logins
  /// never equals a limit of a shipped policy.
  public var awake = Duration.seconds(17 * 3600)
  /// The rate at which the right person mistypes the passcode.
  public var mistyped = 0.03
  /// How long typing the passcode takes.
  public var typing = Duration.seconds(4)
  /// The misses in one login after which people type the passcode if possible; nil for no limit.
  public var patience: UInt32?
  /// The longest refusal people wait for before they do something else.
  public var longestWait = Duration.seconds(60)
  /// The number of evaluations in one login before people give up.
  public var evaluations: UInt32 = 3

  /// Creates the default habits.
  public init() {}

  /// The maximum attempts in one login, for fingers and for passcodes each.
  static let attemptsMax = SensorModel.presentationLimit

  /// Returns the habits if they are valid.
  ///
  /// - Throws: `ModelError.outOfRange` if a value is not.
  public func checked() throws(ModelError) -> Habits {
    guard (1...Self.loginsPerDayMax).contains(loginsPerDay) else {
      throw .outOfRange("the logins a day", Double(loginsPerDay), allowed: "1 to 1000")
    }
    guard mistyped >= 0, mistyped < 1 else {
      throw .outOfRange("the share of mistyped passcodes", mistyped, allowed: "at least 0, below 1")
    }
    guard patience != 0 else {
      throw .outOfRange("the misses before the passcode", 0, allowed: "1 or more")
    }
    return self
  }

  /// The maximum number of logins per day.
  public static let loginsPerDayMax: UInt32 = 1_000
}
