/// Completion for bash 4.4 and later; the bash-completion package is not needed.
enum BashCompletion {
  static func script(for line: CommandTree) -> String {
    let program = line.root.name
    let commands = line.allCommands
    let valued = ([line.globals] + commands.map { $0.command.options }).joined()
      .filter { $0.value != nil }.map { $0.spelling }
    return """
      # bash completion for \(program), made by '\(program) completion bash'.

      \(function("_\(program)_verbs", rows: commands.map { verbs(of: $0.command, at: $0.path) }))
      \(function("_\(program)_options", rows: commands.map { options($0.command, $0.path, line) }))
      \(function("_\(program)_values", rows: values(of: line)))
      _\(program)() {
        local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD - 1]}"
        local path=\(program) operand=0 index word verb
        COMPREPLY=()
        if [[ $cur == "=" ]]; then
          cur=""
        elif [[ $prev == "=" ]]; then
          prev="${COMP_WORDS[COMP_CWORD - 2]}"
        fi
        for ((index = 1; index < COMP_CWORD; index++)); do
          word="${COMP_WORDS[index]}"
          case $word in
          =) ;;
          \(unique(valued).joined(separator: " | ")))
            index=$((index + 1))
            if [[ ${COMP_WORDS[index]} == "=" ]]; then index=$((index + 1)); fi
            ;;
          -?*) ;;
          *)
            verb=" $(_\(program)_verbs "$path") "
            if [[ $verb == *" $word "* ]]; then path+=" $word"; else operand=$((operand + 1)); fi
            ;;
          esac
        done
        case $prev in
        \(unique(valued).joined(separator: " | ")))
          _\(program)_reply "$cur" "$(_\(program)_values "$path $prev")"
          return
          ;;
        esac
        if [[ $cur == -* ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$(_\(program)_options "$path")" -- "$cur")
        else
          word="$(_\(program)_verbs "$path")"
          _\(program)_reply "$cur" "${word:-$(_\(program)_values "$path $operand")}"
        fi
      }

      _\(program)_reply() {
        case $2 in
        ':files') mapfile -t COMPREPLY < <(compgen -f -- "$1"); compopt -o filenames ;;
        ':directories') mapfile -t COMPREPLY < <(compgen -d -- "$1"); compopt -o filenames ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1") ;;
        esac
      }

      complete -F _\(program) \(program)

      """
  }

  private static func function(_ name: String, rows: [String]) -> String {
    let cases = rows.filter { !$0.isEmpty }.map { "  \($0) ;;\n" }.joined()
    return "\(name)() {\n  case $1 in\n\(cases)  esac\n}\n"
  }

  private static func verbs(of command: Command, at path: [String]) -> String {
    guard !command.subcommands.isEmpty else { return "" }
    return row(key: path.joined(separator: " "), words: command.subcommands.map { $0.name })
  }

  private static func options(_ command: Command, _ path: [String], _ line: CommandTree) -> String {
    let words = (command.options + line.globals).map { $0.spelling }
    return row(key: path.joined(separator: " "), words: words)
  }

  /// Returns a row for each option and operand that has values to offer: by path and option name,
  /// or by path and position for operands.
  private static func values(of line: CommandTree) -> [String] {
    var rows: [String] = []
    for (path, command) in line.allCommands {
      let path = path.joined(separator: " ")
      for option in command.options + line.globals {
        guard let value = option.value else { continue }
        rows.append(row(key: "\(path) \(option.spelling)", words: offered(value)))
      }
      for (position, argument) in command.arguments.enumerated() {
        let key = argument.arity == .many ? "\(path) [0-9]*" : "\(path) \(position)"
        rows.append(row(key: key, words: offered(argument.value)))
      }
    }
    return rows
  }

  private static func offered(_ value: ValueDeclaration) -> [String] {
    let choices = value.choices()
    guard choices.isEmpty else { return choices }
    switch value.source {
    case .nothing: return []
    case .files: return [":files"]
    case .directories: return [":directories"]
    }
  }

  private static func row(key: String, words: [String]) -> String {
    guard !words.isEmpty else { return "" }
    // Inside quotes, a position pattern would be literal.
    let pattern =
      key.hasSuffix(" [0-9]*")
      ? ShellQuote.single(String(key.dropLast(6))) + "[0-9]*" : ShellQuote.single(key)
    return "\(pattern)) echo \(ShellQuote.single(words.joined(separator: " ")))"
  }

  private static func unique(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0).inserted }
  }
}
