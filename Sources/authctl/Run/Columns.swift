import Glibc
import LocalAuthTerminal

/// Aligns text for people, and sanitizes text from elsewhere.
enum Columns {
  private static let width = 80
  static let longestCell = 400
  /// The least that a narrow terminal leaves of a column, with the gap behind it.
  private static let narrowest = 7

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
  ///
  /// Where `columns` are given, the widest columns are cut until the table fits, as far as that
  /// leaves something of each. A cell has at most `limit` characters.
  static func table(
    _ rows: [[String]],
    columns: Int? = nil,
    limit: Int = longestCell
  ) -> [String] {
    let rows = rows.map { $0.map { TerminalText.sanitized($0, limit: limit) } }
    var widths: [Int] = []
    for row in rows {
      for (index, cell) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], TerminalText.width(of: cell) + 2)
      }
    }
    if let columns { cut(&widths, to: columns + 2) }
    return rows.map { row in
      row.enumerated().map { index, cell in
        let cell = fitted(cell, widths[index] - 2)
        return index == row.count - 1 ? cell : padded(cell, widths[index])
      }.joined()
    }
  }

  /// Breaks lines that are longer than a terminal has `columns`; a rest is further in than its beginning.
  static func narrowed(_ lines: [String], to columns: Int?) -> [String] {
    guard let columns else { return lines }
    return lines.flatMap { line in
      let indent = String(line.prefix { $0 == " " })
      let width = columns - indent.count - 2
      guard line.unicodeScalars.count > columns, width > narrowest else { return [line] }
      let parts = TextWrap.wrap(String(line.dropFirst(indent.count)), width: width)
      return parts.enumerated().map { $0 == 0 ? indent + $1 : indent + "  " + $1 }
    }
  }

  /// The width of the terminal that shows a list; nil where standard output is none and lists are
  /// whole.
  static var shownColumns: Int? { Terminal.columns(of: STDOUT_FILENO) }

  private static func cut(_ widths: inout [Int], to limit: Int) {
    while widths.reduce(0, +) > limit {
      guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
        widths[widest] > narrowest
      else { return }
      widths[widest] -= 1
    }
  }

  private static func fitted(_ cell: String, _ width: Int) -> String {
    guard TerminalText.width(of: cell) > width else { return cell }
    return TerminalText.beginning(of: cell, columns: width - 1) + "…"
  }

  /// Splits text into lines, each sanitized.
  static func paragraph(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { shown(String($0)) }
  }

  private static func shown(_ text: String) -> String {
    TerminalText.sanitized(text, limit: longestCell)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TerminalText.width(of: text)))
  }
}
