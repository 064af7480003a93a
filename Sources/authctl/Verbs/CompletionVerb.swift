import LocalAuthTerminal

/// `authctl completion`.
enum CompletionVerb {
  static let shell = Argument<CompletionShell>("SHELL", help: "the shell to write for")
  static let words = Argument<[String]>(
    "WORD",
    help: "the words of a line, of which the last is completed"
  )

  /// Creates the verb; `tree` is a closure because the verb is part of the tree it describes.
  static func command(for tree: @escaping @Sendable () -> CommandTree) -> Command {
    Command(
      "completion",
      abstract: "Print a completion script for a shell.",
      discussion: """
        To use it in the running shell, bash or zsh:

          source <(authctl completion bash)

        To keep it, write it where the shell looks: bash-completion/completions/authctl below
        $XDG_DATA_HOME, _authctl in a directory of zsh's $fpath, or
        ~/.config/fish/completions/authctl.fish.

        With words after '--', prints what completes the last of them, as the scripts ask. That
        starts no daemon and asks nobody.
        """,
      arguments: [shell.declaration, words.declaration]
    ) { (context) throws(Failure) in
      let words = context.arguments[words]
      let lines = words.isEmpty ? script(context) : offers(for: words, in: tree(), context)
      let remark =
        lines.isEmpty ? "Nothing completes these words." : "The text that was asked for."
      return Report(remark, answer: lines) {
        $0.member("text", lines.map { $0 + "\n" }.joined())
      }
    }
  }

  private static func script(_ context: VerbContext) -> [String] {
    let script = context.arguments[shell].script
    return script.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      String($0)
    }
  }

  /// Returns the lines that a script reads: words that begin as the last one does, each with its
  /// explanation behind a tabulator, or what the shell lists itself.
  private static func offers(
    for words: [String],
    in tree: CommandTree,
    _ context: VerbContext
  ) -> [String] {
    let completion = Completion(of: words, in: tree)
    let offered: [Completion.Word]
    switch completion.offer {
    case .words(let words): offered = words
    case .values(.files, _): return [":files"]
    case .values(.directories, _): return [":directories"]
    case .values(.users, _): return [":users"]
    case .values(.programs, _): return [":programs"]
    case .values(let source, let prefix):
      let line = VerbContext(
        arguments: completion.given,
        output: context.output,
        environment: context.environment
      )
      let known = KnownValues(line).words(of: source)
      offered = known.map { Completion.Word(text: prefix + $0.text, help: $0.help) }
    }
    return offered.filter { $0.text.hasPrefix(words.last ?? "") && $0.isHarmless }
      .map { $0.help.isEmpty ? $0.text : "\($0.text)\t\($0.help)" }
  }
}

extension Completion.Word {
  /// Whether the shell may print the word: names that others chose could move the cursor, turn the
  /// direction of writing, or pass for what a shell is to list itself.
  fileprivate var isHarmless: Bool {
    !text.hasPrefix(":")
      && TerminalText.sanitized(text + help, limit: .max) == text + help
  }
}
