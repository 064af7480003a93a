import LocalAuthCore

/// The times of a person's logins on the clock of a simulation, in nanoseconds; the same every day.
struct Calendar {
  /// A day.
  static let day: Int64 = 86_400 * 1_000_000_000
  /// Six in the morning.
  private static let waking: Int64 = 6 * 3600 * 1_000_000_000

  /// The number of logins per day.
  let logins: UInt32
  private let first: Int64
  private let step: Int64

  /// Spreads the logins of `habits` over the waking time.
  init(_ habits: borrowing Habits) {
    logins = habits.loginsPerDay
    step = habits.awake.wholeNanoseconds / Int64(logins)
    first = Self.waking + step / 2
  }

  /// Returns the time at which login `number` of `day` begins.
  func start(of number: UInt32, on day: UInt32) -> Int64 {
    Int64(day) * Self.day + first + step * Int64(number)
  }

  /// Returns the time at which the first login begins that begins at `time` or later.
  func login(from time: Int64) -> Int64 {
    let day = UInt32(time / Self.day)
    let missed = max(0, time - start(of: 0, on: day) + step - 1) / step
    return missed < Int64(logins) ? start(of: UInt32(missed), on: day) : start(of: 0, on: day + 1)
  }

  /// Returns the time from login `number` of a day to the next, on that day or the following one.
  func gap(after number: UInt32) -> Int64 {
    number + 1 < logins ? step : start(of: 0, on: 1) - start(of: number, on: 0)
  }
}
