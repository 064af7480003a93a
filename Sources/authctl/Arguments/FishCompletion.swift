/// Completion for fish: one `complete` line for each verb, option and operand.
enum FishCompletion {
  static func script(for line: CommandTree) -> String {
    let program = line.root.name
    let commands = line.allCommands
    var text = "# fish completion for \(program), made by '\(program) completion fish'.\n\n"
    text += pathFunction(for: line)
    text += "\ncomplete -c \(program) -f\n"
    for option in line.globals { text += complete(program, option: option, at: nil) }
    for (path, command) in commands {
      for verb in command.subcommands {
        text += "complete -c \(program) -n \(condition(program, path)) -a \(verb.name)"
        text += " -d \(ShellQuote.single(verb.abstract))\n"
      }
      for option in command.options { text += complete(program, option: option, at: path) }
      for (position, argument) in command.arguments.enumerated() {
        text += complete(program, argument: argument, position: position, at: path)
      }
    }
    return text
  }

  /// Returns a function that prints the verbs typed so far, then the number of operands after them.
  private static func pathFunction(for line: CommandTree) -> String {
    let program = line.root.name
    let commands = line.allCommands
    let verbs = commands.dropFirst().map { $0.path.joined(separator: " ") }
    var seen: Set<String> = []
    let valued = ([line.globals] + commands.map { $0.command.options }).joined()
      .filter { $0.value != nil && seen.insert($0.name).inserted }.map { $0.spelling }
    return """
      function __\(program)_at
          set -l verbs \(verbs.map { ShellQuote.single($0) }.joined(separator: " "))
          set -l at \(program)
          set -l operands 0
          set -l skip 0
          for word in (commandline -opc)[2..-1]
              if test $skip = 1
                  set skip 0
              else if contains -- $word \(valued.joined(separator: " "))
                  set skip 1
              else if string match -q -- '-?*' $word
                  continue
              else if contains -- "$at $word" $verbs
                  set at "$at $word"
              else
                  set operands (math $operands + 1)
              end
          end
          test "$at" = "$argv[1]"
          and begin
              not set -q argv[2]
              or test $operands = $argv[2]
          end
      end

      """
  }

  private static func condition(_ program: String, _ path: [String], operand: Int? = nil) -> String
  {
    let position = operand.map { " \($0)" } ?? ""
    return "'__\(program)_at \"\(path.joined(separator: " "))\"\(position)'"
  }

  private static func complete(
    _ program: String,
    option: OptionDeclaration,
    at path: [String]?
  ) -> String {
    var text = "complete -c \(program)"
    if let path { text += " -n \(condition(program, path))" }
    text += " -l \(option.name)"
    if let letter = option.letter { text += " -s \(letter)" }
    if let value = option.value { text += " " + requirement(value) }
    return text + " -d \(ShellQuote.single(option.help))\n"
  }

  private static func complete(
    _ program: String,
    argument: ArgumentDeclaration,
    position: Int,
    at path: [String]
  ) -> String {
    let operand = argument.arity == .many ? nil : position
    let offered: String
    let choices = argument.value.choices()
    if !choices.isEmpty {
      offered = "-a \(ShellQuote.single(choices.joined(separator: " ")))"
    } else {
      switch argument.value.source {
      case .nothing: return ""
      case .files: offered = "-F"
      case .directories: offered = "-a '(__fish_complete_directories)'"
      }
    }
    return "complete -c \(program) -n \(condition(program, path, operand: operand)) \(offered)\n"
  }

  /// Returns how an option's value is completed.
  ///
  /// `-x` means that a value must follow and is not a file.
  private static func requirement(_ value: ValueDeclaration) -> String {
    let choices = value.choices()
    guard choices.isEmpty else {
      return "-x -a \(ShellQuote.single(choices.joined(separator: " ")))"
    }
    switch value.source {
    case .nothing: return "-x"
    case .files: return "-r -F"
    case .directories: return "-x -a '(__fish_complete_directories)'"
    }
  }
}
