import LocalAuthCore

/// The rules for names and texts, and the escaping of foreign text in messages.
enum PolicyText {
  static let nameRule = "1 to 64 of a-z, 0-9 and '-', beginning with a letter or digit"
  static let nameLengths = 1...64
  static let acrRule = "1 to 128 printable ASCII characters without space, quote and backslash"

  /// Whether `text` can name a policy, profile or table.
  static func isName(_ text: String) -> Bool {
    let bytes = text.utf8
    return nameLengths.contains(bytes.count) && bytes.first != UInt8(ascii: "-")
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Whether `text` can be an `acr`: RFC 9470 lists them separated by spaces, inside quotes.
  static func isACR(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
  }

  /// Whether a terminal can show `text` without moving the cursor or changing the writing
  /// direction.
  static func isShowable(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(isShowable) }

  /// Quotes and shortens `text`, with unprintable characters escaped.
  static func quoted(_ text: String) -> String { "\"\(oneLine(text, limit: 60))\"" }

  /// Shortens `text` to `limit` characters, with unprintable ones escaped.
  static func oneLine(_ text: String, limit: Int = 512) -> String {
    var line = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      if count == limit { return line + "..." }
      if isShowable(scalar) {
        line.unicodeScalars.append(scalar)
      } else {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return line
  }

  /// Joins `words` as in prose, `a, b and c`; of more than 32, shows the first 31.
  static func list(_ words: [String]) -> String {
    guard words.count <= 32 else {
      return words.prefix(31).joined(separator: ", ") + " and \(words.count - 31) more"
    }
    guard let last = words.last else { return "nothing" }
    let rest = words.dropLast().joined(separator: ", ")
    return rest.isEmpty ? last : "\(rest) and \(last)"
  }

  private static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
      .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
      .modifierSymbol, .otherSymbol, .spaceSeparator:
      true
    @unknown default: false
    }
  }
}
