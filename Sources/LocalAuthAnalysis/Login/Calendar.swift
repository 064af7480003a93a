import LocalAuthCore

/// When somebody's logins are, in nanoseconds on the clock of a simulation: the same times every day.
struct Calendar {
  /// A day.
  static let day: Int64 = 86_400 * 1_000_000_000
  /// Six in the morning.
  private static let waking: Int64 = 6 * 3600 * 1_000_000_000

  /// How many logins a day has.
  let logins: UInt32
  private let first: Int64
  private let step: Int64

  /// The logins that `habits` spread over the time awake.
  init(_ habits: borrowing Habits) {
    logins = habits.loginsPerDay
    step = habits.awake.wholeNanoseconds / Int64(logins)
    first = Self.waking + step / 2
  }

  /// When login `number` of `day` begins.
  func start(of number: UInt32, on day: UInt32) -> Int64 {
    Int64(day) * Self.day + first + step * Int64(number)
  }

  /// How long after login `number` of a day the next one is, on that day or the next.
  func gap(after number: UInt32) -> Int64 {
    number + 1 < logins ? step : start(of: 0, on: 1) - start(of: number, on: 0)
  }
}
