import LocalAuthCore

/// When logins are, on the clock of a simulation.
enum Calendar {
  /// A day, in nanoseconds.
  static let day: Int64 = 86_400 * 1_000_000_000

  /// When login `number` of `day` begins.
  static func start(of number: UInt32, on day: UInt32, _ habits: borrowing Habits) -> Int64 {
    Int64(day) * Self.day + habits.time(ofLogin: number).wholeNanoseconds
  }

  /// How long after login `number` of a day the next one is, on that day or the next.
  static func gap(after number: UInt32, _ habits: Habits) -> Int64 {
    let next = number + 1
    return next < habits.loginsPerDay
      ? start(of: next, on: 0, habits) - start(of: number, on: 0, habits)
      : start(of: 0, on: 1, habits) - start(of: number, on: 0, habits)
  }
}
