import LocalAuthCore

extension Finger: ExpressibleByArgument {
  /// Accepts fprintd's names; the ending `-finger` may be omitted.
  init?(argument: String) { self.init(named: argument) }

  static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}

/// A finger, or all of them.
enum FingerChoice: ExpressibleByArgument {
  case one(Finger)
  case all

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else {
      guard let finger = Finger(named: argument) else { return nil }
      self = .one(finger)
    }
  }

  static var allValueStrings: [String] { Finger.allValueStrings + ["all"] }
}

/// A duration that may also be given in milliseconds, which is useful in tests.
private enum ShortDuration {
  /// Parses `text`, with the core's parser only if necessary: it is generic, which costs a fifth of
  /// the program's start-up time.
  static func parse(_ text: String) -> Duration? {
    text.hasSuffix("ms") ? DurationText.parse(text) : Duration(argument: text)
  }
}

/// A number of days, as `7d`.
enum WholeDays {
  /// Ten years, with the leap days of them.
  private static let longest = 3660

  /// The days that `text` says, up to ten years; nil if it says none.
  static func parse(_ text: String) -> Int64? {
    guard text.utf8.last == UInt8(ascii: "d"), let days = Int(argument: String(text.dropLast())),
      days <= longest
    else { return nil }
    return Int64(days)
  }
}

/// A timeout that the daemon accepts: above zero, up to an hour.
struct Patience: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    guard let duration = ShortDuration.parse(argument), duration > .zero,
      duration <= .seconds(3600)
    else { return nil }
    self.duration = duration
  }

  /// The timeout in whole milliseconds, as the daemon expects it.
  var milliseconds: Int64 { duration.wholeMilliseconds }

  static var expectation: String { "a duration of up to an hour, such as 30, 30s or 5m" }
}

/// The maximum age of a proof: up to twelve hours, the most that a policy can allow.
struct Age: ExpressibleByArgument {
  let seconds: Int64

  init?(argument: String) {
    guard let duration = Duration(argument: argument), duration > .zero,
      duration <= .seconds(12 * 3600)
    else { return nil }
    seconds = duration.secondsRoundedUp
  }

  static var expectation: String { "a duration of up to twelve hours, such as 30s, 5m or 1h" }
}

/// How many times a success may answer later requests.
struct UseCount: ExpressibleByArgument {
  let count: Int64

  init?(argument: String) {
    guard let count = Int(argument: argument), (1...1000).contains(count) else { return nil }
    self.count = Int64(count)
  }

  static var expectation: String { "a number from 1 to 1000" }
}

/// How far a clock moves forward in one step: up to ten years.
struct ClockStep: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let days = WholeDays.parse(argument).map { Duration.seconds($0 * 86_400) }
    guard let duration = days ?? ShortDuration.parse(argument), duration > .zero,
      duration <= .seconds(3650 * 86_400)
    else { return nil }
    self.duration = duration
  }

  static var expectation: String { "a duration of up to ten years, such as 30s, 5m, 48h or 10d" }
}

/// The reason for asking a person: one line within the daemon's limit.
struct Reason: ExpressibleByArgument {
  static let limit = 1024
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty, argument.utf8.count <= Self.limit else { return nil }
    text = argument
  }

  static var expectation: String { "a text of 1 to \(limit) bytes" }
}

/// The action to approve, in the words that the person reads.
struct ActionArgument: ExpressibleByArgument {
  let action: ActionText

  init?(argument: String) {
    guard let action = ActionText(argument) else { return nil }
    self.action = action
  }

  static var expectation: String {
    "a text of 1 to \(ActionText.bytesMax) bytes, of visible characters and single blanks"
  }
}

/// How many times a queued script plays.
struct Repetition: ExpressibleByArgument {
  /// The number of evaluations; 0 for all.
  let times: Int64

  init?(argument: String) {
    guard argument != "always" else {
      times = 0
      return
    }
    guard let times = Int(argument: argument), (1...10_000).contains(times) else { return nil }
    self.times = Int64(times)
  }

  static var expectation: String { "a number from 1 to 10000, or always" }
}

/// The maximum number of audit lines or keychain items to show.
struct LineCount: ExpressibleByArgument {
  let count: Int64

  init?(argument: String) {
    guard let count = Int(argument: argument), (1...10_000).contains(count) else { return nil }
    self.count = Int64(count)
  }

  static var expectation: String { "a number from 1 to 10000" }
}

/// A setting of the sensor: `KEY=VALUE`.
struct SettingText: ExpressibleByArgument {
  let key: String
  let value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
      return nil
    }
    key = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }

  static var expectation: String { "KEY=VALUE, such as enroll-stages=3" }
}

/// The kind of a device's sensor.
enum SensorKind: String, CaseIterable, ExpressibleByArgument {
  case simulated
  case none
}

/// Who keeps the passcode of a device.
enum PasscodeProviderArgument: String, CaseIterable, ExpressibleByArgument {
  case device
  case pam
}

/// How an enrolment proceeds from stage to stage.
enum StageMode: String, CaseIterable, ExpressibleByArgument {
  case auto
  case manual
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
