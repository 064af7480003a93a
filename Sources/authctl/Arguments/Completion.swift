/// The shells that completion scripts exist for.
enum CompletionShell: String, CaseIterable, ExpressibleByArgument {
  case bash
  case zsh
  case fish

  /// Returns the script that completes `line` in this shell, to be sourced or installed.
  func script(for line: CommandTree) -> String {
    switch self {
    case .bash: BashCompletion.script(for: line)
    case .zsh: ZshCompletion.script(for: line)
    case .fish: FishCompletion.script(for: line)
    }
  }
}

/// The verb that prints a completion script.
enum CompletionVerb {
  static let shell = Argument<CompletionShell>("SHELL", help: "the shell to write for")

  /// Creates the verb; `line` is a closure because the verb is part of the line it describes.
  static func command(for line: @escaping @Sendable () -> CommandTree) -> Command {
    Command(
      "completion",
      abstract: "Print a completion script for a shell.",
      discussion: """
        To use it in the running shell, bash or zsh:

          source <(authctl completion bash)

        To keep it, write it where the shell looks: bash-completion/completions/authctl below
        $XDG_DATA_HOME, _authctl in a directory of zsh's $fpath, or
        ~/.config/fish/completions/authctl.fish.
        """,
      arguments: [shell.declaration]
    ) { arguments in
      VerbContext.run(arguments) { (context) throws(Failure) in
        let script = context.arguments[shell].script(for: line())
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return Report("The text that was asked for.", answer: lines.map { String($0) }) {
          $0.member("text", script)
        }
      }
    }
  }
}

/// Quoting that all three shells interpret alike.
enum ShellQuote {
  /// Puts `text` between single quotes.
  ///
  /// An apostrophe becomes a typographic one: help texts are prose, and each shell escapes a quote
  /// inside quotes differently.
  static func single(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "\u{2019}"))'"
  }

  /// Puts a backslash before each character of `special` in `text`.
  static func escape(_ text: String, _ special: String) -> String {
    var escaped = ""
    for character in text {
      if special.contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
