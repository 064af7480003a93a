/// The size of a terminal in cells.
public struct ScreenSize: Equatable, Sendable {
  /// How many cells a row has.
  public var columns: Int
  /// How many rows there are.
  public var rows: Int

  /// Creates a size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// Draws a screen over the previous one.
///
/// Pure: it remembers what is on the screen and returns what to write.
struct ScreenPainter {
  /// Shows the other screen, empty and without cursor, which cuts lines that are too long.
  static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  /// Undoes ``entering``; clears first, because a terminal with one screen alone keeps the text.
  static let leaving = "\u{1B}[2J\u{1B}[H\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// The lines on the screen; nil if it may have anything on it.
  private var drawn: [String]? = []

  /// Returns what to write to make the screen show `lines`, from its first row on; empty if it does
  /// already.
  mutating func draw(_ lines: [String]) -> String {
    let shown = drawn ?? []
    var text = drawn == nil ? "\u{1B}[2J" : ""
    for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
      text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
    }
    if shown.count > lines.count { text += "\u{1B}[\(lines.count + 1);1H\u{1B}[J" }
    drawn = lines
    return text
  }

  /// Forgets what is on the screen, after something else wrote there or it got another size.
  mutating func forget() { drawn = nil }
}
