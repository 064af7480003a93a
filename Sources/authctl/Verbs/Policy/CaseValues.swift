import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthUnix

/// A number such as `0.03` or `2e-5`; its range is checked where it is used.
struct Rate: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = Double(argument), value.isFinite else { return nil }
    self.value = value
  }

  static var expectation: String { "a number such as 0.03 or 2e-5" }
}

/// The number of prints per person, at most one per finger.
struct PrintCount: ExpressibleByArgument {
  let count: UInt32

  init?(argument: String) {
    guard let count = Int(argument: argument), (1...10).contains(count) else { return nil }
    self.count = UInt32(count)
  }

  static var expectation: String { "a number from 1 to 10" }
}

/// The number of logins per day.
struct DailyLogins: ExpressibleByArgument {
  let count: UInt32

  init?(argument: String) {
    guard let count = Int(argument: argument), (1...Int(Habits.loginsPerDayMax)).contains(count)
    else { return nil }
    self.count = UInt32(count)
  }

  static var expectation: String { "a number from 1 to \(Habits.loginsPerDayMax)" }
}

/// The number of people simulated.
struct PopulationSize: ExpressibleByArgument {
  static let limit = 10_000_000
  let count: UInt32

  init?(argument: String) {
    guard let count = Int(argument: argument), (1...Self.limit).contains(count) else { return nil }
    self.count = UInt32(count)
  }

  static var expectation: String { "a number from 1 to \(limit)" }
}

/// The number of days considered, up to ten years.
struct DayCount: ExpressibleByArgument {
  let count: UInt32

  init?(argument: String) {
    guard let count = Int(argument: argument), (1...3650).contains(count) else { return nil }
    self.count = UInt32(count)
  }

  static var expectation: String { "a number from 1 to 3650" }
}

/// The number of threads.
struct ThreadCount: ExpressibleByArgument {
  /// One for each processor, as far as that is allowed.
  static var usual: Int { min(most, ThisProgram.processors) }
  private static let most = 256

  let count: Int

  init?(argument: String) {
    guard let count = Int(argument: argument), (1...Self.most).contains(count) else { return nil }
    self.count = count
  }

  static var expectation: String { "a number from 1 to \(most)" }
}

/// The seed of a simulation.
struct Seed: ExpressibleByArgument {
  let value: UInt64

  init?(argument: String) {
    guard argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = UInt64(argument)
    else { return nil }
    self.value = value
  }

  static var expectation: String { "a number of 64 bits" }
}

/// The number of digits of a passcode.
struct DigitCount: ExpressibleByArgument {
  let count: Int

  /// The number `count`, of at most 18.
  init(count: Int) { self.count = count }

  init?(argument: String) {
    guard let count = Int(argument: argument), (1...18).contains(count) else { return nil }
    self.count = count
  }

  /// The number of passcodes with this many digits.
  var secrets: UInt64 { (0..<count).reduce(1) { power, _ in power * 10 } }

  static var expectation: String { "a number from 1 to 18" }
}

/// The time an attacker has, up to a year.
struct AttackTime: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let duration: Duration
    if argument.hasSuffix("d"), let days = Int(argument: String(argument.dropLast())),
      days <= 366
    {
      duration = .seconds(days * 86_400)
    } else if let parsed = Duration(argument: argument) {
      duration = parsed
    } else {
      return nil
    }
    guard duration > .zero, duration <= .seconds(366 * 86_400) else { return nil }
    self.duration = duration
  }

  static var expectation: String { "a duration such as 30m, 4h or 13d, at most 366d" }
}
