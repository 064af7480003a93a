/// Draws a prompt over the one drawn before, and takes it away.
///
/// Pure: it remembers what is on the screen and says what to write.
struct PromptPainter {
  private let style: PromptStyle
  /// Widths of the lines on the screen.
  private var drawnWidths: [Int] = []
  private var drawnState: PromptText?

  init(style: PromptStyle) {
    self.style = style
  }

  /// What to write so that the screen shows `state`; empty when it does already.
  mutating func draw(_ state: PromptText, columns: Int) -> String {
    guard style.movesCursor else { return append(state, columns: columns) }
    let lines = PromptView.lines(of: state, columns: columns, style: style)
    let beginning = moveToStart(columns: columns)
    drawnState = state
    drawnWidths = PromptView.lines(
      of: state,
      columns: columns,
      style: PromptStyle(hasColor: false, movesCursor: true)
    ).map { TerminalText.width(of: $0) }
    return beginning + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[J"
  }

  /// What to write so that the prompt is gone and the cursor stands where it began.
  mutating func erase(columns: Int) -> String {
    guard drawnState != nil else { return "" }
    let text = style.movesCursor ? moveToStart(columns: columns) + "\u{1B}[J" : "\r\n"
    forget()
    return text
  }

  /// Forgets what is on the screen: something else wrote there.
  mutating func forget() {
    drawnWidths = []
    drawnState = nil
  }

  /// Back to the first cell of the prompt.
  ///
  /// A terminal that became narrower has broken our lines, so the rows they take now are counted,
  /// not the lines.
  private func moveToStart(columns: Int) -> String {
    guard !drawnWidths.isEmpty else { return "\r" }
    let rows = drawnWidths.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(columns, 1)) }
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  /// A terminal that cannot move back gets a copy of what is new, and never a countdown or stars.
  private mutating func append(_ state: PromptText, columns: Int) -> String {
    var still = state
    still.secondsLeft = nil
    still.entry?.typedCount = 0
    still.entry?.typedText = ""
    guard still != drawnState else { return "" }
    let beginning = drawnState == nil ? "" : "\r\n"
    drawnState = still
    let lines = PromptView.lines(of: still, columns: columns, style: style)
    return beginning + lines.joined(separator: "\r\n")
  }
}
