/// What completes the last word of a command line.
///
/// It is pure: the words and the table in, what to offer out. Values that only a daemon or files
/// know are left to the caller, as a ``ValueSource``.
struct Completion: Sendable {
  /// What is offered for the last word.
  enum Offer: Sendable, Equatable {
    /// These words, each with a short explanation, which may be empty.
    case words([Word])
    /// What `source` knows, behind `prefix`, such as `--device=`.
    case values(ValueSource, prefix: String)
  }

  /// A word that is offered.
  struct Word: Sendable, Equatable {
    let text: String
    let help: String
  }

  /// What is offered, not yet compared with what of the last word is typed.
  let offer: Offer
  /// The options with values that were given before the last word, the global ones among them.
  let given: ParsedArguments

  /// Completes the last of `words`, which are without the program's own name.
  init(of words: [String], in tree: CommandTree) {
    var reader = Reader(tree: tree)
    for word in words.dropLast() { reader.read(word) }
    offer = reader.offer(for: words.last ?? "")
    given = ParsedArguments(path: reader.path, given: reader.given)
  }
}

/// One pass over the words before the last one.
///
/// Nothing is an error here: somebody is still typing.
private struct Reader {
  let globals: [OptionDeclaration]
  var command: Command
  var path: [String]
  var given: [GivenWord] = []
  var operandCount = 0
  /// The option whose value comes next.
  var awaited: OptionDeclaration?
  var isPastOptions = false
  /// Whether a verb was named that is not there, behind which nothing is known.
  var isLost = false

  init(tree: CommandTree) {
    globals = tree.globals
    command = tree.root
    path = [tree.root.name]
  }

  mutating func read(_ word: String) {
    if let option = awaited {
      note(word, for: option)
      awaited = nil
    } else if isPastOptions {
      operandCount += 1
    } else if word == "--" {
      isPastOptions = true
    } else if word.hasPrefix("--") {
      readOption(word)
    } else if let verb = command.subcommands.first(where: { $0.name == word }) {
      command = verb
      path.append(word)
    } else if word == "-" || !word.hasPrefix("-") {
      operandCount += 1
      if !command.subcommands.isEmpty, word != "help" { isLost = true }
    }
  }

  private mutating func readOption(_ word: String) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = known.first(where: { $0.spelling == parts[0] }) else { return }
    if option.value != nil, parts.count == 1 {
      awaited = option
    } else {
      note(parts.count > 1 ? String(parts[1]) : "", for: option)
    }
  }

  /// A value that the option does not take is left out, so that whoever reads it finds none.
  private mutating func note(_ word: String, for option: OptionDeclaration) {
    guard option.value?.accepts(word) ?? true else { return }
    given.append(GivenWord(parameter: option.spelling, word: word))
  }

  func offer(for word: String) -> Completion.Offer {
    guard !isLost else { return .words([]) }
    if let value = awaited?.value { return offer(of: value) }
    if !isPastOptions, word.hasPrefix("-") { return offerOption(word) }
    guard command.subcommands.isEmpty else {
      return .words(
        command.subcommands.map { Completion.Word(text: $0.name, help: $0.abstract) }
      )
    }
    let last = command.arguments.last.flatMap { $0.isOpen ? $0 : nil }
    let argument = operandCount < command.arguments.count ? command.arguments[operandCount] : last
    guard let argument else { return .words([]) }
    return argument.arity == .program ? offerProgram() : offer(of: argument.value)
  }

  /// A command stands behind two dashes; what follows it is its own, most often files.
  private func offerProgram() -> Completion.Offer {
    guard isPastOptions else { return .words([]) }
    let isFirst = operandCount == command.arguments.count - 1
    return .values(isFirst ? .programs : .files, prefix: "")
  }

  private func offerOption(_ word: String) -> Completion.Offer {
    if let equals = word.firstIndex(of: "=") {
      let option = known.first { $0.spelling == word[..<equals] }
      return option?.value.map { offer(of: $0, prefix: word[...equals]) } ?? .words([])
    }
    let offered = known.filter { option in !isRuledOut(option) }
    return .words(offered.map { Completion.Word(text: $0.spelling, help: $0.help) })
  }

  private func offer(of value: ValueDeclaration, prefix: Substring = "") -> Completion.Offer {
    let choices = value.choices()
    guard !choices.isEmpty else { return .values(value.source, prefix: String(prefix)) }
    return .words(choices.map { Completion.Word(text: prefix + $0, help: "") })
  }

  /// Whether the option was given already, or another one that excludes it.
  private func isRuledOut(_ option: OptionDeclaration) -> Bool {
    let excluding = command.exclusions.filter { $0.contains(option.name) }.joined()
      .filter { $0 != option.name }
    let names = option.arity == .many ? Array(excluding) : [option.name] + excluding
    return names.contains { name in given.contains { $0.parameter == "--\(name)" } }
  }

  private var known: [OptionDeclaration] { command.options + globals }
}
