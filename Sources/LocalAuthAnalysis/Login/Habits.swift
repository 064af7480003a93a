import LocalAuthCore
public import LocalAuthSensor

/// What people do besides presenting a finger; the sizes are ours.
public struct Habits: Hashable, Sendable {
  /// Logins a day, spread evenly over ``awake``.
  public var loginsPerDay: UInt32 = 10
  /// The time of a day in which there are logins.
  ///
  /// Seventeen hours, so that no number of logins below 17 puts two of them as far apart as a limit of
  /// a shipped policy.
  public var awake = Duration.seconds(17 * 3600)
  /// How often the right person mistypes the passcode.
  public var mistyped = 0.03
  /// How long typing it takes.
  public var typing = Duration.seconds(4)
  /// Misses in one login after which somebody types the passcode if that is possible; nil for as many
  /// as there can be.
  public var patience: UInt32?
  /// How long somebody waits for a refusal to end before they do something else.
  public var longestWait = Duration.seconds(60)
  /// How often somebody begins again in one login before they give up.
  public var evaluations: UInt32 = 3

  /// The habits of nobody in particular.
  public init() {}

  /// What anybody tries at most in one login, of fingers and of passcodes.
  static let attemptsMax = SensorModel.presentationLimit

  /// The habits, if they are any.
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

  /// The most logins a day.
  public static let loginsPerDayMax: UInt32 = 1_000
}
