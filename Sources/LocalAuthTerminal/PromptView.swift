/// How a prompt may look on this terminal.
public struct PromptStyle: Equatable, Sendable {
  /// Whether colors and weights are used.
  public var hasColor: Bool
  /// Whether a prompt is drawn over itself; a terminal that cannot move its cursor gets a new copy
  /// when more than the countdown has changed.
  public var movesCursor: Bool

  /// Says both.
  public init(hasColor: Bool, movesCursor: Bool) {
    self.hasColor = hasColor
    self.movesCursor = movesCursor
  }

  /// What the environment wishes: no color where `NO_COLOR` is set and not empty, neither color nor
  /// cursor movement where `TERM` is `dumb` or missing.
  public init(noColor: String?, term: String?) {
    movesCursor = !(term ?? "").isEmpty && term != "dumb"
    hasColor = movesCursor && (noColor ?? "").isEmpty
  }
}

/// Draws a prompt as lines of text.
///
/// Pure, and the only place where text from elsewhere reaches the terminal.
public enum PromptView {
  /// Scalars of a reason, a requester or a message that are shown.
  static let textLimit = 240
  /// Scalars of an action, or of what items are called, that are shown: more than the longest has.
  static let actionLimit = 1024
  /// Scalars of a label or title that are shown.
  static let labelLimit = 60

  /// The lines of `state`, none wider than `columns - 1`: a full line would wrap on some terminals.
  ///
  /// The entry, where there is one, is the last line, and what is typed stands at its end.
  public static func lines(
    of state: PromptText,
    columns: Int,
    style: PromptStyle
  ) -> [String] {
    let view = Layout(columns: max(columns, 20) - 1, style: style)
    var lines = view.paragraph(state.reason, .bold)
    if let items = state.items { lines += view.paragraph(items, .bold, limit: actionLimit) }
    if let action = state.action { lines += view.verbatim(action, .bold) }
    if let audience = state.audience {
      lines += view.paragraph("To be shown to \(audience)", .plain)
    }
    if let remembered = state.remembered {
      lines += view.paragraph("Not asked again for \(remembered)", .plain)
    }
    lines += view.paragraph(requester(of: state), .plain)
    if state.isSimulated {
      lines += view.paragraph("SIMULATED DEVICE: nobody is really authenticated", .warning)
    }
    for authenticator in state.authenticators { lines += view.item(item(authenticator)) }
    if let message = state.message { lines += view.paragraph(message.text, look(of: message.kind)) }
    lines += view.paragraph(footer(of: state), .faint)
    if let entry = state.entry { lines.append(view.entry(entry)) }
    return lines
  }

  private static func requester(of state: PromptText) -> String {
    state.requester.isEmpty ? "" : "Asked by \(state.requester)"
  }

  private static func item(_ authenticator: LiveAuthenticator) -> String {
    let instruction = TerminalText.sanitized(authenticator.instruction, limit: labelLimit)
    guard let left = authenticator.attemptsLeft else { return instruction }
    return "\(instruction) (\(left) \(left == 1 ? "try" : "tries") left)"
  }

  /// What the keys do and how long there is; nothing for a bare question.
  private static func footer(of state: PromptText) -> String {
    guard !state.reason.isEmpty || state.items != nil else { return "" }
    var parts = [state.entry == nil ? "Esc or q: cancel" : "Enter: send, Esc: cancel"]
    if let title = state.fallbackTitle {
      let title = TerminalText.sanitized(title, limit: labelLimit)
      parts.append("\(state.entry == nil ? "f or Tab" : "Tab"): \(title)")
    }
    if let seconds = state.secondsLeft { parts.append("\(clock(max(seconds, 0))) left") }
    return parts.joined(separator: ", ")
  }

  /// `0:28`, `12:05`.
  private static func clock(_ seconds: Int) -> String {
    "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }

  private static func look(of kind: PromptMessage.Kind) -> Layout.Look {
    switch kind {
    case .info: .plain
    case .miss, .retry: .warning
    case .error: .alarm
    }
  }
}

/// Lays text out for one width and style.
private struct Layout {
  enum Look {
    case plain
    case bold
    case faint
    case warning
    case alarm
  }

  let columns: Int
  let style: PromptStyle

  func paragraph(_ text: String, _ look: Look, limit: Int = PromptView.textLimit) -> [String] {
    let safe = TerminalText.sanitized(text, limit: limit)
    // Indented, so that no wrapped line can pass for one of ours.
    return TerminalText.wrapped(safe, columns: columns, hanging: 2).map { dressed($0, look) }
  }

  /// A text that is read to the letter: of its own lines, with every blank, and whole.
  func verbatim(_ text: String, _ look: Look) -> [String] {
    let safe = TerminalText.sanitized(text, limit: PromptView.actionLimit)
    return TerminalText.chunked(safe, columns: columns - 4).map { dressed("  | " + $0, look) }
  }

  func item(_ text: String) -> [String] {
    TerminalText.wrapped("- " + text, columns: columns, hanging: 2)
  }

  /// The question and what is typed; of a long answer the end, where typing goes on.
  func entry(_ entry: PromptEntry) -> String {
    let limit = min(PromptView.labelLimit, columns - 8)
    let label = fitting(TerminalText.sanitized(entry.label, limit: limit), columns - 6) + ": "
    let room = columns - TerminalText.width(of: label)
    switch entry.echo {
    case .nothing:
      return label
    case .stars:
      return label + String(repeating: "*", count: min(max(entry.typedCount, 0), room))
    case .text:
      let text = TerminalText.sanitized(entry.typedText, limit: PasscodeEditor.defaultLimit)
      return label + end(of: text, room)
    }
  }

  private func fitting(_ text: String, _ room: Int) -> String {
    var shown = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      used += TerminalText.width(of: scalar)
      guard used <= room else { break }
      shown.append(scalar)
    }
    return String(shown)
  }

  private func end(of text: String, _ room: Int) -> String {
    var shown = text.unicodeScalars[...]
    var used = TerminalText.width(of: text)
    while used > room, let first = shown.popFirst() { used -= TerminalText.width(of: first) }
    return String(shown)
  }

  private func dressed(_ line: String, _ look: Look) -> String {
    guard style.hasColor else { return line }
    switch look {
    case .plain: return line
    case .bold: return "\u{1B}[1m\(line)\u{1B}[0m"
    case .faint: return "\u{1B}[2m\(line)\u{1B}[0m"
    case .warning: return "\u{1B}[1;33m\(line)\u{1B}[0m"
    case .alarm: return "\u{1B}[1;31m\(line)\u{1B}[0m"
    }
  }
}
