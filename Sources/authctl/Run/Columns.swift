import LocalAuthTerminal

/// Aligns text for people, and sanitizes text from elsewhere.
enum Columns {
  private static let width = 80
  private static let longestCell = 400

  /// Puts a label and a text on each line; a long text continues below itself.
  static func lines(_ rows: [(label: String, text: String)]) -> [String] {
    let label = (rows.map { $0.label.unicodeScalars.count }.max() ?? 0) + 2
    return rows.flatMap { row in
      let text = TextWrap.wrap(shown(row.text), width: width - label)
      let rest = text.dropFirst().map { String(repeating: " ", count: label) + $0 }
      return [padded(row.label, label) + (text.first ?? "")] + rest
    }
  }

  /// Aligns the cells of a table; the last column is not padded.
  static func table(_ rows: [[String]]) -> [String] {
    let rows = rows.map { $0.map { shown($0) } }
    var widths: [Int] = []
    for row in rows {
      for (index, cell) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], cell.unicodeScalars.count + 2)
      }
    }
    return rows.map { row in
      row.enumerated().map { index, cell in
        index == row.count - 1 ? cell : padded(cell, widths[index])
      }.joined()
    }
  }

  /// Splits text into lines, each sanitized.
  static func paragraph(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { shown(String($0)) }
  }

  private static func shown(_ text: String) -> String {
    TerminalText.sanitized(text, limit: longestCell)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }
}
