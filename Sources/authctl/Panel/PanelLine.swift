import LocalAuthTerminal

/// A line of the panel, in parts of one look each.
///
/// The only place where text reaches the panel's screen: all of it is sanitized here.
struct PanelLine: Equatable, Sendable {
  /// How a part looks in color; without color, all look the same.
  enum Look: Sendable {
    case plain
    case bold
    case faint
    case good
    case warning
    case alarm

    fileprivate var code: String? {
      switch self {
      case .plain: nil
      case .bold: "1"
      case .faint: "2"
      case .good: "32"
      case .warning: "1;33"
      case .alarm: "1;31"
      }
    }
  }

  private struct Part: Equatable, Sendable {
    let text: String
    let look: Look
  }

  /// The most characters of a text that a peer chose.
  private static let longestText = 1024
  /// The column in which a text begins, behind its label.
  static let indent = 10

  private var parts: [Part] = []

  /// A line with a text.
  init(_ text: String = "", _ look: Look = .plain) { add(text, look) }

  /// A label and its text.
  init(_ label: String, _ text: String, _ look: Look = .plain) {
    let gap = max(1, Self.indent - TerminalText.width(of: label))
    add(label + String(repeating: " ", count: gap), .faint)
    add(text, look)
  }

  /// Appends a text.
  mutating func add(_ text: String, _ look: Look = .plain) {
    let safe = TerminalText.sanitized(text, limit: Self.longestText)
    if !safe.isEmpty { parts.append(Part(text: safe, look: look)) }
  }

  /// The line in at most `columns` cells; what does not fit is cut off, and an ellipsis says so.
  func drawn(columns: Int, hasColor: Bool) -> String {
    let isCut = parts.reduce(0) { $0 + TerminalText.width(of: $1.text) } > columns
    var room = isCut ? columns - 1 : columns
    var line = ""
    for part in parts where room > 0 {
      let text = TerminalText.beginning(of: part.text, columns: room)
      room -= TerminalText.width(of: text)
      // Behind a text that was cut nothing may follow, even if there is room for a narrow letter.
      if text != part.text { room = 0 }
      line += hasColor ? Self.dressed(text, part.look) : text
    }
    return isCut ? line + "…" : line
  }

  private static func dressed(_ text: String, _ look: Look) -> String {
    look.code.map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
  }
}
