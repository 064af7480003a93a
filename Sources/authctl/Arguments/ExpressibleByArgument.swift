/// A type whose values are written as one word of the command line.
protocol ExpressibleByArgument: ParameterContent {
  /// The value `argument` stands for, or nil when it stands for none.
  init?(argument: String)

  /// Every spelling that is offered, for closed sets; empty for open ones.
  ///
  /// Help, errors and completion show them. `init(argument:)` may understand further spellings.
  static var allValueStrings: [String] { get }

  /// What a value looks like, for the error about one that does not: "a number".
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
  /// Decimal digits alone: no sign, because nothing on our command line counts below zero.
  init?(argument: String) {
    guard argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(argument)
  }

  static var expectation: String { "a number" }
}

extension UInt32: ExpressibleByArgument {
  /// Decimal digits alone.
  init?(argument: String) {
    guard let number = Int(argument: argument) else { return nil }
    self.init(exactly: number)
  }

  static var expectation: String { "a user's number" }
}

extension Duration: ExpressibleByArgument {
  /// Ten years.
  ///
  /// A longer one is a slip, and nanoseconds since boot must not overflow when it is added.
  static var longestArgument: Int64 { 10 * 366 * 86_400 }

  /// `30` and `30s` are seconds, `5m` minutes, `48h` hours.
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

/// How many words belong to a parameter.
enum Arity: Sendable {
  /// Exactly one: it must be given, unless it has a default.
  case one
  /// One or none.
  case optional
  /// Any number, in the order given.
  case many
}

/// What an option or argument holds: a value, an optional value or a list of them.
protocol ParameterContent: Sendable {
  associatedtype Single: ExpressibleByArgument = Self

  static var arity: Arity { get }

  /// The content that `words` stand for.
  ///
  /// Nil when a word stands for no value, or when there is none and there must be one.
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
