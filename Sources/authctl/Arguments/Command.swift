/// One verb of the command line, as plain data.
///
/// Parsing, `--help`, shell completion and the synopsis in the man page are all read from this one
/// table, so they cannot disagree. A verb has either subcommands or something to run.
struct Command: Sendable {
  /// Performs the verb and returns the exit status.
  typealias Run = @Sendable (ParsedArguments) -> Int32

  let name: String
  /// What it does: one sentence with a full stop, at most one line of help.
  let abstract: String
  /// What else a reader of `--help` must know.
  ///
  /// Paragraphs are parted by empty lines; a line that begins with a blank is an example and kept
  /// as it is.
  let discussion: String
  let arguments: [ArgumentDeclaration]
  let options: [OptionDeclaration]
  /// Groups of option names of which one at most may be given.
  let exclusions: [[String]]
  let subcommands: [Command]
  /// Nil exactly when there are subcommands.
  let run: Run?

  /// A verb that does something.
  init(
    _ name: String,
    abstract: String,
    discussion: String = "",
    arguments: [ArgumentDeclaration] = [],
    options: [OptionDeclaration] = [],
    exclusions: [[String]] = [],
    run: @escaping Run
  ) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    self.arguments = arguments
    self.options = options
    self.exclusions = exclusions
    subcommands = []
    self.run = run
  }

  /// A verb that only holds others.
  init(_ name: String, abstract: String, discussion: String = "", subcommands: [Command]) {
    self.name = name
    self.abstract = abstract
    self.discussion = discussion
    arguments = []
    options = []
    exclusions = []
    self.subcommands = subcommands
    run = nil
  }
}

/// The whole grammar: the program, its verbs, and the options that go with each of them.
struct CommandTree: Sendable {
  /// Bears the program's name.
  let root: Command
  /// Options understood before and after the verb.
  let globals: [OptionDeclaration]

  init(root: Command, globals: [OptionDeclaration] = GlobalOptions.all) {
    self.root = root
    self.globals = globals
  }

  /// The verb that `path` names, the program's own name left out; nil when there is none.
  func command(at path: [String]) -> Command? {
    var command = root
    for name in path {
      guard let next = command.subcommands.first(where: { $0.name == name }) else { return nil }
      command = next
    }
    return command
  }

  /// Every verb with its path from the program's name on, in the order of the table.
  var allCommands: [(path: [String], command: Command)] {
    var found: [(path: [String], command: Command)] = []
    Self.visit(root, path: [root.name], into: &found)
    return found
  }

  private static func visit(
    _ command: Command,
    path: [String],
    into found: inout [(path: [String], command: Command)]
  ) {
    found.append((path, command))
    for subcommand in command.subcommands {
      visit(subcommand, path: path + [subcommand.name], into: &found)
    }
  }
}
