import LocalAuthCore

/// The words of a command as a person reads them before it runs.
enum CommandText {
  /// Returns the words, quoted as a shell would take them and with nothing invisible among them.
  ///
  /// A word with control characters, invisible ones or bytes that are no text is written as
  /// `$'...'`, with `\xNN` for each such byte.
  static func text(_ words: [[UInt8]]) -> String {
    words.map { quoted($0) }.joined(separator: " ")
  }

  private static func quoted(_ word: [UInt8]) -> String {
    guard let text = String(validating: word, as: UTF8.self) else { return escaped(word) }
    let quoted = ShellWord.quoted(text)
    return isShown(quoted) ? quoted : escaped(word)
  }

  /// Whether a prompt shows each character of `text` as itself.
  private static func isShown(_ text: String) -> Bool {
    var wasBlank = false
    for scalar in text.unicodeScalars {
      guard scalar.standsForItself, !(wasBlank && scalar == " "), !isMark(scalar) else {
        return false
      }
      wasBlank = scalar == " "
    }
    return true
  }

  private static func escaped(_ word: [UInt8]) -> String {
    var text = "$'"
    var wasBlank = false
    for unit in units(of: word) {
      guard let scalar = unit.scalar, scalar.standsForItself, !isMark(scalar),
        !(wasBlank && scalar == " ")
      else {
        for byte in unit.bytes { text += "\\x" + String(hexadecimal: [byte]) }
        wasBlank = false
        continue
      }
      if scalar == "'" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
      wasBlank = scalar == " "
    }
    return text + "'"
  }

  /// A character, or a byte that is part of none.
  private struct Unit {
    let scalar: Unicode.Scalar?
    let bytes: ArraySlice<UInt8>
  }

  private static func units(of word: [UInt8]) -> [Unit] {
    var units: [Unit] = []
    var rest = word[...]
    while let first = rest.first {
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      let bytes = rest.prefix(length)
      let scalars = String(validating: bytes, as: UTF8.self)?.unicodeScalars
      if let scalar = scalars?.first, scalars?.count == 1 {
        units.append(Unit(scalar: scalar, bytes: bytes))
        rest = rest.dropFirst(bytes.count)
      } else {
        units.append(Unit(scalar: nil, bytes: rest.prefix(1)))
        rest = rest.dropFirst()
      }
    }
    return units
  }

  /// Whether a character changes how the one before it looks.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: return true
    default: return false
    }
  }
}
