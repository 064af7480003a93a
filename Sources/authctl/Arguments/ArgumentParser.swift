extension CommandTree {
  /// Parses the words of a command line, without the program's own name.
  ///
  /// `--help`, `--version` and `--json` are recognised anywhere before `--`, because help must be
  /// available even if the rest of the line is wrong. Only a verb that is not there has none.
  func parse(_ words: [String]) throws(UsageError) -> Invocation {
    var parser = ArgumentParser(line: self, words: words)
    return try parser.parse()
  }
}

/// One pass over the words.
///
/// It is pure: words in, a value or an error out.
private struct ArgumentParser {
  let line: CommandTree
  let words: [String]
  let wantsJSON: Bool
  var next = 0
  var command: Command
  var path: [String]
  var given: [GivenWord] = []
  var operands: [String] = []
  /// The words behind `--`.
  var behindDashes: [String] = []

  init(line: CommandTree, words: [String]) {
    self.line = line
    self.words = words
    wantsJSON = Self.contains(GlobalOptions.json, in: words)
    command = line.root
    path = [line.root.name]
  }

  mutating func parse() throws(UsageError) -> Invocation {
    if Self.contains(GlobalOptions.help, in: words) { return .help(try helpForVerbs()) }
    if Self.contains(GlobalOptions.version, in: words) { return .version(wantsJSON: wantsJSON) }
    while next < words.count {
      let word = words[next]
      next += 1
      if word == "help", !command.subcommands.isEmpty { return .help(try helpForVerbs()) }
      if word == "--" {
        behindDashes = Array(words[next...])
        break
      }
      try take(word)
    }
    return try finish()
  }

  // MARK: Words

  /// Whether a word is a negative number, which a verb with arguments takes for one of them.
  private static func isNumber(_ word: String) -> Bool {
    word.dropFirst().utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      ?? false
  }

  private mutating func take(_ word: String) throws(UsageError) {
    if word.hasPrefix("--") {
      try takeLong(word.dropFirst(2))
    } else if word.hasPrefix("-"), word != "-", plainArguments.isEmpty || !Self.isNumber(word) {
      try takeLetter(word)
    } else if command.subcommands.isEmpty {
      if program != nil, operands.count == plainArguments.count { throw missingProgram }
      operands.append(word)
    } else if let subcommand = command.subcommands.first(where: { $0.name == word }) {
      command = subcommand
      path.append(word)
    } else {
      throw unknownVerb(word)
    }
  }

  private mutating func takeLong(_ text: Substring) throws(UsageError) {
    let name: String
    let value: String?
    if let equals = text.firstIndex(of: "=") {
      name = String(text[..<equals])
      value = String(text[text.index(after: equals)...])
    } else {
      name = String(text)
      value = nil
    }
    guard let option = known.first(where: { $0.name == name }) else { throw unknown(name) }
    try take(option, value: value)
  }

  private mutating func takeLetter(_ word: String) throws(UsageError) {
    let letter = word.dropFirst()
    guard let option = known.first(where: { $0.letter.map { letter == String($0) } ?? false })
    else { throw error(.unknownOption("-\(letter.prefix(1))", similar: nil)) }
    try take(option, value: nil)
  }

  private mutating func take(_ option: OptionDeclaration, value: String?) throws(UsageError) {
    guard let declaration = option.value else {
      guard value == nil else { throw error(.unexpectedValue(option: option.spelling)) }
      given.append(GivenWord(parameter: option.spelling, word: ""))
      return
    }
    let word: String
    if let value { word = value } else { word = try followingWord(of: option, declaration) }
    if option.arity != .many, isGiven(option.spelling) {
      throw error(.repeatedOption(option.spelling))
    }
    try check(word, against: declaration, of: "'\(option.spelling)'")
    given.append(GivenWord(parameter: option.spelling, word: word))
  }

  /// A word that begins with a dash is never a value, so that `--reason --json` is reported as a
  /// mistake.
  private mutating func followingWord(
    of option: OptionDeclaration,
    _ declaration: ValueDeclaration
  ) throws(UsageError) -> String {
    guard next < words.count, words[next] == "-" || !words[next].hasPrefix("-") else {
      throw error(
        .missingValue(option: option.spelling, placeholder: declaration.placeholder)
      )
    }
    next += 1
    return words[next - 1]
  }

  // MARK: The end of the line

  private mutating func finish() throws(UsageError) -> Invocation {
    guard command.run != nil else {
      throw error(.missingVerb(command.subcommands.map { $0.name }))
    }
    try assignOperands()
    try checkExclusions()
    for option in known where !isGiven(option.spelling) {
      guard !option.isRequired else { throw error(.missingOption(Synopsis.typed(option))) }
      if let text = option.defaultText {
        given.append(GivenWord(parameter: option.spelling, word: text))
      }
    }
    return .run(command, ParsedArguments(path: path, given: given))
  }

  private mutating func assignOperands() throws(UsageError) {
    if let program { try assignProgram(to: program) }
    var remaining = (program == nil ? operands + behindDashes : operands)[...]
    for argument in plainArguments {
      let taken = argument.isOpen ? remaining : remaining.prefix(1)
      guard !taken.isEmpty || ![.one, .several].contains(argument.arity) else {
        throw error(.missingArgument(argument.name))
      }
      for word in taken {
        try check(word, against: argument.value, of: argument.name)
        given.append(GivenWord(parameter: argument.name, word: word))
      }
      remaining = remaining.dropFirst(taken.count)
    }
    guard remaining.isEmpty else {
      throw error(.tooManyArguments(allowed: command.arguments.count))
    }
  }

  private mutating func assignProgram(to argument: ArgumentDeclaration) throws(UsageError) {
    guard !behindDashes.isEmpty else { throw missingProgram }
    for word in behindDashes { given.append(GivenWord(parameter: argument.name, word: word)) }
  }

  private func checkExclusions() throws(UsageError) {
    for group in command.exclusions {
      var first: String?
      for name in group where isGiven("--\(name)") {
        if let first { throw error(.conflictingOptions("--\(first)", "--\(name)")) }
        first = name
      }
    }
  }

  private func isGiven(_ spelling: String) -> Bool {
    given.contains { $0.parameter == spelling }
  }

  private func check(
    _ word: String,
    against value: ValueDeclaration,
    of parameter: String
  ) throws(UsageError) {
    guard !value.accepts(word) else { return }
    let choices = value.choices()
    guard !choices.isEmpty else {
      throw error(.invalidValue(parameter: parameter, expectation: value.expectation()))
    }
    let similar = Suggestion.closest(to: word, among: choices)
    throw error(.invalidChoice(parameter: parameter, choices: choices, similar: similar))
  }

  // MARK: What is known

  private var known: [OptionDeclaration] { command.options + line.globals }

  /// The argument that is a command with words of its own; nil for most verbs.
  private var program: ArgumentDeclaration? { command.arguments.first { $0.arity == .program } }
  private var plainArguments: [ArgumentDeclaration] {
    command.arguments.filter { $0.arity != .program }
  }

  private var missingProgram: UsageError {
    error(.missingProgram(command.arguments.map { Synopsis.piece(for: $0) }.joined(separator: " ")))
  }

  private func unknownVerb(_ word: String) -> UsageError {
    let verbs = command.subcommands.map { $0.name }
    let similar = Suggestion.closest(to: word, among: verbs)
    return error(.unknownVerb(similar: similar, verbs: verbs))
  }

  private func unknown(_ name: String) -> UsageError {
    if let verb = command.subcommands.first(where: { $0.options.contains { $0.name == name } }) {
      return error(.optionBeforeVerb(option: "--\(name)", verb: verb.name))
    }
    let similar = Suggestion.closest(to: name, among: known.map { $0.name })
    return error(.unknownOption("--\(name)", similar: similar.map { "--\($0)" }))
  }

  private func error(_ problem: UsageError.Problem) -> UsageError {
    UsageError(problem: problem, path: path, wantsJSON: wantsJSON)
  }

  /// Returns the help of the deepest verb that the words name, ignoring options, their values and
  /// what a verb takes.
  private mutating func helpForVerbs() throws(UsageError) -> String {
    var mayBeValue = false
    for word in words[next...].prefix(while: { $0 != "--" }) {
      if word.hasPrefix("-") {
        mayBeValue = takesValueNext(word)
      } else if let subcommand = command.subcommands.first(where: { $0.name == word }) {
        command = subcommand
        path.append(word)
        mayBeValue = false
      } else {
        guard mayBeValue || command.subcommands.isEmpty || word == "help" else {
          throw unknownVerb(word)
        }
        mayBeValue = false
      }
    }
    return HelpText.render(command, path: path, globals: line.globals)
  }

  /// Whether the value of the option `word` may be the next word; of one that is not known too.
  private func takesValueNext(_ word: String) -> Bool {
    guard word.hasPrefix("--"), !word.contains("=") else { return false }
    guard let option = known.first(where: { $0.spelling == word }) else { return true }
    return option.value != nil
  }

  private static func contains(_ flag: Flag, in words: [String]) -> Bool {
    let letter = flag.declaration.letter.map { "-\($0)" }
    return words.prefix { $0 != "--" }.contains {
      $0 == flag.declaration.spelling || $0 == letter
    }
  }
}
