/// Draws a prompt over the previous one, and erases it.
///
/// Pure: it remembers what is on the screen and returns what to write.
struct PromptPainter {
  private let style: PromptStyle
  /// The widths of the lines on the screen.
  private var drawnWidths: [Int] = []
  private var drawnState: PromptText?

  init(style: PromptStyle) {
    self.style = style
  }

  /// Returns what to write to make the screen show `state`; empty if it does already.
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

  /// Returns what to write to erase the prompt and put the cursor back where the prompt began.
  mutating func erase(columns: Int) -> String {
    guard drawnState != nil else { return "" }
    let text = style.movesCursor ? moveToStart(columns: columns) + "\u{1B}[J" : "\r\n"
    forget()
    return text
  }

  /// Forgets what is on the screen, after something else wrote there.
  mutating func forget() {
    drawnWidths = []
    drawnState = nil
  }

  /// Moves the cursor to the first cell of the prompt.
  ///
  /// Counts the rows that the lines take now, because a terminal that became narrower has wrapped
  /// them.
  private func moveToStart(columns: Int) -> String {
    guard !drawnWidths.isEmpty else { return "\r" }
    let rows = drawnWidths.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(columns, 1)) }
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  /// Writes a new copy if more than the countdown or the typed answer changed; both are left out.
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
