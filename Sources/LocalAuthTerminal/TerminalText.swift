/// Makes untrusted text safe to show: a reason, a program's name, a message from PAM.
///
/// Its author may try to move the cursor, hide a line, forge another or reverse its order, so only
/// characters that stand for themselves pass.
public enum TerminalText {
  /// Sanitizes `text` into one line of at most `limit` scalars.
  ///
  /// Line ends and tabs become blanks, scalars that must not reach a terminal become `?`, a letter
  /// keeps at most two marks, and "..." shows that the text was cut.
  public static func sanitized(_ text: String, limit: Int) -> String {
    var shown = String.UnicodeScalarView()
    var count = 0
    var marks = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return String(shown) + "..." }
      let safe = replacement(for: scalar)
      marks = width(of: safe) == 0 ? marks + 1 : 0
      guard marks <= 2 else { continue }
      shown.append(safe)
      count += 1
    }
    return String(shown)
  }

  private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    if (0x20...0x7E).contains(scalar.value) { return scalar }
    switch scalar.properties.generalCategory {
    case .control:
      return scalar == "\n" || scalar == "\r" || scalar == "\t" ? " " : "?"
    case .spaceSeparator, .lineSeparator, .paragraphSeparator: return " "
    case .format, .surrogate, .privateUse, .unassigned: return "?"
    // The Braille pattern without dots and the null notehead are drawn blank.
    case .otherSymbol where scalar == "\u{2800}" || scalar == "\u{1D159}": return "?"
    default: return scalar
    }
  }

  /// The number of columns `text` takes on a terminal.
  public static func width(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
  }

  /// The width of a scalar: 0 for marks, 2 for wide East Asian scripts and emoji, otherwise 1.
  ///
  /// Where terminals differ it is the larger one: a line that is taken for longer than it is ends early, and one that is
  /// taken for shorter would wrap. The ranges are those of East Asian Width in Unicode 16, with what lies between.
  static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    // With it some terminals draw the character before as an emoji.
    if scalar == "\u{FE0F}" { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1_6FE0...0x1_8DFF, 0x1_AFF0...0x1_B2FF,
      0x1_D300...0x1_D37F, 0x1_F000...0x1_FAFF, 0x2_0000...0x3_FFFD:
      return 2
    default: return 1
    }
  }

  /// Returns the beginning of `text` that fits into `columns`.
  public static func beginning(of text: String, columns: Int) -> String {
    var shown = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      used += width(of: scalar)
      guard used <= columns else { break }
      shown.append(scalar)
    }
    return String(shown)
  }

  /// Cuts `text` into lines of at most `columns` columns, at any character.
  static func chunked(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for scalar in text.unicodeScalars {
      if used + width(of: scalar) > columns {
        lines.append(line)
        (line, used) = ("", 0)
      }
      line.unicodeScalars.append(scalar)
      used += width(of: scalar)
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Wraps `text` at blanks into lines of at most `columns` columns.
  ///
  /// A word longer than a line is broken at the end of the line. Lines after the first are indented
  /// by `hanging`.
  static func wrapped(_ text: String, columns: Int, hanging: Int = 0) -> [String] {
    let indent = String(repeating: " ", count: hanging)
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ") {
      let wordWidth = width(of: String(word))
      let isFresh = used == (lines.isEmpty ? 0 : hanging)
      if !isFresh, used + 1 + wordWidth <= columns {
        line += " " + word
        used += 1 + wordWidth
        continue
      }
      if !isFresh {
        lines.append(line)
        (line, used) = (indent, hanging)
      }
      for scalar in word.unicodeScalars {
        if used + width(of: scalar) > columns {
          lines.append(line)
          (line, used) = (indent, hanging)
        }
        line.unicodeScalars.append(scalar)
        used += width(of: scalar)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
