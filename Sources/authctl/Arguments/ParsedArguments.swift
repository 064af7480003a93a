/// The parsed command line, checked against the table: every value is valid, nothing required is
/// missing, and defaults are filled in.
struct ParsedArguments: Sendable {
  /// The program's name and the verbs.
  let path: [String]
  /// The words given, then the defaults.
  ///
  /// A list, not a dictionary: it is short, and the first dictionary of a type costs more start-up
  /// time than all the rest of parsing.
  let given: [GivenWord]

  /// Whether the flag was given.
  subscript(flag: Flag) -> Bool {
    given.contains { $0.parameter == flag.declaration.spelling }
  }

  /// The option's value.
  ///
  /// The command, or the global table, must declare the option.
  subscript<Value>(option: Option<Value>) -> Value {
    content(of: option.declaration.spelling)
  }

  /// The argument's value.
  ///
  /// The command must declare the argument.
  subscript<Value>(argument: Argument<Value>) -> Value {
    content(of: argument.declaration.name)
  }

  private func content<Value: ParameterContent>(of parameter: String) -> Value {
    var words: [String] = []
    for word in given where word.parameter == parameter { words.append(word.word) }
    guard let value = Value.decode(words) else {
      preconditionFailure("'\(path.joined(separator: " "))' does not declare \(parameter)")
    }
    return value
  }
}

/// A parameter with the word given for it; a flag's word is empty.
struct GivenWord: Sendable {
  /// The spelling of an option, `--policy`, or the name of an argument, `FILE`.
  let parameter: String
  let word: String
}

/// What a command line requests.
enum Invocation: Sendable {
  /// Run the verb.
  case run(Command, ParsedArguments)
  /// Print this text on standard output and exit with 0.
  case help(String)
  /// Print the version on standard output and exit with 0.
  case version(wantsJSON: Bool)
}
