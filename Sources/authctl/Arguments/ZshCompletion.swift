/// Completion for zsh: one function per verb, all of them built on `_arguments`.
enum ZshCompletion {
  static func script(for line: CommandTree) -> String {
    let program = line.root.name
    var text = "#compdef \(program)\n# zsh completion for \(program), made by "
    text += "'\(program) completion zsh'.\n\n"
    for (path, command) in line.allCommands {
      text += function(for: command, at: path, globals: line.globals)
    }
    return text + """
      if [[ $funcstack[1] == _\(program) ]]; then
        _\(program) "$@"
      else
        compdef _\(program) \(program)
      fi

      """
  }

  private static func function(
    for command: Command,
    at path: [String],
    globals: [OptionDeclaration]
  ) -> String {
    let options = (command.options + globals).map { specification(of: $0, in: command) }
    let body =
      command.subcommands.isEmpty
      ? call(options + operands(of: command)) : dispatch(command, at: path, options: options)
    return "\(name(path))() {\n\(body)}\n\n"
  }

  private static func call(_ specifications: [String]) -> String {
    "  _arguments -S : " + specifications.joined(separator: " \\\n    ") + "\n"
  }

  private static func dispatch(
    _ command: Command,
    at path: [String],
    options: [String]
  ) -> String {
    let verbs = command.subcommands.map { verb in
      "    " + ShellQuote.single("\(verb.name):\(ShellQuote.escape(verb.abstract, ":"))") + "\n"
    }
    let cases = command.subcommands.map { "      \($0.name)) \(name(path + [$0.name])) ;;\n" }
    let specifications = options + ["'1: :->verb'", "'*:: :->rest'"]
    return """
        local context state state_descr line curcontext="$curcontext"
        typeset -A opt_args
        local -a verbs=(
      \(verbs.joined())  )
        _arguments -C -S : \(specifications.joined(separator: " \\\n    "))
        case $state in
        verb) _describe verb verbs ;;
        rest)
          case $line[1] in
      \(cases.joined())      esac
          ;;
        esac

      """
  }

  private static func specification(of option: OptionDeclaration, in command: Command) -> String {
    let excluded = command.exclusions.filter { $0.contains(option.name) }.joined()
      .filter { $0 != option.name }.map { "--\($0)" }
    let prefix =
      option.arity == .many
      ? "*" : excluded.isEmpty ? "" : "(\(excluded.joined(separator: " ")))"
    let name = option.spelling + (option.value == nil ? "" : "=")
    let help = "[\(ShellQuote.escape(option.help, "[]\\:"))]"
    let value = option.value.map { ":\(action($0))" } ?? ""
    return ShellQuote.single(prefix + name + help + value)
  }

  private static func operands(of command: Command) -> [String] {
    command.arguments.enumerated().map { position, argument in
      switch argument.arity {
      case .one: ShellQuote.single("\(position + 1):\(action(argument.value))")
      case .optional: ShellQuote.single("\(position + 1)::\(action(argument.value))")
      case .many: ShellQuote.single("*:\(action(argument.value))")
      }
    }
  }

  /// Returns what `_arguments` shows and offers for a value: `NAME:(one two)`.
  private static func action(_ value: ValueDeclaration) -> String {
    let label = ShellQuote.escape(value.placeholder, ":")
    let choices = value.choices()
    guard choices.isEmpty else { return "\(label):(\(choices.joined(separator: " ")))" }
    switch value.source {
    case .nothing: return "\(label): "
    case .files: return "\(label):_files"
    case .directories: return "\(label):_directories"
    }
  }

  private static func name(_ path: [String]) -> String {
    "_" + path.joined(separator: "_")
  }
}
