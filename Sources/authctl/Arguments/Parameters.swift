/// What completion offers for an open set of values.
enum ValueSource: Sendable {
  case nothing
  case files
  case directories
  /// The accounts of the machine.
  case users
  /// The commands that the shell finds.
  case programs
  case devices
  /// Passwords in the keychain, by the names that people type.
  case items
  /// Documents of the first container.
  case documents
  /// Keys of the first key-value store.
  case keys
  /// Tables of the first group.
  case tables
  /// The other devices of the circle.
  case peers
  case policies
  case lockoutProfiles
  case passcodeDelays
  case sensorProfiles
  case policiesAndProfiles
}

/// The value of an option or argument, as data.
struct ValueDeclaration: Sendable {
  /// The name of the value in help: `NAME`, `EVENTS|@FILE|-`.
  let placeholder: String
  /// What completion offers if ``choices`` is empty.
  let source: ValueSource
  /// All values of a closed set.
  ///
  /// A closure, because most runs never need them.
  let choices: @Sendable () -> [String]
  /// What a value looks like.
  let expectation: @Sendable () -> String
  /// Whether a word is a valid value.
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
  /// The one-letter form; nil if there is none.
  let letter: Character?
  /// The purpose, in one sentence without a full stop.
  let help: String
  /// The value; nil for a flag.
  let value: ValueDeclaration?
  let arity: Arity
  /// The default, as it would be typed.
  let defaultText: String?

  /// The option as typed, for messages and lookups.
  var spelling: String { "--\(name)" }

  /// Whether omitting it is a usage error.
  var isRequired: Bool { value != nil && arity == .one && defaultText == nil }
}

/// An operand, as data.
struct ArgumentDeclaration: Sendable {
  let help: String
  let value: ValueDeclaration
  let arity: Arity

  /// Whether it takes all remaining words.
  var isOpen: Bool {
    switch arity {
    case .one, .optional: false
    case .many, .several, .program: true
    }
  }

  /// The name in messages, unique within a command.
  var name: String { value.placeholder }
}

/// An option that takes a value: the key to that value in ``ParsedArguments``.
///
/// `Option<String>` is required or has a default, `Option<String?>` may be omitted,
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

/// An option that takes no value: present or absent.
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
/// `Argument<String>` is required, `Argument<String?>` may be omitted, and `Argument<[String]>`,
/// which comes last, takes all remaining words; `Argument<SeveralWords>` wants at least one.
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
