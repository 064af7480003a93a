import Glibc
import LocalAuthTerminal

/// Aligns text for people, and sanitizes text from elsewhere.
enum Columns {
  private static let width = 80
  static let longestCell = 400
  /// The least that a narrow terminal leaves of a column, with the gap behind it.
  private static let narrowest = 7

  /// Puts a label and a text on each line; a long text continues below itself.
  static func lines(
    _ rows: [(label: String, text: String)],
    width: Int = Columns.width,
    limit: Int = longestCell
  ) -> [String] {
    let label = (rows.map { $0.label.unicodeScalars.count }.max() ?? 0) + 2
    return rows.flatMap { row in
      let text = TextWrap.wrap(
        TerminalText.sanitized(row.text, limit: limit),
        width: width - label
      )
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

  /// Aligns the cells of a table of which the first column says what each row is about.
  ///
  /// Where it is wider than `columns`, it becomes tables under each other, each of the first column and as many
  /// others as fit; what is too wide even so continues below itself. No cell is cut.
  static func tables(_ rows: [[String]], columns: Int?) -> [String] {
    guard let columns, let head = rows.first, head.count > 1 else {
      return table(rows, limit: .max)
    }
    let widths = head.indices.map { index in
      rows.map { TerminalText.width(of: TerminalText.sanitized($0[index], limit: .max)) }.max() ?? 0
    }
    func used(_ part: [Int]) -> Int { part.reduce(widths[0]) { $0 + 2 + widths[$1] } }
    var parts: [[Int]] = []
    for index in head.indices.dropFirst() {
      if let last = parts.last, used(last + [index]) <= columns {
        parts[parts.count - 1].append(index)
      } else {
        parts.append([index])
      }
    }
    let tables = parts.map { part in
      used(part) > columns
        ? lines(rows.map { ($0[0], $0[part[0]]) }, width: columns, limit: .max)
        : table(rows.map { row in [row[0]] + part.map { row[$0] } }, limit: .max)
    }
    return Array(tables.joined(separator: [""]))
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
