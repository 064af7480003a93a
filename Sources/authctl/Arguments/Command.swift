/// One verb of the command line, as plain data.
///
/// Parsing, `--help`, shell completion and the synopsis in the man page all use this table, so they
/// cannot disagree. A verb has either subcommands or something to run.
struct Command: Sendable {
  /// Performs the verb and returns the exit status.
  typealias Run = @Sendable (ParsedArguments) -> Int32

  let name: String
  /// What the verb does: one sentence with a full stop, at most one line of help.
  let abstract: String
  /// Further text for `--help`.
  ///
  /// Empty lines separate paragraphs; a line that begins with a blank is an example and is not
  /// wrapped.
  let discussion: String
  let arguments: [ArgumentDeclaration]
  let options: [OptionDeclaration]
  /// Groups of option names, of which at most one per group may be given.
  let exclusions: [[String]]
  let subcommands: [Command]
  /// The action; nil exactly if there are subcommands.
  let run: Run?

  /// Creates a verb whose action ends in a report.
  ///
  /// With `isAboutDevice` a failure also says how to open what the device keeps closed.
  init(
    _ name: String,
    abstract: String,
    discussion: String = "",
    arguments: [ArgumentDeclaration] = [],
    options: [OptionDeclaration] = [],
    exclusions: [[String]] = [],
    isAboutDevice: Bool = false,
    body: @escaping @Sendable (VerbContext) throws(Failure) -> Report
  ) {
    self.init(
      name,
      abstract: abstract,
      discussion: discussion,
      arguments: arguments,
      options: options,
      exclusions: exclusions,
      run: { isAboutDevice ? VerbContext.runOnDevice($0, body) : VerbContext.run($0, body) }
    )
  }

  /// Creates a verb that performs an action.
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

  /// Creates a verb that only groups subcommands.
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

/// The whole grammar: the program, its verbs, and the options of each.
struct CommandTree: Sendable {
  /// The root command, with the program's name.
  let root: Command
  /// Options accepted before and after the verb.
  let globals: [OptionDeclaration]

  init(root: Command, globals: [OptionDeclaration] = GlobalOptions.all) {
    self.root = root
    self.globals = globals
  }

  /// Returns the verb at `path`, without the program's own name; nil if there is none.
  func command(at path: [String]) -> Command? {
    var command = root
    for name in path {
      guard let next = command.subcommands.first(where: { $0.name == name }) else { return nil }
      command = next
    }
    return command
  }

  /// All verbs with their paths, starting with the program's name, in the order of the table.
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
