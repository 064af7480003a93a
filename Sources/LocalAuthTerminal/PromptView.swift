/// What a prompt may use on this terminal.
public struct PromptStyle: Equatable, Sendable {
  /// Whether colors and font weights are used.
  public var hasColor: Bool
  /// Whether a prompt is redrawn in place.
  ///
  /// If not, each line is written once, without the countdown, when it is new.
  public var movesCursor: Bool

  /// Creates a style.
  public init(hasColor: Bool, movesCursor: Bool) {
    self.hasColor = hasColor
    self.movesCursor = movesCursor
  }

  /// Creates the style that the environment asks for.
  ///
  /// No color if `NO_COLOR` is set and not empty; neither color nor cursor movement if `TERM` is
  /// `dumb`, empty or missing, or if `lines` is `1`, which is for screen readers.
  public init(noColor: String?, term: String?, lines: String? = nil) {
    movesCursor = !(term ?? "").isEmpty && term != "dumb" && lines != "1"
    hasColor = movesCursor && (noColor ?? "").isEmpty
  }
}

/// Lays out a prompt as lines of text.
///
/// Pure, and the only place where untrusted text reaches the terminal.
public enum PromptView {
  /// The longest reason, requester or message shown, in scalars.
  static let textLimit = 240
  /// The longest action and audience shown, in scalars: more than any valid one has.
  static let actionLimit = 1024
  /// The longest text of items shown, in scalars: more than 32 of the longest names have.
  static let itemsLimit = 8192
  /// How many tries are left when a prompt begins to say what the last one costs.
  static let warnsFrom = 3
  /// The longest label or title shown, in scalars.
  static let labelLimit = 60

  /// The lines of `state`, at most `columns - 1` wide: a full line would wrap on some terminals.
  ///
  /// The entry, if any, is the last line and ends with what is typed.
  public static func lines(
    of state: PromptText,
    columns: Int,
    style: PromptStyle
  ) -> [String] {
    let view = Layout(columns: max(columns, 20) - 1, style: style)
    var lines = view.paragraph(state.reason, .bold)
    if let items = state.items { lines += view.paragraph(items, .bold, limit: itemsLimit) }
    if let action = state.action { lines += view.verbatim(action, .bold) }
    if let audience = state.audience {
      lines += view.paragraph("To be shown to \(audience)", .plain, limit: actionLimit)
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
    let tries = "\(left) \(left == 1 ? "try" : "tries") left"
    guard authenticator.locksForGood, left <= warnsFrom else { return "\(instruction) (\(tries))" }
    return "\(instruction) (\(tries); then only erasing the device helps, and its keychain is lost)"
  }

  /// The key bindings and the time left; empty for a bare question.
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

  /// Formats minutes and seconds: `0:28`, `12:05`.
  public static func clock(_ seconds: Int) -> String {
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
    // Wrapped lines are indented, so that none can imitate one of our own lines.
    return TerminalText.wrapped(safe, columns: columns, hanging: 2).map { dressed($0, look) }
  }

  /// A text shown verbatim on lines of its own, with every blank and in full.
  func verbatim(_ text: String, _ look: Look) -> [String] {
    let safe = TerminalText.sanitized(text, limit: PromptView.actionLimit)
    return TerminalText.chunked(safe, columns: columns - 4).map { dressed("  | " + $0, look) }
  }

  func item(_ text: String) -> [String] {
    TerminalText.wrapped("- " + text, columns: columns, hanging: 2)
  }

  /// The question and what is typed; a long answer is cut at its start, so that its end shows.
  func entry(_ entry: PromptEntry) -> String {
    let limit = min(PromptView.labelLimit, columns - 8)
    let question = TerminalText.sanitized(entry.label, limit: limit)
    let label = TerminalText.beginning(of: question, columns: columns - 6) + ": "
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
