/// A type whose values are written as one word on the command line.
protocol ExpressibleByArgument: ParameterContent {
  /// Parses `argument`; nil if it is not a value.
  init?(argument: String)

  /// All values offered, for closed sets; empty for open ones.
  ///
  /// Help, errors and completion show them. `init(argument:)` may accept further spellings.
  static var allValueStrings: [String] { get }

  /// What a value looks like, for the error about an invalid one: "a number".
  static var expectation: String { get }
}

extension ExpressibleByArgument {
  static var allValueStrings: [String] { [] }
  static var expectation: String { "another value" }
  static var arity: Arity { .one }

  static func decode(_ words: [String]) -> Self? {
    words.last.flatMap { Self(argument: $0) }
  }
}

extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
  init?(argument: String) {
    self.init(rawValue: argument)
  }

  static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}

extension String: ExpressibleByArgument {
  init?(argument: String) {
    self = argument
  }

  static var expectation: String { "text" }
}

extension Int: ExpressibleByArgument {
  /// Accepts decimal digits only: no sign, because no number on this command line is negative.
  init?(argument: String) {
    guard argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(argument)
  }

  static var expectation: String { "a number" }
}

extension UInt32: ExpressibleByArgument {
  /// Accepts decimal digits only.
  init?(argument: String) {
    guard let number = Int(argument: argument) else { return nil }
    self.init(exactly: number)
  }

  static var expectation: String { "a user's number" }
}

extension Duration: ExpressibleByArgument {
  /// Ten years, in seconds.
  ///
  /// A longer duration is a mistake, and adding it to nanoseconds since boot must not overflow.
  static var longestArgument: Int64 { 10 * 366 * 86_400 }

  /// Accepts `30` and `30s` for seconds, `5m` for minutes and `48h` for hours.
  init?(argument: String) {
    var digits = argument[...]
    let unit: Int64
    switch digits.last {
    case "s": unit = 1
    case "m": unit = 60
    case "h": unit = 3_600
    default: unit = 0
    }
    if unit > 0 { digits.removeLast() }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(digits)
    else { return nil }
    let (seconds, overflow) = count.multipliedReportingOverflow(by: max(unit, 1))
    guard !overflow, seconds <= Self.longestArgument else { return nil }
    self = .seconds(seconds)
  }

  static var expectation: String { "a duration such as 30, 30s, 5m or 48h" }
}

/// How many words a parameter takes.
enum Arity: Sendable {
  /// Exactly one; required unless it has a default.
  case one
  /// One or none.
  case optional
  /// Any number, in the order given.
  case many
  /// At least one, in the order given.
  case several
  /// Everything behind `--`, at least one word; nothing before it.
  case program
}

/// The content of an option or argument: a value, an optional value or a list of values.
protocol ParameterContent: Sendable {
  associatedtype Single: ExpressibleByArgument = Self

  static var arity: Arity { get }

  /// Decodes `words` into the content.
  ///
  /// Nil if a word is not a value, or if a required value is missing.
  static func decode(_ words: [String]) -> Self?
}

extension Optional: ParameterContent where Wrapped: ExpressibleByArgument {
  typealias Single = Wrapped

  static var arity: Arity { .optional }

  static func decode(_ words: [String]) -> Self? {
    guard let word = words.last else { return .some(nil) }
    return Wrapped(argument: word).map { .some($0) }
  }
}

/// A command and its arguments, which are behind `--` and are options of nothing else.
struct ProgramWords: ParameterContent {
  typealias Single = String

  static var arity: Arity { .program }

  let words: [String]

  static func decode(_ words: [String]) -> Self? { words.isEmpty ? nil : Self(words: words) }
}

/// Words of which there is at least one.
struct SeveralWords: ParameterContent {
  typealias Single = String

  static var arity: Arity { .several }

  let words: [String]

  static func decode(_ words: [String]) -> Self? { words.isEmpty ? nil : Self(words: words) }
}

extension Array: ParameterContent where Element: ExpressibleByArgument {
  typealias Single = Element

  static var arity: Arity { .many }

  static func decode(_ words: [String]) -> Self? {
    var values: Self = []
    for word in words {
      guard let value = Element(argument: word) else { return nil }
      values.append(value)
    }
    return values
  }
}
