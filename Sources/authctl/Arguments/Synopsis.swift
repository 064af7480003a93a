/// The synopsis of a verb, for help and man pages.
enum Synopsis {
  /// Returns the command line in unbreakable pieces: `authctl evaluate`, `--policy NAME`, `[--stdin
  /// | --passcode-fd N]`, `[FINGER]`.
  static func pieces(of command: Command, path: [String]) -> [String] {
    var pieces = [path.joined(separator: " ")]
    guard command.subcommands.isEmpty else { return pieces + ["VERB ..."] }
    var shown: Set<String> = []
    for option in command.options where !shown.contains(option.name) {
      let group = command.exclusions.first { $0.contains(option.name) } ?? [option.name]
      let members = group.compactMap { name in command.options.first { $0.name == name } }
      shown.formUnion(group)
      pieces.append(piece(for: members))
    }
    return pieces + command.arguments.map { piece(for: $0) }
  }

  /// Returns the option as typed: `--policy NAME`.
  static func typed(_ option: OptionDeclaration) -> String {
    option.value.map { "\(option.spelling) \($0.placeholder)" } ?? option.spelling
  }

  private static func piece(for options: [OptionDeclaration]) -> String {
    let alternatives = options.map { option in
      typed(option) + (option.arity == .many ? " ..." : "")
    }
    let text = alternatives.joined(separator: " | ")
    return options.contains { $0.isRequired } ? text : "[\(text)]"
  }

  /// Returns the operand as it stands in a command line.
  static func piece(for argument: ArgumentDeclaration) -> String {
    switch argument.arity {
    case .one: argument.name
    case .optional: "[\(argument.name)]"
    case .many: "[\(argument.name) ...]"
    case .several: "\(argument.name) ..."
    case .program: "-- \(argument.name) [ARG ...]"
    }
  }
}
