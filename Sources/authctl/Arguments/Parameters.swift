/// What completion offers where a value is open.
enum ValueSource: Sendable {
  case nothing
  case files
  case directories
}

/// The value an option or an argument takes, as data.
struct ValueDeclaration: Sendable {
  /// How help names it: `NAME`, `EVENTS|@FILE|-`.
  let placeholder: String
  /// What completion offers when ``choices`` is empty.
  let source: ValueSource
  /// Every spelling of a closed set.
  ///
  /// A function, because most runs never ask.
  let choices: @Sendable () -> [String]
  /// What a value looks like.
  let expectation: @Sendable () -> String
  /// Whether a word stands for a value.
  let accepts: @Sendable (String) -> Bool

  init<Value: ExpressibleByArgument>(_: Value.Type, placeholder: String, source: ValueSource) {
    self.placeholder = placeholder
    self.source = source
    choices = { Value.allValueStrings }
    expectation = { Value.expectation }
    accepts = { Value(argument: $0) != nil }
  }
}

/// An option or a flag, as data: everything that parsing, help, completion and man pages need.
struct OptionDeclaration: Sendable {
  /// The long name, without dashes.
  let name: String
  /// A one-letter form, or nil.
  let letter: Character?
  /// What it is for, one sentence without a full stop.
  let help: String
  /// Nil for a flag.
  let value: ValueDeclaration?
  let arity: Arity
  /// What holds when it is not given, as it would be typed.
  let defaultText: String?

  /// How it is typed and spoken of.
  var spelling: String { "--\(name)" }

  /// Whether leaving it out is a usage error.
  var isRequired: Bool { value != nil && arity == .one && defaultText == nil }
}

/// An operand, as data.
struct ArgumentDeclaration: Sendable {
  let help: String
  let value: ValueDeclaration
  let arity: Arity

  /// How it is spoken of; no two of one command are alike.
  var name: String { value.placeholder }
}

/// An option that takes a value: the key to that value in ``ParsedArguments``.
///
/// `Option<String>` must be given or has a default, `Option<String?>` may be left out,
/// `Option<[String]>` may be repeated.
struct Option<Value: ParameterContent>: Sendable {
  let declaration: OptionDeclaration

  init(
    _ name: String,
    _ placeholder: String,
    default defaultText: String? = nil,
    source: ValueSource = .nothing,
    help: String
  ) {
    declaration = OptionDeclaration(
      name: name,
      letter: nil,
      help: help,
      value: ValueDeclaration(Value.Single.self, placeholder: placeholder, source: source),
      arity: Value.arity,
      defaultText: defaultText
    )
  }
}

/// An option that takes no value: there or not.
struct Flag: Sendable {
  let declaration: OptionDeclaration

  init(_ name: String, letter: Character? = nil, help: String) {
    declaration = OptionDeclaration(
      name: name,
      letter: letter,
      help: help,
      value: nil,
      arity: .optional,
      defaultText: nil
    )
  }
}

/// An operand: the key to its value in ``ParsedArguments``.
///
/// `Argument<String>` must be given, `Argument<String?>` may be left out, and `Argument<[String]>`,
/// which comes last, takes all that are left.
struct Argument<Value: ParameterContent>: Sendable {
  let declaration: ArgumentDeclaration

  init(_ placeholder: String, source: ValueSource = .nothing, help: String) {
    declaration = ArgumentDeclaration(
      help: help,
      value: ValueDeclaration(Value.Single.self, placeholder: placeholder, source: source),
      arity: Value.arity
    )
  }
}
