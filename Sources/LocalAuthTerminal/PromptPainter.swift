/// Draws a prompt over the previous one, and erases it.
///
/// Pure: it remembers what is on the screen and returns what to write.
struct PromptPainter {
  let style: PromptStyle
  /// The lines on the screen.
  private var drawn: [Line] = []
  /// The columns that they were drawn for.
  private var drawnColumns = 0
  private var drawnState: PromptText?

  /// A line as it is written, and its width in cells.
  private struct Line: Equatable {
    let text: String
    let width: Int
  }

  init(style: PromptStyle) {
    self.style = style
  }

  /// Returns what to write to make the screen show `state`; empty if it does already.
  ///
  /// Lines above the first that changed are left alone: most often only the countdown changes.
  mutating func draw(_ state: PromptText, columns: Int) -> String {
    guard style.movesCursor else { return append(state, columns: columns) }
    let lines = lines(of: state, columns: columns)
    let isSameSize = drawnColumns == columns && !drawn.isEmpty
    if isSameSize, lines == drawn { return "" }
    let kept = isSameSize ? zip(lines, drawn).prefix { $0 == $1 }.count : 0
    // The last line of either is written anew, so that the cursor ends behind it.
    let first = min(kept, lines.count - 1, max(drawn.count - 1, 0))
    let beginning = moveToLine(first, columns: columns)
    drawn = lines
    drawnColumns = columns
    drawnState = state
    return beginning + lines[first...].map { $0.text }.joined(separator: "\u{1B}[K\r\n")
      + "\u{1B}[J"
  }

  /// Returns what to write to erase the prompt and put the cursor back where the prompt began.
  mutating func erase(columns: Int) -> String {
    guard drawnState != nil else { return "" }
    let text = style.movesCursor ? moveToLine(0, columns: columns) + "\u{1B}[J" : "\r\n"
    forget()
    return text
  }

  /// Forgets what is on the screen, after something else wrote there.
  mutating func forget() {
    drawn = []
    drawnState = nil
  }

  /// Has the whole prompt drawn next: a terminal of another size may have moved its lines.
  mutating func sizeChanged() { drawnColumns = 0 }

  private func lines(of state: PromptText, columns: Int) -> [Line] {
    let plain = PromptStyle(hasColor: false, movesCursor: style.movesCursor)
    return zip(
      PromptView.lines(of: state, columns: columns, style: style),
      PromptView.lines(of: state, columns: columns, style: plain)
    ).map { Line(text: $0, width: TerminalText.width(of: $1)) }
  }

  /// Moves the cursor to the first cell of the drawn line with this index.
  ///
  /// Counts the rows that the lines take now, because a terminal that became narrower has wrapped
  /// them.
  private func moveToLine(_ index: Int, columns: Int) -> String {
    let rows = drawn.dropFirst(index).reduce(0) {
      $0 + max(1, ($1.width + columns - 1) / max(columns, 1))
    }
    return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
  }

  /// Writes the lines that are new, on a terminal that cannot move its cursor or reads aloud what is
  /// written.
  ///
  /// The countdown and the typed answer are left out. A question that goes away, because its answer
  /// is judged, says nothing by that; one that comes back is written again.
  private mutating func append(_ state: PromptText, columns: Int) -> String {
    var still = state
    still.secondsLeft = nil
    still.entry?.typedCount = 0
    still.entry?.typedText = ""
    guard still != drawnState else { return "" }
    defer { drawnState = still }
    guard !isOnlyWithoutQuestion(still) else { return "" }
    let lines = lines(of: still, columns: columns)
    let question = still.entry == nil ? nil : lines.last
    var new = lines.filter { !drawn.contains($0) }
    if let question, !new.isEmpty || drawnState?.entry == nil, new.last != question {
      new.append(question)
    }
    drawn = lines
    let beginning = drawnState == nil || new.isEmpty ? "" : "\r\n"
    return beginning + new.map { $0.text }.joined(separator: "\r\n")
  }

  /// Whether `state` is what is shown, but for the question and what it offers.
  private func isOnlyWithoutQuestion(_ state: PromptText) -> Bool {
    guard var shown = drawnState, state.entry == nil else { return false }
    shown.entry = nil
    shown.fallbackTitle = state.fallbackTitle
    return shown == state
  }
}
