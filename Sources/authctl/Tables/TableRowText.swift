import LocalAuthCore
import LocalAuthJSON
import LocalAuthPropertyList
import LocalAuthWire

/// A row as people and programs see it.
struct TableRowText {
  let table: String
  let row: String
  /// The columns in the order of their names; nil for no value.
  private let columns: [(name: String, value: PropertyList?)]

  /// Reads a row that a daemon sent.
  init(_ row: TableMessages.Row) throws(Failure) {
    var values: [PropertyList] = []
    if let bytes = row.values?.bytes {
      guard case .array(let elements)? = try? PropertyList(binary: bytes) else {
        throw Self.notUnderstood
      }
      values = elements
    }
    guard values.count == row.columns.count else { throw Self.notUnderstood }
    table = row.table
    self.row = row.row
    let named = zip(row.columns, values).map { (name: $0, value: Optional($1)) }
    columns = (named + row.nulls.map { (name: $0, value: nil) })
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static var notUnderstood: Failure {
    Failure(.internalError, "The daemon's answer was not understood: columns that are none.")
  }

  /// A line for each column.
  var cells: [[String]] {
    columns.map { column in
      let text = column.value?.text ?? ""
      return [column.name, column.value?.kind.rawValue ?? "null"] + (text.isEmpty ? [] : [text])
    }
  }

  /// The column of this name, whose value is nil for a null; nil if there is none.
  func column(_ name: String) -> (name: String, value: PropertyList?)? {
    columns.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// All columns in one line.
  var line: String {
    columns.map { column in
      column.value.map { "\(column.name)=\($0.text)" } ?? "\(column.name):null="
    }.joined(separator: " ")
  }

  /// The row, for programs.
  func write(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("table", table)
    writer.member("row", row)
    writer.member("columns", columns) { column, writer in
      writer.member("name", column.name)
      writer.member("type", column.value?.kind.rawValue ?? "null")
      writer.key(named: "value")
      if let value = column.value { writer.value(value.json) } else { writer.null() }
    }
  }
}

/// `COLUMN[:TYPE]=VALUE`, as it is typed.
enum TableAssignment {
  /// The types that a column has, as they are typed.
  private static let kinds: [ValueKind] = [.string, .int, .real, .data]

  /// The write that assignments ask for.
  static func change(
    _ table: String,
    _ row: String,
    _ assignments: [String]
  ) throws(Failure) -> TableMessages.Change {
    var change = TableMessages.Change()
    (change.table, change.row) = (table, row)
    var (names, values, nulls): ([String], [PropertyList], [String]) = ([], [], [])
    for assignment in assignments {
      let (name, value) = try parts(of: assignment)
      guard let value else {
        nulls.append(name)
        continue
      }
      names.append(name)
      values.append(value)
    }
    (change.columns, change.nulls) = (names, nulls)
    do throws(PropertyListError) {
      change.values = WireBytes(try PropertyList.array(values).binary())
    } catch { throw Failure(.usage, "\(error)") }
    return change
  }

  private static func parts(
    of assignment: String
  ) throws(Failure) -> (name: String, value: PropertyList?) {
    guard let equals = assignment.firstIndex(of: "=") else {
      throw Failure(.usage, "'\(assignment)' has no '=': give COLUMN=VALUE, such as title=Milk.")
    }
    var name = assignment[..<equals]
    let text = String(assignment[assignment.index(after: equals)...])
    var kind = ValueKind.string
    if let colon = name.lastIndex(of: ":") {
      let type = name[name.index(after: colon)...]
      name = name[..<colon]
      if type == "null" {
        guard text.isEmpty else {
          throw Failure(.usage, "A null has no value: give '\(name):null='.")
        }
        return (String(name), nil)
      }
      guard let known = kinds.first(where: { $0.rawValue == type }) else {
        throw Failure(
          .usage,
          "A column has the type string, int, real, data or null: '\(type)' is none of them."
        )
      }
      kind = known
    }
    guard let value = kind.value(text) else {
      throw Failure(
        .usage,
        "The value of '\(name)' is none of the type \(kind.rawValue): give \(kind.example)."
      )
    }
    if case .real(let number) = value, number.isNaN {
      throw Failure(.usage, "A column keeps NaN as a null: give '\(name):null='.")
    }
    return (String(name), value)
  }
}
