import LocalAuthCore

/// A text of a module as plain lines, as the rules of the protocol ask for.
struct SpokenText {
  /// The lines that have anything to show.
  let lines: [String]
  /// Whether the last line ends with a blank, as questions on a terminal do.
  let endsWithBlank: Bool

  /// Splits `text` into lines, and puts a blank for all that is no visible character.
  init(_ text: String) {
    let pieces = text.unicodeScalars.split { ["\n", "\r", "\u{2028}", "\u{2029}"].contains($0) }
    lines = pieces.compactMap { Self.line($0) }
    endsWithBlank = text.unicodeScalars.last == " "
  }

  /// One line with all that the text says; nil if there is nothing to show.
  static func sentence(_ text: String) -> String? { line(text.unicodeScalars[...]) }

  private static func line(_ scalars: Substring.UnicodeScalarView) -> String? {
    var line = String.UnicodeScalarView()
    for scalar in scalars {
      let isBlank = scalar == " " || !scalar.standsForItself
      if isBlank, line.last ?? " " == " " { continue }
      line.append(isBlank ? " " : scalar)
    }
    if line.last == " " { line.removeLast() }
    // Letters under many marks are no plain text either.
    return ActionText(String(line))?.text ?? ascii(line)
  }

  /// The part of a line that every prompt shows as itself.
  private static func ascii(_ line: String.UnicodeScalarView) -> String? {
    var plain = ""
    for scalar in line where scalar.isASCII && !(scalar == " " && plain.last ?? " " == " ") {
      plain.unicodeScalars.append(scalar)
    }
    if plain.last == " " { plain.removeLast() }
    return ActionText(plain)?.text
  }
}
