import LocalAuthCore
import LocalAuthWire

/// Which lines of the audit to show.
struct AuditFilter {
  /// The earliest time, in milliseconds since 1970; nil for any.
  var since: Int64?
  /// The outcomes to show; empty for all.
  var outcomes: [OutcomeChoice] = []

  /// Whether every line is shown.
  var isOpen: Bool { since == nil && outcomes.isEmpty }

  /// Whether `line` is to be shown.
  func matches(_ line: DeviceMessages.AuditLine) -> Bool {
    line.time >= since ?? .min
      && (outcomes.isEmpty || outcomes.contains { $0.matches(line.outcome) })
  }
}

extension DeviceMessages.AuditLine {
  /// The time that the line is shown with and sorted by: its end, or its beginning if it has none.
  var time: Int64 { ended ?? began }

  /// Whether the outcome is known.
  var hasOutcome: Bool { outcome != OutcomeChoice.unknown.word }
}

extension [DeviceMessages.AuditLine] {
  /// The lines in the order of their times; lines of one time stay in the order of storage.
  var inOrder: Self {
    enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }
}

/// An outcome to look for in the audit.
struct OutcomeChoice: ExpressibleByArgument, Equatable {
  static let unknown = OutcomeChoice(word: "unknown")
  /// Any outcome but success.
  static let failure = OutcomeChoice(word: "failure")

  /// The outcome, or one of the two words above.
  let word: String

  private init(word: String) { self.word = word }

  init?(argument: String) {
    guard OutcomeCode(rawValue: argument) != nil || Self.allValueStrings.contains(argument)
    else { return nil }
    word = argument
  }

  /// The outcomes that an audit line can have, as a person would look for them.
  static var allValueStrings: [String] {
    OutcomeCode.allCases.filter { $0.laError != nil || $0 == .internalError }.map(\.rawValue)
      + [failure.word, unknown.word]
  }

  static var expectation: String { "an outcome, such as userCancel, or failure or unknown" }

  /// Whether a line with `outcome` is meant.
  func matches(_ outcome: String) -> Bool {
    self == .failure
      ? outcome != OutcomeCode.success.rawValue && outcome != Self.unknown.word : outcome == word
  }
}

/// A point in time as `audit --since` takes it, in UTC.
enum AuditTime: ExpressibleByArgument, Equatable {
  /// That many milliseconds before now.
  case ago(Int64)
  /// Milliseconds since 1970.
  case at(Int64)
  /// Milliseconds after the beginning of the day that is so many days before today.
  case day(before: Int64, after: Int64)

  /// The beginning of today.
  static let today = AuditTime.day(before: 0, after: 0)

  init?(argument: String) {
    switch argument {
    case "today": self = .today
    case "yesterday": self = .day(before: 1, after: 0)
    default:
      if let days = WholeDays.parse(argument) {
        self = .ago(days * Timestamp.millisecondsPerDay)
      } else if let duration = Duration(argument: argument) {
        self = .ago(duration.wholeMilliseconds)
      } else if let time = Timestamp.timeOfDay(argument) {
        self = .day(before: 0, after: time)
      } else if let time = Timestamp.milliseconds(argument) {
        self = .at(time)
      } else {
        return nil
      }
    }
  }

  static var allValueStrings: [String] { [] }

  static var expectation: String {
    "a duration (90m, 7d), a time of today (08:30), today, yesterday, or a date with or without a "
      + "time (2026-08-01, 2026-08-01T08:30)"
  }

  /// The time, given the present.
  func milliseconds(at now: Int64) -> Int64 {
    switch self {
    case .ago(let past): now - past
    case .at(let time): time
    case .day(let before, let after):
      Timestamp.beginningOfDay(now) - before * Timestamp.millisecondsPerDay + after
    }
  }
}
