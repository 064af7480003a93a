/// The output of `--help`: at most 80 columns wide, from the same table as the parser.
enum HelpText {
  private static let width = 80
  /// Labels longer than this get a line of their own.
  private static let labelLimit = 26

  static func render(_ command: Command, path: [String], globals: [OptionDeclaration]) -> String {
    var lines = TextWrap.wrap(command.abstract, width: width)
    lines += ["", "Usage:"] + usage(of: command, path: path)
    if !command.discussion.isEmpty { lines += [""] + discussion(command.discussion) }
    lines += section("Verbs", command.subcommands.map { ($0.name, $0.abstract) })
    lines += section("Arguments", command.arguments.map { ($0.name, explained($0)) })
    lines += section("Options", command.options.map { (label($0), explained($0)) })
    lines += section("Options of every verb", globals.map { (label($0), explained($0)) })
    if !command.subcommands.isEmpty {
      lines += ["", "See '\(path.joined(separator: " ")) VERB --help' for one verb."]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func usage(of command: Command, path: [String]) -> [String] {
    let pieces = Synopsis.pieces(of: command, path: path)
    return TextWrap.fill(pieces, width: width, indent: 2, hanging: 6)
  }

  private static func discussion(_ text: String) -> [String] {
    var lines: [String] = []
    var paragraph = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix(" ") {
        lines += TextWrap.wrap(paragraph, width: width) + [String(line)]
        paragraph = ""
      } else {
        paragraph += (paragraph.isEmpty ? "" : " ") + line
      }
    }
    return lines + TextWrap.wrap(paragraph, width: width)
  }

  private static func section(_ title: String, _ rows: [(label: String, text: String)]) -> [String]
  {
    guard !rows.isEmpty else { return [] }
    let longest = rows.map { $0.label.count }.filter { $0 <= labelLimit }.max() ?? labelLimit
    var lines = ["", "\(title):"]
    for row in rows {
      let text = TextWrap.wrap(row.text, width: width - longest - 4)
      let padding = String(repeating: " ", count: longest + 4)
      if row.label.count <= longest {
        let gap = String(repeating: " ", count: longest - row.label.count + 2)
        lines.append("  " + row.label + gap + (text.first ?? ""))
        lines += text.dropFirst().map { padding + $0 }
      } else {
        lines.append("  " + row.label)
        lines += text.map { padding + $0 }
      }
    }
    return lines
  }

  private static func label(_ option: OptionDeclaration) -> String {
    (option.letter.map { "-\($0), " } ?? "") + Synopsis.typed(option)
  }

  private static func explained(_ option: OptionDeclaration) -> String {
    var notes: [String] = []
    let choices = option.value?.choices() ?? []
    if !choices.isEmpty { notes.append("one of \(choices.joined(separator: ", "))") }
    if option.isRequired { notes.append("required") }
    if option.arity == .many { notes.append("may be repeated") }
    if let text = option.defaultText { notes.append("default: \(text)") }
    return option.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  private static func explained(_ argument: ArgumentDeclaration) -> String {
    let choices = argument.value.choices()
    return argument.help + (choices.isEmpty ? "" : " (one of \(choices.joined(separator: ", ")))")
  }
}

/// Breaks text into lines.
///
/// One scalar counts as one column: help is ASCII, which a test checks.
enum TextWrap {
  /// Wraps `text` at `width` columns; a longer word gets a line of its own.
  static func wrap(_ text: String, width: Int) -> [String] {
    fill(text.split(separator: " ").map { String($0) }, width: width, indent: 0, hanging: 0)
  }

  /// Fills lines of at most `width` columns with unbreakable pieces, the first line indented by
  /// `indent`, the others by `hanging`.
  static func fill(_ pieces: [String], width: Int, indent: Int, hanging: Int) -> [String] {
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for piece in pieces {
      if !isEmpty, line.unicodeScalars.count + 1 + piece.unicodeScalars.count > width {
        lines.append(line)
        line = String(repeating: " ", count: hanging)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + piece
      isEmpty = false
    }
    return isEmpty ? lines : lines + [line]
  }
}
